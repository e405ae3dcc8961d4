import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { demandedPolicy } from "@countersign/profile";
import { err, isJsonObject, ok, parseJson, type Result } from "@countersign/wire";
import { z } from "zod";
import { pluginsSchema } from "../plugins/settings.ts";
import { a2aDestination } from "./a2a-destination.ts";
import { mcpDestination } from "./called-destinations.ts";
import { identitySchema } from "./identity-settings.ts";
import { notifySchema } from "./notify-settings.ts";
import { oauthSchema } from "./oauth-settings.ts";
import { peopleSchema } from "./people-settings.ts";

export const SETTINGS_FILE = "countersign.json";
export const PORT_DEFAULT = 4600;

const destination = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
    /** The site's adapter that ships; for what an operator bound themselves it is one of the members below. */
    site: z.string().min(1).max(80).exactOptional(),
    /** How people read it, where no adapter says so. */
    title: z.string().trim().min(1).max(80).exactOptional(),
    origin: z.url(),
    alsoOrigins: z.array(z.url()).max(20).exactOptional(),
    mcp: mcpDestination.exactOptional(),
    a2a: a2aDestination.exactOptional(),
  })
  .refine(({ site, mcp, a2a }) => [site, mcp, a2a].filter((each) => each !== undefined).length === 1, {
    error: "one of site, mcp and a2a",
  });

/** The settings file of a gateway; every member has a default. */
export const settingsSchema = z.strictObject({
  /** The one origin that people and agents use. */
  issuer: z.url().default(`http://localhost:${PORT_DEFAULT}`),
  /** Where to listen; loopback unless a reverse proxy stands elsewhere. */
  host: z.string().default("127.0.0.1"),
  /** The port to listen at, when a reverse proxy or load balancer has the issuer's. */
  listenPort: z.int().min(1).max(65_535).exactOptional(),
  /** Chromium's own sandbox. "off" only where it cannot run: as root, in some containers. */
  sandbox: z.enum(["on", "off"]).default("on"),
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  destinations: z.array(destination).max(200).default([]),
  /** Who has to decide before a commit, by operation, in place of the catalogue's policy: money asks for a passkey. */
  approvals: z.record(z.string().max(80), demandedPolicy).default({}),
  /** By which ways people are told what waits for them; without it nobody is told. */
  notify: notifySchema.default({}),
  people: peopleSchema.default({}),
  oauth: oauthSchema.default({}),
  /** Whether destinations are told who is calling. */
  identity: identitySchema.prefault({}),
  /** The application file whose card extensions this gateway publishes; seen from the folder of this file. */
  application: z.string().min(1).max(4_096).exactOptional(),
  /** Plugins of others, each by name. */
  plugins: pluginsSchema.default({ load: [] }),
  /** Where agents may be told what becomes of their tasks: public addresses by https, also this machine, or nowhere. */
  taskWebhooks: z.enum(["https", "loopback_too", "off"]).default("https"),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Where the settings file is, or would be: paths in it are seen from there. */
export function settingsFolder(dataDir: string, file: string | undefined): string {
  return file === undefined ? dataDir : dirname(resolve(file));
}

/** Reads `countersign.json` in the data directory, or the file named. The reason is a sentence that names member and rule. */
export function readSettings(dataDir: string, file: string | undefined): Result<Settings, string> {
  const path = file ?? join(dataDir, SETTINGS_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return file === undefined ? ok(settingsSchema.parse({})) : err(`the settings file ${path} cannot be read`);
  }
  const json = parseJson(text);
  if (!json.ok || !isJsonObject(json.value)) {
    return err(
      `${path} is not a JSON object${json.ok ? "" : ` (${json.reason.code} at offset ${json.reason.offset})`}`,
    );
  }
  const parsed = settingsSchema.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`${path}: ${issue?.path.join(".") || "settings"}: ${issue?.message ?? "invalid"}`);
}
