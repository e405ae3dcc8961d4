import { isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import type { Interaction, Provider } from "oidc-provider";
import { tokenHash } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import type { OAuthRecords } from "./adapter.ts";
import { INTERACTION_SECONDS } from "./limits.ts";
import { API_SCOPE, GRANT_DETAIL } from "./names.ts";

/** What a client asks of a person at the authorization endpoint, as it waits for the answer. */
export interface AskedAuthorization {
  readonly ref: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  /** The grant that it asks for by name; most clients ask for none. */
  readonly detail: JsonObject | undefined;
  readonly expiresAt: number;
  readonly answer: "none" | "allowed" | "refused";
  /** Path of ours that takes the answer to the client. */
  readonly onward: string;
}

/** The library's side of the authorization page. Everything runs in the transaction of the person's decision. */
export interface AskedAuthorizations {
  /** Found by the browser that began it, and by no other (U39): for any other there is none. */
  find(tx: Tx, ref: string, browser: string): Promise<AskedAuthorization | undefined>;
  /** Makes the OAuth grant and answers its id. `details` are what the person gave, narrowed. */
  allow(tx: Tx, asked: AskedAuthorization, pseudonym: string, details: readonly JsonObject[]): Promise<string>;
  refuse(tx: Tx, asked: AskedAuthorization): Promise<void>;
}

/** Beside each interaction stands which browser began it; the library's own cookie is seen by its own paths alone. */
const BROWSER_MODEL = "InteractionBrowser";

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
  return {
    find: (tx, ref, browser) =>
      records.within(tx, async () => {
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
        await answer(asked, { login: { accountId: pseudonym, remember: false }, consent: { grantId } });
        return grantId;
      }),
    refuse: (tx, asked) => records.within(tx, () => answer(asked, { error: "access_denied" })),
  };
}

function read(interaction: Interaction): AskedAuthorization {
  const { uid, exp, returnTo, params, result } = interaction;
  return {
    ref: uid,
    clientId: String(params["client_id"]),
    redirectUri: String(params["redirect_uri"]),
    resource: String(params["resource"]),
    detail: detailOf(params["authorization_details"]),
    expiresAt: exp * 1000,
    answer: result === undefined ? "none" : result.error === undefined ? "allowed" : "refused",
    onward: new URL(returnTo).pathname,
  };
}

/** Our type, and one of it: that is all that the door lets in. */
function detailOf(text: unknown): JsonObject | undefined {
  if (typeof text !== "string") return undefined;
  const json = parseJson(text);
  const [first] = json.ok && Array.isArray(json.value) ? json.value : [];
  return isJsonObject(first) && first["type"] === GRANT_DETAIL ? first : undefined;
}
