import { chmodSync, rmSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { err, ok, type Result } from "@countersign/wire";
import type { Core, Owner } from "../core.ts";
import { removeContact, setContact } from "../notify/contact.ts";
import { requestAgent, takeCredential } from "../people/agents.ts";
import { addHolder, findPerson, newSignInLink } from "../people/people.ts";
import { ADMIN_SOCKET, type AdminCommand, adminCommand } from "./commands.ts";
import { type IdentityProblem, identityCommand } from "./identity.ts";
import { rotateEvidenceKeys } from "./keys.ts";
import { demandPolicy, listPolicies } from "./policies.ts";

const BODY_BYTES_MAX = 4_096;

export type AdminProblem =
  | "bad_time"
  | "role_missing"
  | "bad_command"
  | "too_many"
  | "waiting"
  | "gone"
  | "no_such_person"
  | "no_such_operation"
  | "bad_address"
  | "outside_issuer"
  | IdentityProblem;

/**
 * The operator's door: a Unix socket in the 0700 data directory, itself 0600. What comes through it is whoever owns
 * the data; it makes links and asks for agents, and decides nothing that a person has to decide.
 */
export async function listenAdmin(core: Core, owner: Owner, dataDir: string): Promise<{ close(): Promise<void> }> {
  const path = join(dataDir, ADMIN_SOCKET);
  rmSync(path, { force: true });
  const server = http.createServer((request, response) => {
    void core.store
      .as("system", () => answer(core, owner, request))
      .catch((error: unknown) => {
        core.log.error("admin.failed", { error: error instanceof Error ? error.message : "unknown" });
        return { status: 500, body: { reason: "internal" } };
      })
      .then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  core: Core,
  owner: Owner,
  request: http.IncomingMessage,
): Promise<{ readonly status: number; readonly body: object }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) return { status: 413, body: { reason: "bad_command" } };
    parts.push(part);
  }
  const parsed = adminCommand.safeParse(safeJson(Buffer.concat(parts).toString("utf8")));
  if (!parsed.success) return { status: 400, body: { reason: "bad_command" } };
  const done = await run(core, owner, parsed.data);
  return done.ok ? { status: 200, body: done.value } : { status: 409, body: { reason: done.reason } };
}

async function run(core: Core, owner: Owner, command: AdminCommand): Promise<Result<object, AdminProblem>> {
  switch (command.command) {
    case "status":
      return ok({ issuer: core.issuer, pin: (await core.keys.current()).pin, pid: process.pid });
    case "link": {
      const person = await personOf(core, owner, command.person_id);
      if (!person.ok) return person;
      const token = await newSignInLink(core, person.value.personId);
      return ok({ url: `${core.issuer}/link#${token.reveal()}` });
    }
    case "person_add": {
      const person = await addHolder(core, command.name);
      return ok({ person_id: person.personId });
    }
    case "agent_add": {
      if (core.outsideIssuer !== undefined) return err("outside_issuer");
      const person = await personOf(core, owner, command.person_id);
      if (!person.ok) return person;
      const agent = await requestAgent(core, person.value, command.name);
      return agent.ok
        ? ok({ client_id: agent.value.client_id, url: `${core.issuer}/agents/${agent.value.client_id}` })
        : agent;
    }
    case "contact_set": {
      const person = await personOf(core, owner, command.person_id);
      if (!person.ok) return person;
      if (command.address === undefined) await removeContact(core, person.value);
      else {
        const set = await setContact(core, person.value, command.address);
        if (!set.ok) return set;
      }
      return ok({ by_mail: core.channels.includes("email") });
    }
    case "policy_list": {
      const person = await personOf(core, owner, command.person_id);
      return person.ok ? ok(await listPolicies(core, person.value)) : person;
    }
    case "policy_set":
    case "policy_clear": {
      const person = await personOf(core, owner, command.person_id);
      if (!person.ok) return person;
      const policy = command.command === "policy_set" ? command.policy : undefined;
      return demandPolicy(core, person.value, command.operation, policy);
    }
    case "keys_rotate":
      return rotateEvidenceKeys(core, command);
    case "identity_keys":
    case "identity_rotate":
    case "identity_withdraw":
      return identityCommand(core, command);
    case "agent_credential": {
      const token = await takeCredential(core, command.client_id);
      return token.ok
        ? ok({
            client_id: command.client_id,
            refresh_token: token.value.reveal(),
            token_endpoint: `${core.issuer}/oauth/token`,
            resource: `${core.issuer}/v1`,
          })
        : token;
    }
  }
}

async function personOf(core: Core, owner: Owner, personId: string | undefined): Promise<Result<Owner, AdminProblem>> {
  if (personId === undefined) return ok(owner);
  const found = await findPerson(core, personId);
  return found === undefined ? err("no_such_person") : ok(found);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
