import { expect, it } from "vitest";
import { pageSize } from "./size.ts";

it.each([
  ["a desktop", 1200, 800, { width: 1200, height: 475 }],
  ["a large desktop", 2000, 1400, { width: 1280, height: 960 }],
  ["a phone", 334, 740, { width: 334, height: 534 }],
  ["a phone on its side", 700, 360, { width: 700, height: 380 }],
  ["a box that is not there yet", 0, 740, { width: 320, height: 512 }],
])("the page fits %s with its buttons on one screen", (_name, width, height, size) => {
  expect(pageSize(width, height)).toEqual(size);
});
