import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** The built trusted interface, as the composition root found it. */
export interface ConsoleFiles {
  readonly directory: string;
  /** Hashes of the two fixed styles that the widgets inject (`'sha256-…'`). */
  readonly styleHashes: readonly string[];
}

export const CLIENT_PAGES: readonly string[] = [
  "/",
  "/link",
  "/outside-sign-in",
  "/passkeys",
  "/agents",
  "/agents/*",
  "/consents",
  "/consents/*",
  "/accounts",
  "/continuations/*",
  "/returned",
  "/approvals/*",
  "/authorize/*",
  "/device",
  "/contact",
  "/tasks",
  "/tasks/*",
  "/receipts",
  "/receipts/*",
  "/authorities",
  "/practice",
  "/protocols",
  "/more",
];

/** Serves the single-page app under a policy without any inline code, any outside request, or any framing (U36). */
export async function registerConsole(app: FastifyInstance, files: ConsoleFiles): Promise<void> {
  const policy = consolePolicy(files.styleHashes);
  const page = readFileSync(join(files.directory, "index.html"), "utf8");
  await app.register(fastifyStatic, {
    root: join(files.directory, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "365d",
    index: false,
    setHeaders: (reply) => {
      reply.header("content-security-policy", policy);
    },
  });
  for (const path of CLIENT_PAGES) {
    app.get(path, async (_request, reply) =>
      reply.header("content-security-policy", policy).type("text/html; charset=utf-8").send(page),
    );
  }
}

export function consolePolicy(styleHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleHashes.join(" ")}`.trim(),
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
