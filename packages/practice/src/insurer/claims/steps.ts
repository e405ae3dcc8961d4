import { type Exchange, formOf } from "../../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { alert } from "../../site/parts.ts";
import {
  DESCRIPTION_LENGTH_MAX,
  OWN_REFERENCE_LENGTH_MAX,
  offerOf,
  policiesOf,
  policyOf,
  submit,
  type WishProblem,
} from "../book.ts";
import type { Claim, Draft, Offer, Policy, Wish } from "../model.ts";
import { facts } from "../pages/cover.ts";
import { longDay, pounds, typedPounds } from "../pages/money.ts";
import type { InsurerRoute } from "../route.ts";
import type { InsurerWorld } from "../world.ts";
import { alone, caseOf, comesFromFrame, markSent, sayMore, start } from "./cases.ts";
import { frameNotice, framePage } from "./layout.ts";

const PROBLEMS: Readonly<Record<WishProblem, string>> = {
  invalid_request: "Please look at what you have typed once more.",
  unknown_policy: "Please choose one of your policies.",
  day_not_covered: "Your policy did not run on that day.",
  day_to_come: "That day is still to come.",
  below_excess: "The amount is not above the excess: nothing would be paid.",
  above_limit: "The amount is above what your policy covers.",
};

type Handle<R> = (world: InsurerWorld, exchange: Exchange, draft: Draft) => R;

/** Only with a case that is good; one that was sent leads to what became of it. */
function withCase<R extends Reply>(handle: Handle<R>): (world: InsurerWorld, exchange: Exchange) => R | Answer {
  return (world, exchange) => {
    const draft = caseOf(world, exchange);
    if ("kind" in draft) return draft;
    return draft.sent === undefined
      ? handle(world, exchange, draft)
      : redirect(303, `/c/${draft.caseId}/sent/${draft.sent}`);
  };
}

function step(
  world: InsurerWorld,
  draft: Draft,
  at: { readonly number: number; readonly title: string; readonly problem?: string | undefined },
  form: Html,
): Answer {
  const main = html`<h1>Make a claim</h1>
<dialog open aria-labelledby="step"><p class="steps">Claim ${draft.number}, step ${at.number} of 3</p>
<h2 id="step">${at.title}</h2>
${at.problem === undefined ? undefined : alert(at.problem)}
${form}</dialog>`;
  return framePage(world, { title: at.title, main, status: at.problem === undefined ? 200 : 422 });
}

function whatStep(world: InsurerWorld, draft: Draft, problem?: string): Answer {
  const { policy: chosen, description = "" } = draft.said;
  const options = policiesOf(world).map(
    (policy) =>
      html`<option value="${policy.id}"${policy.id === chosen ? html` selected` : undefined}>${policy.name} ${policy.number}</option>`,
  );
  const form = html`<form method="post" action="/c/${draft.caseId}/what">
<label for="policy">Policy</label><select id="policy" name="policy">${options}</select>
<label for="story">What happened</label><textarea id="story" name="description" maxlength="${DESCRIPTION_LENGTH_MAX}" required>
${description}</textarea>
<div class="row"><button class="main">Continue</button></div></form>`;
  return step(world, draft, { number: 1, title: "What happened?", problem }, form);
}

/** Browsers send each line's end as two signs. */
function takeWhat(world: InsurerWorld, exchange: Exchange, draft: Draft): Answer {
  const form = formOf(exchange);
  const policy = policyOf(world, form.get("policy") ?? "");
  const description = (form.get("description") ?? "").replaceAll("\r\n", "\n");
  if (policy === undefined) return whatStep(world, draft, PROBLEMS.unknown_policy);
  if (description.trim() === "" || description.length > DESCRIPTION_LENGTH_MAX)
    return whatStep(world, draft, PROBLEMS.invalid_request);
  sayMore(world, draft, { policy: policy.id, description });
  return redirect(303, `/c/${draft.caseId}/amount`);
}

function amountStep(world: InsurerWorld, draft: Draft, problem?: string): Answer {
  const { happenedOn, amountMinor, ownReference = "" } = draft.said;
  const policy = policyOf(world, draft.said.policy ?? "");
  if (policy === undefined) return redirect(303, `/c/${draft.caseId}/what`);
  const form = html`<form method="post" action="/c/${draft.caseId}/amount">
<label>Day it happened<input name="happened_on" type="date" value="${happenedOn ?? ""}" required></label>
<label>Amount you claim in GBP<input name="amount" inputmode="decimal" autocomplete="off" value="${
    amountMinor === undefined ? "" : pounds(amountMinor)
  }" required></label>
<p class="note">You bear the first ${pounds(policy.excessMinor)} of each claim.</p>
<label>Your own reference<input name="own_reference" maxlength="${OWN_REFERENCE_LENGTH_MAX}" autocomplete="off" value="${ownReference}"></label>
<p class="note">If you have one. It stands in your list of claims.</p>
<div class="row"><button class="main">Continue</button><a href="/c/${draft.caseId}/what">Back</a></div></form>`;
  return step(world, draft, { number: 2, title: "When, and how much?", problem }, form);
}

