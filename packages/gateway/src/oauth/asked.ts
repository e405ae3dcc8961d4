import { isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import type { DeviceCode, Interaction, Provider } from "oidc-provider";
import { tokenHash } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import type { OAuthRecords } from "./adapter.ts";
import { DEVICE_TEXT_CHARS_MAX, INTERACTION_SECONDS } from "./limits.ts";
import { API_SCOPE, GRANT_DETAIL } from "./names.ts";

/** What a client asks of a person at the authorization endpoint, as it waits for the answer. */
export interface AskedAuthorization {
  readonly ref: string;
  readonly clientId: string;
  /** Absent where the answer goes to a device that asks for it. */
  readonly redirectUri: string | undefined;
  /** The device that asks, as it was seen when it began. */
  readonly device: { readonly address: string; readonly agent: string } | undefined;
  readonly resource: string;
  /** The grant that it asks for by name; most clients ask for none. */
  readonly detail: JsonObject | undefined;
  readonly expiresAt: number;
  readonly answer: "none" | "allowed" | "refused";
  /** Path of ours that takes the answer to the client. */
  readonly onward: string | undefined;
}

/** Who stands before the page: hashes of nothing, but the browser's own cookie and the person's session by its name. */
export interface Before {
  readonly browser: string;
  readonly session: string;
}

/** The library's side of the authorization page. Everything runs in the transaction of the person's decision. */
export interface AskedAuthorizations {
  /** Found by the browser that began it, and by no other (U39): for any other there is none. */
  find(tx: Tx, ref: string, before: Before): Promise<AskedAuthorization | undefined>;
  /** A person typed the code that a device shows: the reference of its page, for this session alone. */
  typed(tx: Tx, userCode: string, ref: string, session: string): Promise<"found" | "none">;
  /** Makes the OAuth grant and answers its id. `details` are what the person gave, narrowed. */
  allow(tx: Tx, asked: AskedAuthorization, pseudonym: string, details: readonly JsonObject[]): Promise<string>;
  refuse(tx: Tx, asked: AskedAuthorization): Promise<void>;
}

/** Beside each interaction stands which browser began it; the library's own cookie is seen by its own paths alone. */
const BROWSER_MODEL = "InteractionBrowser";
/** Which session typed the code of which device. */
const DEVICE_MODEL = "DeviceAnswer";

export async function noteBrowser(records: OAuthRecords, ref: string, browser: string): Promise<void> {
  await records.adapterFor(BROWSER_MODEL).upsert(ref, { browser: tokenHash(browser) }, INTERACTION_SECONDS);
}

export function askedAuthorizations(provider: Provider, records: OAuthRecords): AskedAuthorizations {
  const answer = async (asked: AskedAuthorization, result: NonNullable<Interaction["result"]>): Promise<void> => {
    const interaction = await provider.Interaction.find(asked.ref);
    if (interaction === undefined) throw new Error("what was found in this transaction is there");
    interaction.result = result;
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
  };
  const deviceOf = async (
    ref: string,
  ): Promise<{ readonly code: DeviceCode; readonly session: unknown } | undefined> => {
    const row = await records.adapterFor(DEVICE_MODEL).find(ref);
    const code = typeof row?.["code"] === "string" ? await provider.DeviceCode.find(row["code"]) : undefined;
    return code === undefined ? undefined : { code, session: row?.["session"] };
  };
  const settle = async (asked: AskedAuthorization, outcome: Partial<DeviceCode>): Promise<void> => {
    const device = await deviceOf(asked.ref);
    if (device === undefined) throw new Error("what was found in this transaction is there");
    await Object.assign(device.code, outcome).save();
  };
  return {
    typed: (tx, userCode, ref, session) =>
      records.within(tx, async () => {
        const code = await provider.DeviceCode.findByUserCode(plainCode(userCode));
        if (code === undefined || code.accountId !== undefined || code.error !== undefined) return "none";
        await records.adapterFor(DEVICE_MODEL).upsert(ref, { code: code.jti, session }, INTERACTION_SECONDS);
        return "found";
      }),
    find: (tx, ref, { browser, session }) =>
      records.within(tx, async () => {
        const device = await deviceOf(ref);
        if (device !== undefined) return device.session === session ? readDevice(ref, device.code) : undefined;
        const began = await records.adapterFor(BROWSER_MODEL).find(ref);
        if (began?.["browser"] !== tokenHash(browser)) return undefined;
        const interaction = await provider.Interaction.find(ref);
        return interaction === undefined ? undefined : read(interaction);
      }),
    allow: (tx, asked, pseudonym, details) =>
      records.within(tx, async () => {
        const grant = new provider.Grant({ accountId: pseudonym, clientId: asked.clientId });
        grant.addResourceScope(asked.resource, API_SCOPE);
        for (const detail of details) grant.addRar(detail);
        const grantId = await grant.save();
        if (asked.device !== undefined) {
          await settle(asked, {
            accountId: pseudonym,
            grantId,
            scope: API_SCOPE,
            resource: asked.resource,
            authTime: Math.floor(Date.now() / 1000),
            ...(details.length === 0 ? {} : { rar: details }),
          });
          return grantId;
        }
        await answer(asked, { login: { accountId: pseudonym, remember: false }, consent: { grantId } });
        return grantId;
      }),
    refuse: (tx, asked) =>
      records.within(tx, () =>
        asked.device === undefined
          ? answer(asked, { error: "access_denied" })
          : settle(asked, { error: "access_denied", errorDescription: "the person refused" }),
      ),
  };
}

function read(interaction: Interaction): AskedAuthorization {
  const { uid, exp, returnTo, params, result } = interaction;
  return {
    ref: uid,
    clientId: String(params["client_id"]),
    redirectUri: String(params["redirect_uri"]),
    device: undefined,
    resource: String(params["resource"]),
    detail: detailOf(params["authorization_details"]),
    expiresAt: exp * 1000,
    answer: result === undefined ? "none" : result.error === undefined ? "allowed" : "refused",
    onward: new URL(returnTo).pathname,
  };
}

function readDevice(ref: string, code: DeviceCode): AskedAuthorization {
  const { params, deviceInfo } = code;
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, DEVICE_TEXT_CHARS_MAX) : "");
  return {
    ref,
    clientId: code.clientId,
    redirectUri: undefined,
    device: { address: text(deviceInfo?.ip), agent: text(deviceInfo?.ua) },
    resource: String(params["resource"]),
    detail: detailOf(params["authorization_details"]),
    expiresAt: code.exp * 1000,
    answer: code.error !== undefined ? "refused" : code.accountId !== undefined ? "allowed" : "none",
    onward: undefined,
  };
}

/** As people type it: in small letters, with or without the dash. */
function plainCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

/** Our type, and one of it: that is all that the door lets in. */
function detailOf(text: unknown): JsonObject | undefined {
  if (typeof text !== "string") return undefined;
  const json = parseJson(text);
  const [first] = json.ok && Array.isArray(json.value) ? json.value : [];
  return isJsonObject(first) && first["type"] === GRANT_DETAIL ? first : undefined;
}
