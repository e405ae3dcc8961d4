import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as a2a from "@countersign/a2a";
import { type AnyPoint, definePoint, gatewayPlugin, type Plugin, type PointsFile } from "@countersign/plugin";
import * as mcp from "@countersign/protocol-mcp";
import * as tap from "@countersign/tap/plugin";
import { memoryNonces } from "@countersign/web-bot-auth";
import * as webBotAuth from "@countersign/web-bot-auth/plugin";
import { assert } from "@countersign/wire";
import * as lending from "../../examples/sample-plugin/src/index.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A protocol that the table of `test/protocols.test.ts` holds to its word. A new one joins by a line in the list. */
export interface ListedPlugin {
  /** Where its `points.json` is. */
  readonly folder: string;
  readonly plugin: Plugin;
  /** All that its package exports; its points are among it. */
  readonly exported: object;
  /** For each point a value that it takes, for playing a replacement. */
  readonly samples: Readonly<Record<string, unknown>>;
  readonly others?: readonly Plugin[];
  /** Brought from outside, so that the catalogue knows nothing of it. */
  readonly outside?: true;
}

const noKey = () => Promise.reject(new Error("a sample signs nothing"));
const nowhere = () => ({ kind: "ignored" });
const gifts = { uri: "urn:example:gifts", description: "Gifts", required: false };

export const LISTED: readonly ListedPlugin[] = [
  {
    folder: "protocols/a2a",
    plugin: a2a.a2aPlugin,
    exported: a2a,
    samples: {
      "a2a.extension.orchestration": { ...gifts, uri: a2a.ORCHESTRATION_URI },
      "a2a.extension.face": { ...gifts, uri: a2a.FACE_URI },
      "a2a.extension.other": gifts,
    },
  },
  {
    folder: "protocols/mcp",
    plugin: mcp.mcpPlugin,
    exported: mcp,
    samples: {
      "mcp.extension.tasks": { settings: {} },
      "mcp.extension.other": { identifier: "example.org/receipts", settings: {} },
    },
  },
  {
    folder: "protocols/web-bot-auth",
    plugin: webBotAuth.webBotAuthPlugin,
    exported: webBotAuth,
    samples: {
      "web_bot_auth.signer": { current: noKey, listed: async () => [] },
      "web_bot_auth.nonceStore": () => memoryNonces(),
      "web_bot_auth.extension.directory": { type: "directory", place: nowhere },
      "web_bot_auth.extension.jwks_uri": { type: "jwks_uri", place: nowhere },
      "web_bot_auth.extension.cimd": { type: "cimd", place: nowhere },
    },
  },
  {
    folder: "protocols/tap",
    plugin: tap.tapPlugin,
    exported: tap,
    samples: {
      "tap.signer": { current: noKey },
      "tap.keySource": { name: "sample", find: async () => ({ kind: "absent" }) },
    },
    others: [webBotAuth.webBotAuthPlugin],
  },
  {
    folder: "examples/sample-plugin",
    plugin: lending.plugin,
    exported: lending,
    samples: { "lending.due_text": (due: string) => `by ${due}` },
    outside: true,
  },
];

/** What every protocol may need beside it. */
export const BESIDE: readonly Plugin[] = [gatewayPlugin];

export function pointsFile({ folder }: ListedPlugin): PointsFile {
  return JSON.parse(readFileSync(join(ROOT, folder, "points.json"), "utf8")) as PointsFile;
}

/** Every folder of a protocol that has come as far as a points file. */
export function foldersWithPoints(): readonly string[] {
  return readdirSync(join(ROOT, "protocols"))
    .map((name) => `protocols/${name}`)
    .filter((folder) => existsSync(join(ROOT, folder, "points.json")));
}

/** The points among what a package exports. */
export function exportedPoints({ exported }: ListedPlugin): readonly AnyPoint[] {
  return Object.values(exported).filter((value): value is AnyPoint => isPoint(value));
}

const LIKE = definePoint({ id: "test.like", kind: "one", override: "declared", check: (v): v is string => v === "" });

function isPoint(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(LIKE).every((member) => member in value);
}

export function sampleOf({ samples, plugin }: ListedPlugin, point: AnyPoint): unknown {
  assert(Object.hasOwn(samples, point.id), `${plugin.manifest.id} has a sample for ${point.id} in the list`);
  return samples[point.id];
}
