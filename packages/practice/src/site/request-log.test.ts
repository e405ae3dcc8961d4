import { expect, test } from "vitest";
import { REQUEST_LOG_MAX } from "../limits.ts";
import { createRequestLog } from "./request-log.ts";

test("the log keeps the newest requests, up to its limit", () => {
  const log = createRequestLog();
  for (let n = 0; n < REQUEST_LOG_MAX + 3; n += 1) {
    log.add({ method: "GET", path: `/${n}`, headerNames: [], authorization: "none" });
  }
  expect(log.list()).toHaveLength(REQUEST_LOG_MAX);
  expect(log.list()[0]?.path).toBe("/3");
});
