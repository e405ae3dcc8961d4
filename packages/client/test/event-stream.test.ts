import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventStreamParser, type StreamMessage } from "../src/event-stream.ts";
import { STREAM_LINE_CHARS_MAX } from "../src/limits.ts";

function parse(pieces: readonly string[]): readonly StreamMessage[] {
  const parser = new EventStreamParser();
  return pieces.flatMap((piece) => parser.take(piece) ?? []);
}

const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n\0]/g, ""));

describe("an event stream", () => {
  it("gives the same messages however it is cut into pieces, whatever ends its lines", () => {
    const message = fc.record({ id: fc.nat().map(String), lines: fc.array(line, { minLength: 1, maxLength: 3 }) });
    fc.assert(
      fc.property(
        fc.array(message),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.array(fc.nat({ max: 40 })),
        (messages, end, cuts) => {
          const text = messages
            .map(({ id, lines }) => [": still here", `id: ${id}`, ...lines.map((l) => `data: ${l}`), "", ""].join(end))
            .join("");
          const pieces: string[] = [];
          let rest = text;
          for (const cut of cuts) {
            pieces.push(rest.slice(0, cut));
            rest = rest.slice(cut);
          }
          const found = parse([...pieces, rest]);
          expect(found).toEqual(messages.map(({ id, lines }) => ({ id, data: lines.join("\n") })));
        },
      ),
    );
  });

  it("a message that did not end is none, and a comment is none", () => {
    expect(parse(["id: 1\ndata: {}\n"])).toEqual([]);
    expect(parse([": still here\n\n", "id: 2\n\n"])).toEqual([]);
  });

  it("a line that never ends is given up", () => {
    const parser = new EventStreamParser();
    expect(parser.take(`data: ${"x".repeat(STREAM_LINE_CHARS_MAX)}`)).toBeUndefined();
  });
});
