import { err } from "@countersign/wire";
import { expect, it } from "vitest";
import { resolvePublic } from "./resolve.ts";

it.each(["127.0.0.1", "localhost", "::1", "10.0.0.1", "169.254.169.254"])(
  "U51 %s is no public address",
  async (host) => {
    expect(await resolvePublic(host, 80)).toEqual(err("address_refused"));
  },
);
