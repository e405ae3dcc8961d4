import type { Answer } from "@countersign/plugin";
import type { OperationCheck } from "../contract.ts";
import { SIGN_IN_PAGE } from "../stage/egress.ts";
import type { Play } from "../stage/play.ts";
import type { Baseline } from "./undisturbed.ts";

/** U08: none of these says by itself that the site refused, and none that it did it. */
const STATUSES = [400, 401, 402, 403, 404, 408, 409, 410, 422, 425, 429, 500, 502, 503, 504];
const HTML = [["content-type", "text/html"]] as const;

interface Given {
  readonly what: string;
  readonly answer: Answer;
}

/** Every answer that is not the site's own confirmation, put to `recognise` (STA-4). */
export function wrongAnswers(play: Play, { answer: real, frozen, effect }: Baseline): void {
  const { findings } = play.stage;
  const first = play.recognise(real, frozen.record, "the site's own confirmation");
  const second = play.recognise(real, frozen.record, "the site's own confirmation");
  if (JSON.stringify(first) !== JSON.stringify(second))
    findings.broke("evidence", play.id, "the same answer twice", "recognise is not pure: it answers differently");
  for (const { what, answer } of substitutes(real)) {
    const recognised = play.recognise(answer, frozen.record, what);
    const isWhole = what === HALF && recognised.kind === "confirmed" && recognised.confirmation === effect.ref;
    if (recognised.kind === "confirmed" && !(isWhole && !isJson(real)))
      findings.broke("evidence", play.id, what, "it takes this for a confirmation");
    if (recognised.kind === "refused")
      findings.broke("evidence", play.id, what, "it takes this for a refusal; the site may have done it");
  }
}

const HALF = "half of the site's confirmation";

function substitutes(real: Answer): readonly Given[] {
  const page = (status: number, text: string): Answer => ({ status, headers: HTML, body: bytes(text) });
  const given: Given[] = [
    ...STATUSES.map((status) => ({
      what: `an error page with status ${status}`,
      answer: page(status, `<!doctype html><title>Error</title><h1>${status}</h1>`),
    })),
    { what: "a sign-in page with status 200", answer: page(200, SIGN_IN_PAGE) },
    { what: "a sign-in page with the confirmation's status", answer: page(real.status, SIGN_IN_PAGE) },
    {
      what: "a redirect to the sign-in page",
      answer: { status: 302, headers: [["location", "/login?next=%2Fdone"]], body: bytes("") },
    },
    { what: HALF, answer: { ...real, body: real.body.slice(0, Math.floor(real.body.length / 2)) } },
    { what: "the site's confirmation with status 500", answer: { ...real, status: 500 } },
  ];
  if (real.body.length > 0) {
    given.push({ what: "an empty answer with the confirmation's status", answer: { ...real, body: bytes("") } });
    given.push({ what: "an empty object with the confirmation's status", answer: { ...real, body: bytes("{}") } });
  }
  return given;
}

/** The site's confirmation of another act confirms nothing of this one. */
export async function anothersConfirmation(play: Play, wish: OperationCheck, { frozen }: Baseline): Promise<void> {
  const { stage, id } = play;
  if (wish.other === undefined) return void stage.findings.skipped(id, "other_wish", "the check names no other wish");
  await stage.fresh();
  const during = "the confirmation of another act";
  const other = await play.frozen(wish.other, during);
  const crossed = other === undefined ? undefined : await play.cross(other, during);
  if (crossed === undefined || crossed.answer === "lost") return;
  if (play.recognise(crossed.answer, frozen.record, during).kind === "confirmed")
    stage.findings.broke("right_record", id, during, "it takes it for the confirmation of this one");
}

function isJson(answer: Answer): boolean {
  try {
    JSON.parse(new TextDecoder().decode(answer.body));
    return true;
  } catch {
    return false;
  }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
