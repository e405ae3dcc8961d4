import { err, isLoopbackHost, type JsonObject, ok, parseHttpUrl, type Result } from "@countersign/wire";
import { z } from "zod";
import { credentialPaths } from "./credential-names.ts";
import { extensionKey, isExtensionUri, isReservedExtension, OWN_EXTENSION_PREFIXES } from "./extension-uri.ts";

// An application says, before anything of it runs, which protocols it uses and with whom. It holds references: names,
// addresses, domains. It never holds a secret; where one could hide, the file is refused and the path named, never the
// value. What it publishes on an agent card goes out exactly as written (plugins.md section 3).

const NAMES_MAX = 100;
const EXTENSIONS_MAX = 32;
const TEXT_MAX = 300;
const DEPTH_MAX = 20;
const name = z
  .string()
  .max(80)
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._&'-]*$/u, "a name of letters, digits, spaces and . _ & ' -");

/** Where something is reached: nothing in it can carry a credential. */
const address = z
  .string()
  .max(2_000)
  .refine(isPlainAddress, "https, or http on this machine; without a user, a query or a fragment");

const domain = z
  .string()
  .max(253)
  .regex(/^(?=[a-z0-9.-]+$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/, "a domain in lower case");

const connection = z.union(
  [
    z.strictObject({ name, url: address }),
    /** A program on this machine, by its name or path alone: arguments are where tokens stand. */
    z.strictObject({
      name,
      program: z
        .string()
        .max(200)
        .regex(/^[A-Za-z0-9_./@+-]+$/),
    }),
  ],
  "a name, and either an address (url) or a program without arguments; nothing else",
);

const brand = z.strictObject({ name, card: address });

const extension = z.strictObject({
  uri: z.string().refine(isExtensionUri, "an https:// URL or a urn:"),
  description: z.string().max(TEXT_MAX).regex(/\S/, "a description that says something"),
  required: z.boolean().default(false),
  params: z.record(z.string(), z.json()).exactOptional(),
});

/** The block `a2a` of an application file: what it adds to the gateway's agent card. */
const a2a = z.strictObject({
  extensions: z
    .array(extension)
    .max(EXTENSIONS_MAX)
    .superRefine((extensions, { addIssue }) => {
      const keys = extensions.map(({ uri }) => extensionKey(uri));
      for (const [at, { params }] of extensions.entries()) {
        if (keys.indexOf(keys[at] ?? "") !== at) addIssue({ code: "custom", path: [at, "uri"], message: TWICE });
        for (const path of credentialPaths((params ?? {}) as JsonObject))
          addIssue({ code: "custom", path: [at, "params", path], message: CREDENTIAL });
      }
    }),
});

const TWICE = "the same extension twice";
const CREDENTIAL = "looks like a credential, and a card is public";

/** An application, as its file says it. Every block is optional; what is not there is not used. */
export const applicationFile = z.strictObject({
  name,
  /** Servers whose tools it calls. */
  mcp: z.strictObject({ connections: z.array(connection).max(NAMES_MAX) }).exactOptional(),
  /** The companies it deals with as a personal agent, by their domains; or the company that it is itself. */
  pap: z
    .strictObject({ companies: z.array(domain).max(NAMES_MAX).exactOptional(), company: domain.exactOptional() })
    .refine((p) => p.companies !== undefined || p.company !== undefined, "companies, or the company that it is")
    .exactOptional(),
  /** The Brands at whose agents it acts, by their cards. */
  pact: z.strictObject({ brands: z.array(brand).max(NAMES_MAX) }).exactOptional(),
  a2a: a2a.exactOptional(),
});

export type Application = z.infer<typeof applicationFile>;

/** What is wrong, and where in the file; never what stands there. */
export interface ApplicationProblem {
  readonly path: string;
  readonly rule: string;
}

/** Judges what was read of an application. All problems are told, not only the first. */
export function readApplication(
  value: unknown,
  options: { readonly reserved?: readonly string[] } = {},
): Result<Application, readonly ApplicationProblem[]> {
  const odd = oddPlaces(value, "", 0);
  if (odd.length > 0) return err(odd);
  const parsed = applicationFile.safeParse(value);
  if (!parsed.success) return err(problemsOf(parsed.error.issues));
  const reserved = options.reserved ?? OWN_EXTENSION_PREFIXES;
  const taken = (parsed.data.a2a?.extensions ?? []).flatMap(({ uri }, at): readonly ApplicationProblem[] =>
    isReservedExtension(uri, reserved)
      ? [{ path: `a2a.extensions[${at}].uri`, rule: "stands under a prefix that is the gateway's own" }]
      : [],
  );
  return taken.length > 0 ? err(taken) : ok(parsed.data);
}

/** What no application needs and some reader would stumble over: before anything walks the value without a limit. */
function oddPlaces(value: unknown, path: string, depth: number): readonly ApplicationProblem[] {
  if (typeof value !== "object" || value === null) return [];
  if (depth > DEPTH_MAX) return [{ path, rule: "nested too deep" }];
  return Object.keys(value).flatMap((key) => {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    if (key === "__proto__") return [{ path: place, rule: "unknown member" }];
    return oddPlaces((value as Readonly<Record<string, unknown>>)[key], place, depth + 1);
  });
}

function problemsOf(issues: readonly z.core.$ZodIssue[]): readonly ApplicationProblem[] {
  return issues.flatMap((issue): readonly ApplicationProblem[] => {
    const path = pathText(issue.path);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: path === "" ? key : `${path}.${key}`, rule: "unknown member" }));
    // Zod's own words name what was expected and of which type the answer was, never the answer.
    return [{ path, rule: issue.message }];
  });
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

function isPlainAddress(text: string): boolean {
  const url = parseHttpUrl(text);
  if (!url.ok || url.value.search !== "" || url.value.hash !== "" || /[?#]/.test(text)) return false;
  return url.value.protocol === "https:" || isLoopbackHost(url.value.hostname);
}