function takeAmount(world: InsurerWorld, exchange: Exchange, draft: Draft): Answer {
  const form = formOf(exchange);
  const amountMinor = typedPounds(form.get("amount") ?? "");
  const said = {
    happenedOn: form.get("happened_on") ?? "",
    ownReference: (form.get("own_reference") ?? "").trim(),
    ...(amountMinor === undefined ? {} : { amountMinor }),
  };
  if (amountMinor === undefined) return amountStep(world, draft, PROBLEMS.invalid_request);
  const offer = offerOf(world, wishOf({ ...draft.said, ...said }));
  if (typeof offer === "string")
    return amountStep(world, { ...draft, said: { ...draft.said, ...said } }, PROBLEMS[offer]);
  sayMore(world, draft, said);
  return redirect(303, `/c/${draft.caseId}/check`);
}

function wishOf(said: Partial<Wish>): Wish {
  return { policy: "", happenedOn: "", amountMinor: 0, description: "", ownReference: "", ...said };
}

export function claimFacts(
  wish: Pick<Wish, "description" | "happenedOn" | "amountMinor" | "ownReference"> & { readonly excessMinor: number },
  policy: Policy | undefined,
  insured: string,
  offer?: Offer,
): Html {
  return facts([
    ["Policy", policy === undefined ? "" : `${policy.name} ${policy.number}`],
    ["Insured", insured],
    ["What happened", wish.description],
    ["Day it happened", longDay(wish.happenedOn)],
    ["Amount claimed", pounds(wish.amountMinor)],
    ["Excess, which you bear", pounds(wish.excessMinor)],
    ["We expect to pay", pounds(wish.amountMinor - wish.excessMinor)],
    ...(offer === undefined ? [] : [["Paid to", offer.paidTo] as const]),
    ["Your own reference", wish.ownReference],
    ...(offer === undefined ? [] : [["You declare", offer.declaration] as const]),
  ]);
}

/** The last screen: exactly what is sent, at the excess of this moment. */
function showCheck(world: InsurerWorld, _exchange: Exchange, draft: Draft): Answer {
  const offer = offerOf(world, wishOf(draft.said));
  if (typeof offer === "string") return redirect(303, `/c/${draft.caseId}/amount`);
  const form = html`${claimFacts(offer, policyOf(world, offer.policy), world.user.name, offer)}
<form method="post" action="/c/${draft.caseId}/send" data-once>
<div class="row"><button class="main">Send my claim</button><a href="/c/${draft.caseId}/amount">Back</a></div></form>`;
  return step(world, draft, { number: 3, title: "Check and send" }, form);
}

function notTaken(world: InsurerWorld, text: string): Answer {
  return frameNotice(world, 422, "Your claim was not sent", text);
}

/** The commit. The form carries nothing: what is taken is what the last screen says at this moment. */
function send(world: InsurerWorld, exchange: Exchange, draft: Draft): Reply {
  if (!comesFromFrame(exchange)) return alone(world);
  if (world.switches.take("refuse", { commit: "claim" }))
    return notTaken(world, "We cannot take this claim online. Please call us.");
  const offer = offerOf(world, wishOf(draft.said));
  if (typeof offer === "string") return notTaken(world, PROBLEMS[offer]);
  const claim = submit(world, offer);
  markSent(world, draft, claim.number);
  world.state.counters.claims += 1;
  const answer = redirect(303, `/c/${draft.caseId}/sent/${claim.number}`);
  return { kind: "committed", commit: "claim", answer, landing: () => sentPage(world, claim) };
}

function sentPage(world: InsurerWorld, claim: Claim): Answer {
  const title = "Your claim is with us";
  const main = html`<h1>${title}</h1>
<p>Claim number <strong>${claim.number}</strong></p>
${claimFacts(claim, policyOf(world, claim.policy), world.user.name)}
<p class="row"><a class="act" href="${world.places.portal}/claims" target="_top">Your claims</a></p>`;
  return framePage(world, { title, main });
}

function showSent(world: InsurerWorld, exchange: Exchange): Answer {
  const draft = caseOf(world, exchange);
  if ("kind" in draft) return draft;
  const claim = world.state.claims.find(({ number }) => number === draft.sent);
  return claim === undefined || claim.number !== exchange.params["number"]
    ? frameNotice(world, 404, "There is no such claim", "Nothing was sent.")
    : sentPage(world, claim);
}

/** The case's address is what lets somebody on: there is no cookie, and so nobody else's page can send in its name. */
const anyone = { access: "anyone" } as const;

export const stepRoutes: readonly InsurerRoute[] = [
  { method: "GET", path: "/start", ...anyone, handle: start },
  { method: "GET", path: "/c/:case/what", ...anyone, handle: withCase((world, _, draft) => whatStep(world, draft)) },
  { method: "POST", path: "/c/:case/what", ...anyone, handle: withCase(takeWhat) },
  {
    method: "GET",
    path: "/c/:case/amount",
    ...anyone,
    handle: withCase((world, _, draft) => amountStep(world, draft)),
  },
  { method: "POST", path: "/c/:case/amount", ...anyone, handle: withCase(takeAmount) },
  { method: "GET", path: "/c/:case/check", ...anyone, handle: withCase(showCheck) },
  { method: "POST", path: "/c/:case/send", ...anyone, commit: "claim", handle: withCase(send) },
  { method: "GET", path: "/c/:case/sent/:number", ...anyone, readBack: "read_back", handle: showSent },
];
