import { err, ok, type Result } from "@countersign/wire";
import { COVERED_VALUE_MAX_CHARS } from "../limits.ts";
import { areBuilt, PRINTABLE } from "./fields.ts";
import { fieldOf, type HttpRequest, type HttpResponse } from "./message.ts";
import { asciiBytes, isInnerList, type Member, memberText } from "./structured.ts";
import { parseDictionary } from "./structured-reader.ts";
import { readTarget } from "./target.ts";

// The signature base of RFC 9421 section 2.5. Our own, so that what was parsed is not parsed again and no header is read
// that nobody covers; in the tests an independent library builds the same bases, byte for byte.

/** A covered component: a lower-case name, or a name with `key` (a dictionary's member) or `req` (of the request). */
export interface Component {
  readonly name: string;
  readonly key?: string;
  readonly of?: "request";
}

export interface IdentifiedComponent extends Component {
  /** As it stands in the base: the name in quotes, and its parameters in the order they were sent. */
  readonly identifier: string;
}

/** The derived components of a request that are built here; without parameters, as nearly every signature covers them. */
export const DERIVED: ReadonlyMap<string, IdentifiedComponent> = new Map(
  ["@method", "@target-uri", "@authority", "@scheme", "@path", "@query"].map((name) => [
    name,
    { name, identifier: `"${name}"` },
  ]),
);

/** `missing_component`: a covered field or member is not there. `bad_component`: it is, and cannot be signed. */
export type BaseProblem = "missing_component" | "bad_component" | "duplicate_component" | "unsupported" | "malformed";

export type SignatureMessage = HttpRequest | HttpResponse;

const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const STATUS_MIN = 100;
const STATUS_MAX = 999;

/** `parameters`: the inner list as it is serialised, without its label. */
export function signatureBase(
  message: SignatureMessage,
  components: readonly IdentifiedComponent[],
  parameters: string,
): Result<Uint8Array, BaseProblem> {
  const own = "request" in message ? responseValues(message) : requestValues(message);
  if (own === undefined) return err("bad_component");
  let text = "";
  for (const component of components) {
    const from = component.of === "request" ? own.request : own;
    const value = from === undefined ? err("bad_component" as const) : componentValue(from, component);
    if (!value.ok) return value;
    text += `${component.identifier}: ${value.value}\n`;
  }
  return ok(asciiBytes(`${text}"@signature-params": ${parameters}`));
}

/** What a base takes out of a message. */
interface Values {
  field(name: string): string | undefined;
  derived(name: string): string | undefined;
  /** Of a response, its request's. */
  readonly request?: Values;
}

function requestValues(message: HttpRequest): Values | undefined {
  const { method } = message;
  const target = readTarget(message.url);
  if (target === undefined || !METHOD.test(method)) return undefined;
  return {
    field: (name) => fieldOf(message.headers, name),
    derived(name) {
      switch (name) {
        case "@method":
          return method;
        case "@target-uri":
          return target.uri;
        case "@authority":
          return target.url.host;
        case "@scheme":
          return target.url.protocol.slice(0, -1);
        case "@path":
          return target.path;
        case "@query":
          return target.query;
        default:
          return undefined;
      }
    },
  };
}

function responseValues(message: HttpResponse): Values | undefined {
  const { status } = message;
  const request = requestValues(message.request);
  if (request === undefined || !Number.isInteger(status) || status < STATUS_MIN || status > STATUS_MAX)
    return undefined;
  return {
    field: (name) => fieldOf(message.headers, name),
    derived: (name) => (name === "@status" ? String(status) : undefined),
    request,
  };
}

function componentValue(values: Values, { name, key }: Component): Result<string, BaseProblem> {
  if (name.startsWith("@")) {
    const derived = values.derived(name);
    return derived === undefined || key !== undefined ? err("bad_component") : ok(derived);
  }
  const field = values.field(name);
  // Never an empty value: a field that is not there is not a field that is empty.
  if (field === undefined) return err("missing_component");
  // A line feed in a value would make a line of the base out of it.
  if (field.length > COVERED_VALUE_MAX_CHARS || !PRINTABLE.test(field)) return err("bad_component");
  return key === undefined ? ok(field) : memberOf(field, key);
}

/** The member of a dictionary field, serialised anew: a String keeps its quotes, and its parameters are part of it. */
function memberOf(field: string, key: string): Result<string, BaseProblem> {
  const members = parseDictionary(field);
  if (typeof members === "string") return err("bad_component");
  const member = members.get(key);
  if (member === undefined) return err("missing_component");
  return isBuiltMember(member) ? ok(memberText(member)) : err("unsupported");
}

function isBuiltMember(member: Member): boolean {
  const items = isInnerList(member) ? member.items : [member];
  return (
    items.every(({ value, parameters }) => areBuilt([value, ...parameters.values()])) &&
    areBuilt(member.parameters.values())
  );
}
