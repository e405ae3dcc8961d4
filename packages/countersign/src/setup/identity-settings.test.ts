import { callerPoint, gatewayPlugin, httpPoint, identityPoint } from "@countersign/plugin";
import { TAP } from "@countersign/tap/plugin";
import { WEB_BOT_AUTH } from "@countersign/web-bot-auth/plugin";
import { assert } from "@countersign/wire";
import { expect, it } from "vitest";
import { type IdentitySetup, identitySchema, readCallers, readIdentity } from "./identity-settings.ts";
import { settingsSchema } from "./settings.ts";
import { shippedKernel } from "./shipped.ts";

const ISSUER = "https://gateway.example";
const destinations = [
  { id: "shop", site: "practice-shop", origin: "https://shop.example", alsoOrigins: ["https://cdn.shop.example"] },
  { id: "merchant", site: "practice-shop", origin: "https://merchant.example" },
  { id: "plain", site: "practice-shop", origin: "http://shop.internal" },
];
const read = (settings: object, issuer = ISSUER) =>
  readIdentity(identitySchema.parse(settings), { issuer, destinations });

function seamsWith(identity: IdentitySetup | undefined) {
  const options = { chromium: "", sandbox: "on" as const, ...(identity === undefined ? {} : { identity }) };
  const kernel = shippedKernel(options, "");
  assert(kernel.ok, `the set builds: ${kernel.ok ? "" : kernel.reason}`);
  const scope = kernel.value.scope(gatewayPlugin.manifest.id);
  const places = [...scope.get(httpPoint).values()].map(({ path }) => path);
  return {
    signers: [...scope.get(identityPoint).keys()].sort(),
    isServed: places.some((path) => path.endsWith("-directory")),
  };
}

it("PLG-7 nothing is signed or published before the settings say so", () => {
  const settings = settingsSchema.parse({});
  expect(settings.identity).toMatchObject({ sign: "off", destinations: {}, tapMerchants: [], revisions: ["ietf-00"] });
  expect(readIdentity(settings.identity, { issuer: ISSUER, destinations })).toEqual({ ok: true, value: undefined });
  expect(seamsWith(undefined)).toEqual({ signers: [], isServed: false });
});

it("PLG-7 switched on, the gateway signs under its own address; TAP where merchants read it", () => {
  const on = read({ sign: "on", destinations: { shop: "off", plain: "not_in_browser" }, tapMerchants: ["merchant"] });
  assert(on.ok && on.value !== undefined, "it is on");
  expect(on.value).toEqual({
    agent: ISSUER,
    plainHttp: "refused",
    revisions: ["ietf-00"],
    unsigned: ["https://shop.example", "https://cdn.shop.example"],
    notInBrowser: ["shop", "plain"],
    merchants: ["https://merchant.example"],
  });
  expect(seamsWith(on.value)).toEqual({ signers: [TAP, WEB_BOT_AUTH], isServed: true });
  const without = read({ sign: "on" });
  assert(without.ok, "it is on");
  expect(seamsWith(without.value)).toEqual({ signers: [WEB_BOT_AUTH], isServed: true });
});

it.each<[string, object, string, string]>([
  ["an address that others cannot look up", { sign: "on" }, "http://gateway.example", "has to be https"],
  ["a port of its own", { sign: "on" }, "https://gateway.example:8443", "has to be https"],
  ["an address without a name", { sign: "on" }, "https://192.0.2.1", "has to be https"],
  ["a destination that there is not", { sign: "on", destinations: { gone: "off" } }, ISSUER, "no destination gone"],
  [
    "a TAP merchant over plain HTTP",
    { sign: "on", tapMerchants: ["plain"] },
    ISSUER,
    "http://shop.internal is not https",
  ],
])("%s is refused in a sentence", (_title, settings, issuer, sentence) => {
  const answer = read(settings, issuer);
  expect(!answer.ok && answer.reason).toContain(sentence);
});

it("on this machine alone, for development, keys on this machine will do", () => {
  expect(read({ sign: "on" }, "http://localhost:4600")).toMatchObject({ ok: true, value: { plainHttp: "loopback" } });
});

it("PLG-7 callers are asked who operates them where the settings say so, and by nobody before", () => {
  const callers = (settings: object, issuer = ISSUER) => readCallers(identitySchema.parse(settings), issuer);
  const judges = (settings: object) => {
    const setup = callers(settings);
    const options = { chromium: "", sandbox: "on" as const, ...(setup === undefined ? {} : { callers: setup }) };
    const kernel = shippedKernel(options, "");
    assert(kernel.ok, "the set builds");
    const scope = kernel.value.scope(gatewayPlugin.manifest.id);
    return { judges: [...scope.get(callerPoint).keys()], signers: scope.get(identityPoint).size };
  };
  expect(callers({})).toBeUndefined();
  expect(judges({})).toEqual({ judges: [], signers: 0 });
  expect(judges({ callers: "record" })).toEqual({ judges: [WEB_BOT_AUTH], signers: 0 });
  expect(callers({ callers: "require" })).toEqual({ demand: "require", places: "https", plainHttp: "refused" });
  // This machine's addresses are read where the gateway is on it, and fetched from only where the operator says so.
  expect(callers({ callers: "record" }, "http://localhost:4600")).toMatchObject({
    places: "https",
    plainHttp: "loopback",
  });
});
