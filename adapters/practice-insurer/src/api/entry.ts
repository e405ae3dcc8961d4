import { bodyOf, type HttpSite } from "@countersign/route-http";
import { identityOf } from "../shared/identity.ts";
import { claimSubmit } from "./claim-submit.ts";
import { claimsList, coverageList } from "./reads.ts";
import { sessionShape } from "./shapes.ts";
import { signIn } from "./sign-in.ts";

/** The practice insurer by the API of its own app, which knows a session by the cookie of the pages. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn,
  async identify(_ctx, session) {
    const said = bodyOf(await session.fetch("/api/session"), 200, sessionShape);
    return said.ok ? identityOf(said.value.member.name, said.value.member.number) : undefined;
  },
  operations: [coverageList, claimsList, claimSubmit],
};
