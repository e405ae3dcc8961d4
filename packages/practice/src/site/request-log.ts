import type { IncomingHttpHeaders } from "node:http";
import { REQUEST_LOG_MAX } from "../limits.ts";

/** One received request: names and shapes only, never a value of a header. */
export interface LoggedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Lower case, sorted. */
  readonly headerNames: readonly string[];
  /** What `Authorization` held: nothing, a token this shop issued at some time, or something of someone else's. */
  readonly authorization: "none" | "issued" | "foreign";
}

export interface RequestLog {
  readonly add: (entry: LoggedRequest) => void;
  readonly list: () => readonly LoggedRequest[];
  readonly clear: () => void;
}

export function createRequestLog(): RequestLog {
  const entries: LoggedRequest[] = [];
  return {
    add: (entry) => {
      entries.push(entry);
      if (entries.length > REQUEST_LOG_MAX) entries.shift();
    },
    list: () => [...entries],
    clear: () => {
      entries.length = 0;
    },
  };
}

/** Judges `Authorization`. Every scheme counts: a token passed on under `DPoP` or `Basic` is as foreign as a bearer. */
export function judgeAuthorization(
  headers: IncomingHttpHeaders,
  issued: (token: string) => boolean,
): LoggedRequest["authorization"] {
  const value = headers.authorization;
  if (value === undefined) return "none";
  const token = /^Bearer +(\S+)$/i.exec(value)?.[1];
  return token !== undefined && issued(token) ? "issued" : "foreign";
}
