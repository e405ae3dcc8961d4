import fc from "fast-check";
import { expect, it } from "vitest";
import { backPath } from "./back-path.ts";
import { counterOf, judgeCounter } from "./counter.ts";
import { deviceWords } from "./device.ts";
import { countsAtOnce } from "./passkeys.ts";

it.each([
  ["the first of the first link", { began: "link", linkMadeAt: 100 }, [], true],
  ["one before it is there", { began: "link", linkMadeAt: 100 }, [null], false],
  ["one before it was removed in this session", { began: "link", linkMadeAt: 100 }, [150], false],
  ["all were gone when the link was made", { began: "link", linkMadeAt: 100 }, [50, 100], true],
  ["one of two was gone", { began: "link", linkMadeAt: 100 }, [50, null], false],
  ["a session of a passkey", { began: "passkey", linkMadeAt: null }, [], false],
  ["a session of an outside provider", { began: "outside", linkMadeAt: null }, [], false],
  ["a session of a version before", { began: "link", linkMadeAt: null }, [], false],
] as const)("%s: %j with passkeys %j", (_name, session, revoked, counts) => {
  expect(
    countsAtOnce(
      session,
      revoked.map((revoked_at) => ({ revoked_at })),
    ),
  ).toBe(counts);
});

it("a counter of zero on both sides counts nothing; otherwise only growing is right", () => {
  expect(judgeCounter(0, 0)).toBe("not_counted");
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (stored, seen) => {
      fc.pre(stored + seen > 0);
      expect(judgeCounter(stored, seen)).toBe(seen > stored ? "grew" : "fell_back");
    }),
  );
});

it("the counter is read big-endian, behind the party's hash and the flags", () => {
  const data = Buffer.alloc(37);
  data.writeUInt32BE(0xfedcba98, 33);
  expect(counterOf(data.toString("base64url"))).toBe(0xfedcba98);
  expect(counterOf("AAAA")).toBe(0);
});

it.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15", "Safari on Mac"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36", "Chrome on Android"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on Linux"],
  ["curl/8", "Unknown browser"],
  [undefined, "Unknown browser"],
])("%s is %s", (agent, words) => {
  expect(deviceWords(agent)).toBe(words);
});

it("no word of a browser's own is ever shown", () => {
  const words =
    /^(Unknown browser|(Edge|Opera|Firefox|Chrome|Safari|Browser)( on (iPhone|iPad|Android|Windows|ChromeOS|Mac|Linux))?)$/;
  fc.assert(fc.property(fc.string(), (agent) => words.test(deviceWords(agent))));
});

it.each([
  ["/approvals/act_1", "/approvals/act_1"],
  ["/", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["https://evil.example/", "/"],
  ["/tasks?x=1", "/"],
  ["/tasks#x", "/"],
  ["javascript:alert(1)", "/"],
  ["/%2f/evil.example", "/"],
  ["", "/"],
])("back to %s is %s", (text, path) => {
  expect(backPath(text)).toBe(path);
});

it("whatever is given, the way back stays at this origin", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((s) => `/${s}`),
      ),
      (text) => {
        expect(new URL(backPath(text), "http://localhost:4600").origin).toBe("http://localhost:4600");
      },
    ),
  );
});
