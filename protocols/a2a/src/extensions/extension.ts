import { isJsonObject, type JsonObject } from "@countersign/wire";

/** What is said of an extension on the card; public, and free of secrets. */
export interface CardExtension {
  readonly uri: string;
  readonly description: string;
  /** A client that does not activate a required one is answered `ExtensionSupportRequired`. */
  readonly required: boolean;
  readonly params?: JsonObject;
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
}

export function isExtension(v: unknown): v is A2aExtension {
  if (typeof v !== "object" || v === null) return false;
  const { uri, description, required, params, onTask } = v as Readonly<Record<string, unknown>>;
  return (
    typeof uri === "string" &&
    typeof description === "string" &&
    description.trim() !== "" &&
    typeof required === "boolean" &&
    (params === undefined || (typeof params === "object" && params !== null && isJsonObject(params as JsonObject))) &&
    (onTask === undefined || typeof onTask === "function")
  );
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
