import { err, ok, type Result } from "@countersign/wire";
import {
  type BaseProblem,
  type Component,
  DERIVED,
  type IdentifiedComponent,
  type SignatureMessage,
  signatureBase,
} from "./base.ts";
import type { Candidate } from "./candidate.ts";
import { type BareItem, base64, itemText, parametersText } from "./structured.ts";

/** Written in the order they stand in. */
export type SignatureParameters = Readonly<Record<string, string | number>>;

export interface BaseSigner {
  /** As it is written in `alg`. */
  readonly algorithm: string;
  sign(base: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

export interface BaseVerifier {
  readonly algorithm: string;
  verify(base: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}

export interface SignatureHeaders {
  readonly signatureInput: string;
  readonly signature: string;
}

const KEY = /^[a-z*][a-z0-9_.*-]*$/;
const NAME = /^@?[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** What a String of a structured field can hold. */
const STRING = /^[\x20-\x7e]*$/;
const INTEGER_MAX = 999_999_999_999_999;

/** Signs `components` under `label`; nothing is checked against any profile. */
export async function signMessage(
  message: SignatureMessage,
  what: {
    readonly label: string;
    readonly components: readonly Component[];
    readonly parameters: SignatureParameters;
    readonly signer: BaseSigner;
  },
): Promise<Result<SignatureHeaders, BaseProblem>> {
  const { label, signer } = what;
  const { alg } = what.parameters;
  // A signer that says one algorithm and uses another is refused by whoever verifies.
  if (!KEY.test(label) || (alg !== undefined && alg !== signer.algorithm)) return err("malformed");
  const components = identified(what.components);
  if (!components.ok) return components;
  const written = writtenParameters(what.parameters);
  if (written === undefined) return err("malformed");
  const parameters = innerListText(components.value, written);
  const base = signatureBase(message, components.value, parameters);
  if (!base.ok) return base;
  const signature = await signer.sign(base.value);
  return ok({ signatureInput: `${label}=${parameters}`, signature: `${label}=:${base64(signature)}:` });
}

/** What {@link verifyMessage} adds to the problems of a base, and what a resolver may answer instead of a verifier. */
export type VerifyProblem<R> = BaseProblem | "algorithm_mismatch" | "bad_signature" | { readonly resolver: R };

/**
 * Builds the base of a candidate and verifies its signature. `resolve` is called once, after the base stands, and is the
 * only thing that may take time; what it refuses comes back as `resolver`. Time, coverage and whose key it is are the
 * caller's to judge.
 */
export async function verifyMessage<V extends BaseVerifier, R>(
  message: SignatureMessage,
  what: {
    readonly candidate: Candidate;
    /** None where the label has none, and then nothing verifies. */
    readonly signature: Uint8Array | undefined;
    /** The names that `alg` and the verifier may have, as they are written. */
    readonly algorithms: readonly string[];
    readonly resolve: () => Promise<Result<V, R>>;
  },
): Promise<Result<V, VerifyProblem<R>>> {
  const { candidate, signature, algorithms } = what;
  const claimed = candidate.algorithm;
  const base = signatureBase(message, candidate.components, candidate.parameters);
  if (!base.ok) return base;
  if (claimed !== undefined && !algorithms.includes(claimed)) return err("unsupported");
  const resolved = await what.resolve();
  if (!resolved.ok) return err({ resolver: resolved.reason });
  const verifier = resolved.value;
  if (!algorithms.includes(verifier.algorithm)) return err("unsupported");
  if (claimed !== undefined && claimed !== verifier.algorithm) return err("algorithm_mismatch");
  const holds = signature !== undefined && (await verified(verifier, base.value, signature));
  return holds ? resolved : err("bad_signature");
}

/** The inner list of RFC 9421 section 2.3, as it is written in the base and, after its label, in the header. */
export function innerListText(
  components: readonly IdentifiedComponent[],
  parameters: Iterable<readonly [string, BareItem]>,
): string {
  return `(${components.map(({ identifier }) => identifier).join(" ")})${parametersText(parameters)}`;
}

async function verified(verifier: BaseVerifier, base: Uint8Array, signature: Uint8Array): Promise<boolean> {
  try {
    return (await verifier.verify(base, signature)) === true;
  } catch {
    // A platform refuses some signatures by throwing; refused is not verified.
    return false;
  }
}

function identified(components: readonly Component[]): Result<readonly IdentifiedComponent[], BaseProblem> {
  const all = new Map<string, IdentifiedComponent>();
  for (const component of components) {
    const one = identifiedOne(component);
    if (one === undefined) return err("bad_component");
    if (all.has(one.identifier)) return err("duplicate_component");
    all.set(one.identifier, one);
  }
  return ok([...all.values()]);
}

function identifiedOne({ name, key, of }: Component): IdentifiedComponent | undefined {
  const plain = key === undefined && of === undefined ? DERIVED.get(name) : undefined;
  if (plain !== undefined) return plain;
  if (!NAME.test(name) || (key !== undefined && !STRING.test(key))) return undefined;
  const member = key === undefined ? "" : `;key=${itemText(key)}`;
  const identifier = `"${name}"${of === "request" ? ";req" : ""}${member}`;
  return { name, identifier, ...(key === undefined ? {} : { key }), ...(of === undefined ? {} : { of }) };
}

/** Undefined where one cannot be written: a name that is none, text beyond ASCII, a number that is no whole one. */
function writtenParameters(
  parameters: SignatureParameters,
): readonly (readonly [string, string | number])[] | undefined {
  const written = Object.entries(parameters);
  const writable = ([name, value]: readonly [string, string | number]) =>
    KEY.test(name) &&
    (typeof value === "number" ? Number.isInteger(value) && Math.abs(value) <= INTEGER_MAX : STRING.test(value));
  return written.every(writable) ? written : undefined;
}
