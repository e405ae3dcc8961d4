import { type AnySiteEntry, type ReadAdapter, type Site, SiteTrouble } from "@countersign/plugin";
import type { HttpSession, HttpSite } from "@countersign/route-http";
import { type JsonObject, secret } from "@countersign/wire";
import { z } from "zod";
import { listLoans } from "./operation.ts";
import type { DueText } from "./points.ts";

const loan = z.object({ title: z.string(), due: z.string() });
const answers = { loans: z.object({ loans: z.array(loan) }), patron: z.object({ name: z.string() }) };

/** A library by its own API: the person signs in with the number of their card, and the loans can be read. */
export function library(dueText: () => DueText): Site {
  const loans: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
    effect: "read",
    operation: listLoans.id,
    async read(_ctx, session, params) {
      const answer = await session.fetch("/loans");
      if (answer.kind !== "answer") return { kind: "sign_in" };
      const read = answers.loans.safeParse(answer.json);
      if (!read.success) throw new SiteTrouble("the library answers something else than loans");
      const text = dueText();
      const rows = read.data.loans.slice(0, Number(params["limit"]));
      return { kind: "done", result: { loans: rows.map(({ title, due }) => ({ title, due: text(due) })) } };
    },
  };
  const entry: HttpSite = {
    route: "http",
    signIn: {
      fields: [{ name: "card", label: "Number of your library card", kind: "text" }],
      submit: async (_ctx, _http, values) => ({
        kind: "signed_in",
        material: { token: secret(`card-${values.get("card")?.reveal() ?? ""}`) },
      }),
    },
    async identify(_ctx, session) {
      const answer = await session.fetch("/patron");
      const patron = answer.kind === "answer" ? answers.patron.safeParse(answer.json) : undefined;
      return patron?.success ? { name: patron.data.name, details: [] } : undefined;
    },
    operations: [loans],
  };
  // The registry keeps entries of every route; what a session is, only its own route knows.
  return { id: "library", title: "A library", version: "library/1", entries: [entry as unknown as AnySiteEntry] };
}
