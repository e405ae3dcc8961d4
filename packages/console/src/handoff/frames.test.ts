import fc from "fast-check";
import { expect, it } from "vitest";
import { pagePoint, readFrame } from "./frames.ts";

function message(head: string, picture: Uint8Array): ArrayBuffer {
  const bytes = new TextEncoder().encode(head);
  const out = new Uint8Array(4 + bytes.length + picture.length);
  new DataView(out.buffer).setUint32(0, bytes.length);
  out.set(bytes, 4);
  out.set(picture, 4 + bytes.length);
  return out.buffer;
}

it("reads the number, the size and the picture of a frame", async () => {
  const frame = readFrame(message('{"id":7,"width":1280,"height":800}', new Uint8Array([1, 2, 3])));
  expect(frame).toMatchObject({ id: 7, width: 1280, height: 800 });
  expect([...new Uint8Array((await frame?.jpeg.arrayBuffer()) ?? new ArrayBuffer(0))]).toEqual([1, 2, 3]);
});

it.each([
  ["empty", new ArrayBuffer(0)],
  ["a length beyond the message", new Uint8Array([0, 0, 9, 9, 123]).buffer],
  ["a head that is no JSON", message("{", new Uint8Array())],
  ["a head without a number", message('{"id":"7","width":1,"height":1}', new Uint8Array())],
])("makes nothing of a frame that is %s", (_name, bytes) => {
  expect(readFrame(bytes)).toBeUndefined();
});

it("never throws at any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      readFrame(new Uint8Array(bytes).buffer);
    }),
  );
});

it("finds the point in the remote page's own pixels, and never one outside it", () => {
  const box = { left: 10, top: 20, width: 640, height: 400 };
  const page = { width: 1280, height: 800 };
  expect(pagePoint({ clientX: 330, clientY: 220 }, box, page)).toEqual({ x: 640, y: 400 });
  expect(pagePoint({ clientX: -50, clientY: 5_000 }, box, page)).toEqual({ x: 0, y: 800 });
});
