import { isJsonObject, type JsonObject } from "@countersign/wire";
import { SuiteTrouble } from "../check.ts";
import { PRACTICE_PERSON } from "../shop/practice.ts";
import type { AgentAccess } from "../transport/transport.ts";
import { until } from "../wait.ts";
import { refreshingAccess } from "./access.ts";
import type { Cast, DriverSettings, Holder, HolderDriver, PendingApproval } from "./holder.ts";
import type { Operator } from "./operator.ts";
import { openPage, type Page, type PageAnswer } from "./page.ts";

const DESTINATION = "practice-shop";
const ROUTE = "http";
const SURFACE_VERSION = "conformance";
const HOLDERS = ["Conformance A", "Conformance B"] as const;
const AGENTS = ["one", "two"] as const;

/** The driver of Countersign's own gateway: two new holders, each in a tenant of their own, with two agents each. */
export function countersignDriver(operator: Operator): HolderDriver {
  return {
    async open(settings) {
      const [first, second] = [
        await bringIn(operator, settings, HOLDERS[0]),
        await bringIn(operator, settings, HOLDERS[1]),
      ];
      return { holders: [first.holder, second.holder], pin: first.pin, async close() {} } satisfies Cast;
    },
  };
}

async function bringIn(operator: Operator, settings: DriverSettings, name: string) {
  const { personId } = await operator.addHolder(name);
  const page = await openPage(settings, await operator.link(personId));
  const session = await page.get("/session");
  const admit = async (agent: string): Promise<AgentAccess> => {
    const { clientId } = await operator.addAgent(personId, `${name} agent ${agent}`);
    done(await page.post(`/agents/${clientId}/decision`, { decision: "accept" }), "the holder lets the agent in");
    return refreshingAccess(`${name}, agent ${agent}`, await operator.credential(clientId));
  };
  const agents = [await admit(AGENTS[0]), await admit(AGENTS[1])] as const;
  const elsewhere = async () => {
    const other = await openPage(settings, await operator.link(personId));
    return holderOf({ settings, name, page: other, agents });
  };
  const { pin } = session.body;
  return {
    holder: { ...holderOf({ settings, name, page, agents }), elsewhere },
    pin: typeof pin === "string" ? pin : undefined,
  };
}

interface Parts {
  readonly settings: DriverSettings;
  readonly name: string;
  readonly page: Page;
  readonly agents: Holder["agents"];
}

function holderOf({ settings, name, page, agents }: Parts): Holder {
  /** What the page of each record showed: a decision is on the digest that was seen, whatever came since. */
  const seen = new Map<string, JsonObject>();
  const signIn = async (ref: string): Promise<void> => {
    const begun = await page.post(`/continuations/${ref}/begin`);
    if (begun.status !== 200 || begun.body["mode"] !== "form")
      throw new SuiteTrouble(`the sign-in does not begin with a form: ${begun.status}`);
    const more = await page.post(`/continuations/${ref}/form`, { values: { ...PRACTICE_PERSON } });
    if (more.body["kind"] !== "more") throw new SuiteTrouble("the shop asks for no second factor");
    const code = await settings.shop.currentCode();
    const last = await page.post(`/continuations/${ref}/form`, { values: { code } });
    if (last.body["kind"] !== "done") throw new SuiteTrouble("the shop does not take the code");
  };
  return {
    name,
    agents,
    signIn,
    async connectAccount() {
      const begun = done(
        await page.post("/connections", { destination: DESTINATION, route: ROUTE }),
        "a connection begins",
      );
      await signIn(String(begun["continuation_ref"]));
      return String(begun["account_ref"]);
    },
    async grant(consentRef, accountRef) {
      const { asked } = done(await page.get(`/consents/${consentRef}`), "the page of the grant request");
      const scope = asked !== undefined && isJsonObject(asked) ? asked : {};
      const body = { decision: "grant", account_ref: accountRef, ...scope };
      done(await page.post(`/consents/${consentRef}/decision`, body), "the holder grants");
    },
    async revoke(consentRef) {
      const body = done(await page.post(`/consents/${consentRef}/revoke`), "the holder revokes");
      if (body["state"] !== "revoked") throw new SuiteTrouble("the grant is not revoked after the holder revoked it");
    },
    async approvalFor(taskId, limitMs) {
      const look = async () => {
        const inbox = await page.get("/inbox");
        for (const href of waitingApprovals(inbox)) {
          const view = await page.get(href);
          if (view.body["task_id"] === taskId && view.body["status"] === "pending") return view.body;
        }
        return undefined;
      };
      const { last: view } = await until(look, (found) => found !== undefined, limitMs);
      if (view === undefined) return undefined;
      const ref = String(view["action_id"]);
      seen.set(ref, view);
      const { action } = view;
      const terms = action !== undefined && isJsonObject(action) ? action["terms"] : undefined;
      return {
        ref,
        taskId,
        terms: terms !== undefined && isJsonObject(terms) ? terms : {},
        changed: view["changed_from"] === undefined ? "first_asked" : "asked_again",
      };
    },
    async decide(approval, decision) {
      const body = decisionOn(seen.get(approval.ref) ?? {}, decision);
      const answer = await page.post(`/approvals/${approval.ref}/decision`, body);
      if (answer.status >= 500) throw new SuiteTrouble(`the decision was answered ${answer.status}`);
      return answer.status === 200 ? "taken" : "refused";
    },
    async beginSignIn(ref) {
      const begun = await page.post(`/continuations/${ref}/begin`);
      return begun.status === 200 ? "begun" : "refused";
    },
    async bundle(taskId) {
      const answer = await page.get(`/tasks/${taskId}/bundle`);
      return answer.status === 200 ? answer.text : undefined;
    },
    doors(approval: PendingApproval, consentRef: string) {
      const decision = decisionOn(seen.get(approval.ref) ?? {}, "approved");
      const credentials = { cookie: page.cookie };
      return [
        { what: "the approval's decision", ...page.door(`/approvals/${approval.ref}/decision`, decision), credentials },
        {
          what: "the grant's decision",
          ...page.door(`/consents/${consentRef}/decision`, { decision: "refuse" }),
          credentials,
        },
      ];
    },
    secrets: () => [page.cookie.slice(page.cookie.indexOf("=") + 1)],
  };
}

function decisionOn(view: JsonObject, decision: "approved" | "denied"): JsonObject {
  const { action } = view;
  const hidden = action !== undefined && isJsonObject(action) ? action["private"] : undefined;
  const display = hidden !== undefined && isJsonObject(hidden) ? hidden["display_text"] : undefined;
  return {
    decision,
    action_digest: view["action_digest"] ?? "",
    surface: { version: SURFACE_VERSION, display_digest: display ?? "" },
  };
}

function waitingApprovals(inbox: PageAnswer): readonly string[] {
  const { items } = inbox.body;
  if (!Array.isArray(items)) throw new SuiteTrouble(`the inbox was answered ${inbox.status}`);
  return items.flatMap((item) =>
    isJsonObject(item) && item["kind"] === "approval" && typeof item["href"] === "string" ? [item["href"]] : [],
  );
}

function done(answer: PageAnswer, what: string): JsonObject {
  if (answer.status !== 200) throw new SuiteTrouble(`${what}: the gateway answered ${answer.status}`);
  return answer.body;
}
