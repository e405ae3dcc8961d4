function picture(drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120"><rect width="160" height="120" fill="#e3ebe4"/><path d="M0 96 40 64l26 20 34-36 60 48v24H0z" fill="#cfdcd2"/><g stroke="#1d2421" stroke-width="2" stroke-linejoin="round" stroke-linecap="round">${drawing}</g></svg>`;
}

/** Drawings of the products, by SKU, and the shop's icon. */
export const PICTURES: Readonly<Record<string, string>> = {
  icon: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5c45"/><path d="m4 24 8-12 5 7 4-6 7 11z" fill="#fff"/></svg>`,
  "TL-200": picture(
    '<path d="M36 62c0-20 18-32 44-32s44 12 44 32" fill="none" stroke-width="9" stroke="#1f5c45"/><rect x="58" y="50" width="44" height="34" rx="9" fill="#2f3b36"/><circle cx="80" cy="67" r="12" fill="#ffe9a8"/>',
  ),
  "WB-750": picture(
    '<rect x="68" y="18" width="24" height="14" rx="4" fill="#2f3b36"/><path d="M66 34h28c5 5 7 9 7 16v46c0 4-3 6-6 6H65c-3 0-6-2-6-6V50c0-7 2-11 7-16z" fill="#8fb59d"/><path d="M59 62h42M59 84h42" stroke="#fff"/>',
  ),
  "MS-2": picture(
    '<path d="M58 20h26v40l24 20c8 8 0 20-12 18L62 84c-4-2-6-6-6-10z" fill="#b5654a"/><path d="M58 20h26v10H58zM90 68l14 12" fill="#efe6d8"/>',
  ),
  "PB-45": picture(
    '<path d="M66 26c0-12 28-12 28 0" fill="none"/><path d="M54 38c0-10 8-14 16-14h20c8 0 16 4 16 14v56c0 5-4 8-8 8H62c-4 0-8-3-8-8z" fill="#c99a3c"/><rect x="62" y="64" width="36" height="28" rx="5" fill="#e6c27a"/><path d="M62 46h36M80 64v10"/>',
  ),
  "CK-1": picture(
    '<path d="M52 46c2-24 54-24 56 0" fill="none" stroke-width="4"/><path d="M50 50h60l6 40c0 6-4 10-10 10H54c-6 0-10-4-10-10z" fill="#7f8c86"/><path d="m112 60 16-8 4 6-18 16z" fill="#7f8c86"/><path d="M70 50c0-8 20-8 20 0z" fill="#2f3b36"/>',
  ),
  "WN-9": picture(
    '<rect x="52" y="22" width="56" height="78" rx="4" fill="#3f5f8a"/><path d="M62 22v78" stroke="#fff"/><rect x="72" y="38" width="26" height="14" rx="2" fill="#efe6d8"/><path d="M98 22v30l5-5 5 5V22z" fill="#b5654a"/>',
  ),
};
