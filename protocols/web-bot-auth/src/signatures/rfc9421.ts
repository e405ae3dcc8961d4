import { err, ok, type Result } from "@countersign/wire";
import {
  component,
  createSignature,
  isSignatureError,
  type MessageDescriptor,
  type RequestDescriptor,
  type SignatureComponent,
  type SignatureError,
  verifySignature,
} from "http-message-sig";
import { COVERED_VALUE_MAX_CHARS } from "../limits.ts";
import { type FieldLine, fieldOf, type HttpRequest, type HttpResponse, targetUriOf } from "./message.ts";

// The one file that knows the library under it. What is asked of it: to build the signature base by RFC 9421 and to hand
// over the bytes. Which components, parameters, keys and times are right is decided by the callers, before and after.

/** A covered component: a lower-case name, or a name with `key` (a dictionary's member) or `req` (of the request). */
export interface Component {
  readonly name: string;
  readonly key?: string;
  readonly of?: "request";
}

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

export type SignatureMessage = HttpRequest | HttpResponse;

export interface SignatureHeaders {
  readonly signatureInput: string;
  readonly signature: string;
}

/** `missing_component`: a covered field or member is not there. `bad_component`: it is, and cannot be signed. */
export type BaseProblem = "missing_component" | "bad_component" | "duplicate_component" | "unsupported" | "malformed";

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
  const described = describe(message, fieldNames(what.components));
  if (!described.ok) return described;
  try {
    return ok(
      await createSignature(described.value, {
        label: what.label,
        components: what.components.map(asComponent),
        parameters: what.parameters,
        signer: { algorithm: what.signer.algorithm, sign: (base) => what.signer.sign(base) },
      }),
    );
  } catch (error) {
    return err(baseProblem(error));
  }
}

/** What {@link verifyMessage} adds to the problems of a base, and what a resolver may answer instead of a verifier. */
export type VerifyProblem<R> = BaseProblem | "algorithm_mismatch" | "bad_signature" | { readonly resolver: R };

/**
 * Builds the base of the signature `label` and verifies it. `resolve` is called once, after the base stands, and is the
 * only thing that may take time; what it refuses comes back as `resolver`.
 */
export async function verifyMessage<V extends BaseVerifier, R>(
  message: SignatureMessage,
  what: {
    readonly label: string;
    readonly components: readonly Component[];
    readonly fields: SignatureHeaders;
    /** The names that `alg` and the verifier may have, as they are written. */
    readonly algorithms: readonly string[];
    readonly time: { readonly nowS: number; readonly skewS: number };
    readonly resolve: () => Promise<Result<V, R>>;
  },
): Promise<Result<V, VerifyProblem<R>>> {
  const described = describe(message, fieldNames(what.components), [
    ["signature-input", what.fields.signatureInput],
    ["signature", what.fields.signature],
  ]);
  if (!described.ok) return described;
  let refused: { readonly resolver: R } | undefined;
  let resolved: V | undefined;
  try {
    await verifySignature(described.value, {
      label: what.label,
      policy: {
        algorithms: what.algorithms,
        requiredComponents: [],
        requiredParameters: [],
        // The library has a clock of its own unless it is given ours.
        now: what.time.nowS,
        clockSkew: what.time.skewS,
      },
      async resolveVerifier() {
        const answer = await what.resolve();
        if (!answer.ok) {
          refused = { resolver: answer.reason };
          throw new Refused();
        }
        const verifier = answer.value;
        resolved = verifier;
        return { algorithm: verifier.algorithm, verify: (base, signature) => verified(verifier, base, signature) };
      },
    });
  } catch (error) {
    if (refused !== undefined) return err(refused);
    if (!isSignatureError(error)) throw error;
    if (error.code === "VerificationFailed") return err("bad_signature");
    if (error.code === "AlgorithmMismatch") return err("algorithm_mismatch");
    // Ours to answer, not the library's policy: a resolver that threw is our bug, and no verdict.
    if (error.code === "ResolverFailed") throw error.cause;
    return err(baseProblem(error));
  }
  return resolved === undefined ? err("bad_signature") : ok(resolved);
}

class Refused extends Error {}

async function verified(verifier: BaseVerifier, base: Uint8Array, signature: Uint8Array): Promise<boolean> {
  try {
    return (await verifier.verify(base, signature)) === true;
  } catch {
    // A platform refuses some signatures by throwing; refused is not verified.
    return false;
  }
}

function asComponent({ name, key, of }: Component): SignatureComponent {
  return component(name, { ...(of === undefined ? {} : { req: true }), ...(key === undefined ? {} : { key }) });
}

function fieldNames(components: readonly Component[]): ReadonlySet<string> {
  return new Set(components.map(({ name }) => name).filter((name) => !name.startsWith("@")));
}

/** Only what is covered is handed over: a header that nobody signed cannot make the base fail. */
function describe(
  message: SignatureMessage,
  names: ReadonlySet<string>,
  more: readonly FieldLine[] = [],
): Result<MessageDescriptor, "bad_component"> {
  if ("request" in message) {
    const fields = linesOf(message.headers, names, more);
    const request = requestOf(message.request, names, []);
    if (fields === undefined || request === undefined) return err("bad_component");
    return ok({ kind: "response", status: message.status, fields, request });
  }
  const request = requestOf(message, names, more);
  return request === undefined ? err("bad_component") : ok(request);
}

function requestOf(
  request: HttpRequest,
  names: ReadonlySet<string>,
  more: readonly FieldLine[],
): RequestDescriptor | undefined {
  const fields = linesOf(request.headers, names, more);
  if (fields === undefined) return undefined;
  return { kind: "request", method: request.method, targetUri: targetUriOf(request.url), fields };
}

function linesOf(
  headers: Iterable<FieldLine>,
  names: ReadonlySet<string>,
  more: readonly FieldLine[],
): readonly { readonly name: string; readonly value: string }[] | undefined {
  const lines: { readonly name: string; readonly value: string }[] = [];
  const list = [...headers];
  for (const name of names) {
    // The signature fields of the message are those that were parsed; a signature over a signature is another label's.
    if (more.some(([own]) => own === name)) continue;
    const value = fieldOf(list, name);
    if (value === undefined) continue;
    if (value.length > COVERED_VALUE_MAX_CHARS) return undefined;
    lines.push({ name, value });
  }
  for (const [name, value] of more) lines.push({ name, value });
  return lines;
}

const PROBLEMS: ReadonlyMap<SignatureError["code"], BaseProblem> = new Map([
  ["MissingField", "missing_component"],
  ["InvalidComponent", "bad_component"],
  ["DuplicateComponent", "duplicate_component"],
  ["UnsupportedFeature", "unsupported"],
  ["MalformedField", "bad_component"],
  ["PolicyViolation", "unsupported"],
]);

function baseProblem(error: unknown): BaseProblem {
  if (!isSignatureError(error)) throw error;
  return PROBLEMS.get(error.code) ?? "malformed";
}
