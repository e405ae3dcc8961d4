import { definePlugin, operationPoint } from "@countersign/plugin";
import type { Site } from "@countersign/plugin/site";
import type { HttpSite } from "@countersign/route-http";
import { bodyOf, profile } from "./api.ts";
import { billPay } from "./bill-pay.ts";
import { billsList } from "./bills-list.ts";
import { signIn } from "./sign-in.ts";

/** The site by its API. A second entry with `route: "browser"` would be its pages. */
const apiEntry: HttpSite = {
  route: "http",
  signIn,
  /** Whose account it is, in the site's own words. Never guesses: who is not signed in is nobody. */
  async identify(_ctx, session) {
    const answer = await session.fetch("/api/me");
    if (answer.kind === "signed_out") return undefined;
    const who = bodyOf(answer, profile, (body) => body);
    if (!who.ok) return undefined;
    const { id, name, methods } = who.value;
    const details = methods.map((each) => ({
      kind: "instrument" as const,
      siteKey: each.id,
      label: each.label,
      value: {},
    }));
    return { name, key: id, details };
  },
  operations: [billsList, billPay],
};

export const examplePower: Site = {
  id: "example-power",
  title: "Example Power",
  version: "example-power/0.1.0",
  entries: [apiEntry],
};

/** What a gateway loads: `"plugins": {"folder": "...", "load": [{"path": "example-power"}]}` in its settings. */
export const plugin = definePlugin({
  manifest: { id: "site.example-power", version: "1", title: "Example Power", opens: [], uses: [operationPoint] },
  contribute(put) {
    put(operationPoint, { id: examplePower.id, key: examplePower.id, value: examplePower, order: 200 });
  },
});
