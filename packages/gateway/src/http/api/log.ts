import { parseDigest } from "@countersign/wire";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { proveConsistency, proveTogether } from "../../evidence/log/proofs.ts";
import { findKeySet } from "../../evidence/log/published.ts";
import { sendProblem } from "../problems.ts";
import type { ServerParts } from "../server.ts";

const FRESH = "no-cache";
const FOR_EVER = "public, max-age=31536000, immutable";

const size = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);
const digest = z.string().refine((text) => parseDigest(text).ok);
const consistencyQuery = z.strictObject({ from: size, to: size.optional() });
const inclusionQuery = z.strictObject({
  kind: z.enum(["keys", "credential", "approval", "receipt", "revocation"]),
  digest,
});
const version = z.strictObject({ version: z.union([size, digest]) });

/**
 * What anybody may ask of the log, without a name: its newest checkpoint, proofs that it only grew, the place of a
 * record whose digest they know, and every version of the key set. Nothing of a record's content is in the log.
 */
export function registerLog(app: FastifyInstance, { core }: ServerParts): void {
  const { store } = core;
  const base = "/.well-known/countersign-log";
  app.get(`${base}/checkpoint`, async (_request, reply) => {
    const proven = await proveTogether(store.db, []);
    reply.header("cache-control", FRESH);
    return proven === undefined
      ? sendProblem(reply, { reason: "not_ready" })
      : reply.send({ checkpoint: proven.checkpoint });
  });
  app.get(`${base}/consistency`, async (request, reply) => {
    const query = consistencyQuery.safeParse(request.query);
    if (!query.success) return sendProblem(reply, { reason: "invalid_request" });
    const proof = await proveConsistency(store.db, query.data.from, query.data.to);
    reply.header("cache-control", FRESH);
    return proof.ok ? reply.send(proof.value) : sendProblem(reply, { reason: "not_found" });
  });
  app.get(`${base}/inclusion`, async (request, reply) => {
    const query = inclusionQuery.safeParse(request.query);
    if (!query.success) return sendProblem(reply, { reason: "invalid_request" });
    const leaf = { part: "leaf", ...query.data } as const;
    // Leaves stand outside the walls between tenants: whoever knows a record's digest knows the record.
    const proven = await store.as("system", () => proveTogether(store.db, [leaf]));
    const inclusion = proven?.proofs.get("leaf");
    reply.header("cache-control", FRESH);
    return proven === undefined || inclusion === undefined
      ? sendProblem(reply, { reason: "not_found" })
      : reply.send({ ...query.data, ...inclusion, checkpoint: proven.checkpoint });
  });
  app.get("/.well-known/countersign-keys/:version", async (request, reply) => {
    const asked = version.safeParse(request.params);
    const jws = asked.success ? await findKeySet(store.db, asked.data.version) : undefined;
    if (jws === undefined) return sendProblem(reply, { reason: "not_found" });
    return reply.header("cache-control", FOR_EVER).type("application/jose; charset=utf-8").send(jws);
  });
}
