import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import { z } from "zod";
import type { Core, Owner } from "../../core.ts";
import { askForContact, confirmContact, removeContact } from "../../notify/contact.ts";
import { addressOf, currentContact, pendingContact } from "../../notify/contact-rows.ts";
import { unreachedBy } from "../../notify/unreached.ts";
import type { ContactView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import type { AddRoute } from "./trusted.ts";

const addressBody = z.strictObject({ address: z.string().min(3).max(320) });
const codeBody = z.strictObject({ code: z.string().regex(/^\d{8}$/) });

/** How the person is reached: what they may see and change themselves. */
export function registerContact(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/contact", async (person) => ok(await view(core, person)));
  add("POST", "/contact/email", async (person, request) => {
    const body = readBody(request, addressBody);
    if (!body.ok) return body;
    const asked = await askForContact(core, person, body.value.address.trim());
    return asked.ok ? ok(await view(core, person)) : err({ reason: asked.reason });
  });
  add("POST", "/contact/email/confirm", async (person, request) => {
    const body = readBody(request, codeBody);
    if (!body.ok) return body;
    const done = await confirmContact(core, person, body.value.code);
    if (done.ok) return ok(await view(core, person));
    if (done.reason === "gone") return err({ reason: "gone" });
    return err({ reason: "invalid_request", problems: [{ pointer: "/code", rule: "not the code that was sent" }] });
  });
  add("POST", "/contact/email/remove", async (person) => {
    await removeContact(core, person);
    return ok(await view(core, person));
  });
}

async function view(core: Core, person: Owner): Promise<ContactView> {
  const { db } = core.store;
  const current = await currentContact(db, person.personId);
  const pending = await pendingContact(db, person, core.now());
  return {
    channels: core.channels,
    ...(current === undefined ? {} : { email: { address: addressOf(core, current) } }),
    ...(pending === undefined
      ? {}
      : {
          pending: {
            address: addressOf(core, pending),
            expires_at: formatInstant((pending.expires_at ?? 0) as Instant),
          },
        }),
    unreached_by: (await unreachedBy(core, db, person.personId)).map(({ channel }) => channel),
  };
}
