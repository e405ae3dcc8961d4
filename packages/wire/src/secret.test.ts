import { format, inspect } from "node:util";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import { isSecret, Secret, secret } from "./index.ts";

const VALUE = "hunter2-hunter2";

test("no serializer shows a secret", () => {
  const s = secret(VALUE);
  const holder = { token: s, list: [s], map: new Map([["k", s]]) };
  const error = new Error(`could not use ${s}`, { cause: s });
  const shown = [
    String(s),
    `${s}`,
    `${s as unknown as string}`.concat(""),
    JSON.stringify(s),
    JSON.stringify(holder),
    inspect(s),
    inspect(s, { showHidden: true, depth: 9, customInspect: false, getters: true }),
    inspect(holder, { showHidden: true, depth: 9 }),
    inspect(error),
    format("%s %o %O %j", s, s, holder, holder),
    JSON.stringify(Object.entries(s)),
    JSON.stringify({ ...s }),
    JSON.stringify(Object.getOwnPropertyNames(s)),
    JSON.stringify(structuredClone(s)),
    serialize(s).toString("latin1"),
    inspect(deserialize(serialize(s))),
    Object.prototype.toString.call(s),
    String(s.valueOf()),
    new URLSearchParams({ s: s as unknown as string }).toString(),
    error.stack ?? "",
  ];
  for (const text of shown) expect(text).not.toContain(VALUE);
  expect(String(s)).toBe("[secret]");
  expect(JSON.stringify({ s })).toBe('{"s":"[secret]"}');
  expect(inspect(s)).toBe("[secret]");
  expect(inspect({ s })).toContain("[secret]");
});

test("reveal is the way to it", () => {
  expect(secret(VALUE).reveal()).toBe(VALUE);
  expect(new Secret(1).reveal()).toBe(1);
});

test("isSecret knows its own only", () => {
  expect(isSecret(secret(1))).toBe(true);
  const forged: unknown[] = [null, undefined, "x", {}, { reveal: () => 1 }, Object.create(Secret.prototype)];
  for (const each of forged) expect(isSecret(each)).toBe(false);
});

test("takes no further properties, where a value could be left in the open", () => {
  expect(() => Object.assign(secret(1), { plain: VALUE })).toThrow(TypeError);
});
