import { err, ok, type Result } from "@countersign/wire";
import { COMPONENTS_MAX, NONCE_MAX_CHARS } from "../limits.ts";
import { isAlgorithm } from "./algorithm.ts";
import { DERIVED, type IdentifiedComponent } from "./base.ts";
import { areBuilt, type ParsedComponent, type ParsedInput } from "./fields.ts";
import { innerListText } from "./rfc9421.ts";
import { itemText, parametersText } from "./structured.ts";

/** One signature whose form and parameters are right; nothing about it is true yet. */
export interface Candidate {
  readonly label: string;
  readonly components: readonly IdentifiedComponent[];
  /** The whole inner list, serialised: the last line of the base. */
  readonly parameters: string;
  readonly createdS: number;
  readonly expiresS: number;
  readonly keyId: string;
  readonly tag: string;
  readonly nonce?: string;
  readonly algorithm?: string;
}

export type CandidateProblem = "bad_component" | "duplicate_component" | "too_large" | "missing_fields" | "unsupported";

/** Of RFC 9421, and not built here: no conclusion, rather than a wrong base. */
const NOT_BUILT: ReadonlySet<string> = new Set(["@query-param", "@request-target"]);
const PARAMETERS_NOT_BUILT: ReadonlySet<string> = new Set(["sf", "bs", "tr"]);
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const SECONDS_MAX = 253_402_300_799;

/** `role`: what the signature stands on; in a response, components of its request carry `req`. */
export function readCandidate(
  label: string,
  input: ParsedInput,
  role: "request" | "response" = "request",
): Result<Candidate, CandidateProblem> {
  if (input.components.length > COMPONENTS_MAX) return err("too_large");
  const components: IdentifiedComponent[] = [];
  const identities = new Set<string>();
  let unsupported = false;
  for (const one of input.components) {
    const read = readComponent(one, role);
    if (!read.ok && read.reason === "bad_component") return read;
    const identity = identityOf(one);
    if (identities.has(identity)) return err("duplicate_component");
    identities.add(identity);
    if (read.ok) components.push(read.value);
    else unsupported = true;
  }
  const parameters = readParameters(input);
  if (!parameters.ok) return parameters;
  if (unsupported || !areBuilt(input.parameters.values())) return err("unsupported");
  return ok({ label, components, parameters: innerListText(components, input.parameters), ...parameters.value });
}

/** Order of parameters does not make another component of it. */
function identityOf({ name, parameters }: ParsedComponent): string {
  if (parameters.size === 0) return name;
  return `${name}${[...parameters].map((one) => parametersText([one])).sort()}`;
}

function readComponent(
  { name, parameters }: ParsedComponent,
  role: "request" | "response",
): Result<IdentifiedComponent, "bad_component" | "unsupported"> {
  const plain = parameters.size === 0 ? DERIVED.get(name) : undefined;
  if (plain !== undefined) return ok(plain);
  if (name.startsWith("@")) {
    if (NOT_BUILT.has(name)) return err("unsupported");
    const known = DERIVED.has(name) || (role === "response" && name === "@status");
    if (!known) return err("bad_component");
  } else if (!FIELD_NAME.test(name)) return err("bad_component");
  const identifier = `${itemText(name)}${parametersText(parameters)}`;
  let component: IdentifiedComponent = { name, identifier };
  for (const [parameter, value] of parameters) {
    if (PARAMETERS_NOT_BUILT.has(parameter)) return err("unsupported");
    if (parameter === "key" && typeof value === "string" && !name.startsWith("@"))
      component = { ...component, key: value };
    else if (parameter === "req" && value === true && role === "response") component = { ...component, of: "request" };
    else return err("bad_component");
  }
  return ok(component);
}

type Parameters = Pick<Candidate, "createdS" | "expiresS" | "keyId" | "tag" | "nonce" | "algorithm">;

function readParameters({ parameters }: ParsedInput): Result<Parameters, "missing_fields"> {
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  const keyId = parameters.get("keyid");
  const tag = parameters.get("tag");
  const nonce = parameters.get("nonce");
  const algorithm = parameters.get("alg");
  if (!isSeconds(created) || !isSeconds(expires)) return err("missing_fields");
  if (typeof keyId !== "string" || typeof tag !== "string") return err("missing_fields");
  if (!isOptionalText(nonce) || !isOptionalText(algorithm)) return err("missing_fields");
  if (nonce !== undefined && (nonce === "" || nonce.length > NONCE_MAX_CHARS)) return err("missing_fields");
  return ok({
    createdS: created,
    expiresS: expires,
    keyId,
    tag,
    ...(nonce === undefined ? {} : { nonce }),
    ...(algorithm === undefined ? {} : { algorithm }),
  });
}

export type TimeProblem = "clock_ahead" | "expired" | "window";

/** `now == expires` is in time; the window is not widened by the skew. */
export function judgeTime(
  { createdS, expiresS }: Pick<Candidate, "createdS" | "expiresS">,
  { nowS, skewS, windowMaxS }: { readonly nowS: number; readonly skewS: number; readonly windowMaxS: number },
): Result<true, TimeProblem> {
  if (expiresS <= createdS || expiresS - createdS > windowMaxS) return err("window");
  if (createdS > nowS + skewS) return err("clock_ahead");
  return nowS > expiresS + skewS ? err("expired") : ok(true);
}

/** `alg`, where it is given, by itself; that it fits the key is judged with the key. */
export function judgeAlgorithm(
  name: string | undefined,
): Result<true, "forbidden_algorithm" | "unsupported_algorithm"> {
  if (name === undefined || isAlgorithm(name)) return ok(true);
  // A shared secret proves nothing about who signed (the draft: MUST NOT).
  return err(/^hmac-/i.test(name) ? "forbidden_algorithm" : "unsupported_algorithm");
}

function isSeconds(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= SECONDS_MAX;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
