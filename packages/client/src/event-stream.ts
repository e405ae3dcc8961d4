import { STREAM_LINE_CHARS_MAX } from "./limits.ts";

/** One message of an event stream. */
export interface StreamMessage {
  readonly id: string;
  readonly data: string;
}

/** Takes text as it comes and gives the messages that are whole (the format of `text/event-stream`). */
export class EventStreamParser {
  #rest = "";
  #id = "";
  #data: string[] = [];
  #afterReturn = false;

  /** The messages that `text` completes. Undefined when a line is longer than any of ours. */
  take(text: string): readonly StreamMessage[] | undefined {
    // A line may end with CR LF, and the two may come apart.
    const joined = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#afterReturn = text.endsWith("\r");
    const lines = (this.#rest + joined).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? "";
    const messages: StreamMessage[] = [];
    for (const line of lines) {
      if (line.length > STREAM_LINE_CHARS_MAX) return undefined;
      if (line === "") {
        if (this.#data.length > 0) messages.push({ id: this.#id, data: this.#data.join("\n") });
        this.#data = [];
      } else this.#field(line);
    }
    return this.#rest.length > STREAM_LINE_CHARS_MAX ? undefined : messages;
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    // A line that begins with a colon is a comment: the gateway says that it is there.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id" && !value.includes("\0")) this.#id = value;
    if (name === "data") this.#data.push(value);
  }
}
