import { expect, it } from "vitest";
import { PROTOCOLS } from "../../test/fake/protocols.ts";
import { groupsOf } from "./groups.ts";

it("PLG-5 joins what plugins say with the catalogue: spoken here, unknown to it, and not here", () => {
  const { spoken, unknown, missing } = groupsOf(PROTOCOLS);
  expect(spoken.map(({ protocol, catalogued }) => [protocol.id, catalogued])).toEqual([
    ["a2a", undefined],
    ["mcp", undefined],
    ["web_bot_auth", ["draft-ietf-webbotauth-httpsig-protocol-00"]],
  ]);
  expect(unknown.map((p) => p.id)).toEqual(["lending"]);
  // A plugin's own id may differ from its entry's: `web_bot_auth` is `web-bot-auth` there, and so not missing.
  expect(missing.map((e) => e.id)).toEqual(["pact", "acp"]);
});

it("PLG-5 every protocol is in one group, and every entry of the catalogue is accounted for", () => {
  const { spoken, unknown, missing } = groupsOf(PROTOCOLS);
  expect(spoken.length + unknown.length).toBe(PROTOCOLS.protocols.length);
  expect(spoken.length + missing.length).toBe(PROTOCOLS.catalogue.length);
  expect(groupsOf({ protocols: [], catalogue: [] })).toEqual({ spoken: [], unknown: [], missing: [] });
});
