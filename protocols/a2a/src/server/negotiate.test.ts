import { describe, expect, it } from "vitest";
import type { A2aExtension } from "../extensions/extension.ts";
import { echo, negotiate } from "./negotiate.ts";

const optional: A2aExtension = { uri: "https://extensions.example/e/v1", description: "May be.", required: false };
const required: A2aExtension = { uri: "urn:example:must:1", description: "Must be.", required: true };

function asking(headers: Readonly<Record<string, string>>, path = "/a2a"): Request {
  return new Request(`http://gateway.example${path}`, { headers: { "a2a-version": "1.0", ...headers } });
}

describe("what a request says of itself", () => {
  it("PLG-6 an extension that the card requires and the client does not activate refuses every request", () => {
    const missing = negotiate(asking({ "a2a-extensions": optional.uri }), [optional, required]);
    expect(!missing.ok && missing.reason.reason).toBe("EXTENSION_SUPPORT_REQUIRED");
    const both = negotiate(asking({ "a2a-extensions": `${optional.uri}, ${required.uri}` }), [optional, required]);
    expect(both.ok && both.value).toEqual([optional, required]);
  });

  it("is echoed as it was activated: in any spelling, and nothing that is not on the card", () => {
    const spelt = { "a2a-extensions": "HTTPS://Extensions.example:443/e/v1, urn:example:other:1, nonsense" };
    const active = negotiate(asking(spelt), [optional]);
    expect(active.ok && echo(active.value)).toEqual({ "a2a-extensions": optional.uri });
    const none = negotiate(asking({}), [optional]);
    expect(none.ok && echo(none.value)).toEqual({});
  });

  it.each(["", "0.3", "1.0.1", "1", "2.0"])("the version %j is not spoken", (version) => {
    const read = negotiate(asking({ "a2a-version": version }), []);
    expect(!read.ok && read.reason.reason).toBe("VERSION_NOT_SUPPORTED");
  });
});
