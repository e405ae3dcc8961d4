import type { Log, LogFields } from "@countersign/plugin";
import { isSecret } from "@countersign/wire";
import { pino } from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/**
 * Allow-list logging: an event's name and flat values of four types. Nothing else can be handed over, so no request,
 * header, body or error object ends up in a line by accident (U52).
 */
export function createLog(level: LogLevel, write?: (line: string) => void): Log {
  const logger = write === undefined ? pino({ level }, pino.destination(2)) : pino({ level }, { write });
  const at =
    (name: Exclude<LogLevel, "silent">) =>
    (event: string, fields: LogFields = {}) =>
      logger[name](plain(fields), event);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => !isSecret(value) && ["string", "number", "boolean"].includes(typeof value),
    ),
  );
}
