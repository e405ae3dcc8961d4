import { isJsonObject, type JsonObject } from "@countersign/wire";

/** What is said of an extension on the card; public, and free of secrets. */
export interface CardExtension {
  readonly uri: string;
  readonly description: string;
  /** A client that does not activate a required one is answered `ExtensionSupportRequired`. */
  readonly required: boolean;
  readonly params?: JsonObject;
}

/** How an extension is spoken as a client of somebody else's agent, in exactly the version that its URI names. */
export interface ClientExtension {
  readonly uri: string;
  /** Judges what that agent's card says about it; parameters are data, and reach neither a header nor a prompt. */
  accepts(params: JsonObject | undefined): boolean;
  /** What stands under its URI in the metadata of each message; nothing if undefined. */
  onRequest?(): JsonObject | undefined;
}

/** The gateway's task as the extension is shown it: references and states, as the agent may see them. */
export interface ShownTask {
  readonly task: JsonObject;
  /** The gateway's own origin. */
  readonly issuer: string;
}

/** An extension of the card, contributed at one of the points `a2a.extension.*`. */
export interface A2aExtension extends CardExtension {
  /** What stands under its URI in the metadata of a task, for a client that activated it; nothing if undefined. */
  onTask?(shown: ShownTask): JsonObject | undefined;
  /** How it is spoken towards agents that this gateway calls; without it, one that requires it is not called. */
  readonly asClient?: Omit<ClientExtension, "uri">;
}

/** Those of them that this gateway speaks as a client. */
export function clientExtensions(extensions: readonly A2aExtension[]): readonly ClientExtension[] {
  return extensions.flatMap(({ uri, asClient }) => {
    if (asClient === undefined) return [];
    const said = asClient.onRequest?.bind(asClient);
    return [{ uri, accepts: (params) => asClient.accepts(params), ...(said === undefined ? {} : { onRequest: said }) }];
  });
}

export function isExtension(v: unknown): v is A2aExtension {
  if (typeof v !== "object" || v === null) return false;
  const { uri, description, required, params, onTask, asClient } = v as Readonly<Record<string, unknown>>;
  return (
    typeof uri === "string" &&
    typeof description === "string" &&
    description.trim() !== "" &&
    typeof required === "boolean" &&
    (params === undefined || (typeof params === "object" && params !== null && isJsonObject(params as JsonObject))) &&
    (onTask === undefined || typeof onTask === "function") &&
    (asClient === undefined || isAsClient(asClient))
  );
}

function isAsClient(v: unknown): boolean {
  if (typeof v !== "object" || v === null) return false;
  const { accepts, onRequest } = v as Readonly<Record<string, unknown>>;
  return typeof accepts === "function" && (onRequest === undefined || typeof onRequest === "function");
}

/** As it stands on the card, and nothing more of it. */
export function onCard({ uri, description, required, params }: CardExtension): JsonObject {
  return {
    uri,
    description,
    // Defaults stay off the card, so that every reading of the signing rules gives the same bytes (a2a.md §7).
    ...(required ? { required } : {}),
    ...(params === undefined ? {} : { params }),
  };
}
