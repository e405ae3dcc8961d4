/**
 * Current codes of ISO 4217 list one (funds codes included) by the number of digits of their minor unit. Withdrawn codes
 * (ANG, BGN, HRK, SLL, ZWL, ...) and codes without a minor unit (metals, XDR, XTS, XXX) are left out on purpose: no
 * amount in them can be written exactly, so they are unknown here. There is no default (lessons U55).
 */
const CODES_BY_DIGITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [
    2,
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY " +
      "COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR " +
      "ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN " +
      "MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE " +
      "SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER " +
      "ZAR ZMW ZWG",
  ],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];

export const CURRENCY_DIGITS: ReadonlyMap<string, number> = new Map(
  CODES_BY_DIGITS.flatMap(([digits, codes]) => codes.split(" ").map((code) => [code, digits] as const)),
);

/**
 * Signs that pages write for a currency besides its code. A sign shared by several currencies (`$`, `¥`, `kr`) stands
 * under each of them: the caller has said which one the page sells in, and a sign of another one is refused.
 */
export const CURRENCY_SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
  ["ARS", ["$", "AR$"]],
  ["AUD", ["$", "A$", "AU$"]],
  ["BRL", ["R$"]],
  ["CAD", ["$", "C$", "CA$"]],
  ["CHF", ["Fr.", "SFr."]],
  ["CLP", ["$", "CLP$"]],
  ["CNY", ["¥", "￥", "元", "CN¥"]],
  ["COP", ["$", "COL$"]],
  ["CZK", ["Kč"]],
  ["DKK", ["kr", "kr."]],
  ["EUR", ["€"]],
  ["GBP", ["£"]],
  ["HKD", ["$", "HK$"]],
  ["HUF", ["Ft"]],
  ["IDR", ["Rp"]],
  ["ILS", ["₪"]],
  ["INR", ["₹", "Rs.", "Rs"]],
  ["ISK", ["kr", "kr."]],
  ["JPY", ["¥", "￥", "円", "JP¥"]],
  ["KRW", ["₩", "원"]],
  ["KWD", ["KD", "د.ك"]],
  ["MXN", ["$", "MX$"]],
  ["NOK", ["kr", "kr."]],
  ["NZD", ["$", "NZ$"]],
  ["PHP", ["₱"]],
  ["PLN", ["zł"]],
  ["SEK", ["kr", "kr."]],
  ["SGD", ["$", "S$"]],
  ["THB", ["฿"]],
  ["TRY", ["₺", "TL"]],
  ["TWD", ["$", "NT$"]],
  ["UAH", ["₴"]],
  ["USD", ["$", "US$"]],
  ["VND", ["₫"]],
  ["ZAR", ["R"]],
]);
