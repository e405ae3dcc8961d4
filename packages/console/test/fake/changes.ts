import type { ServerResponse } from "node:http";

/** The stream of changes, as far as the tests of the pages need it. */
export interface ChangeStreams {
  /** Answers a stream; false when streams are refused at the moment. */
  readonly open: (response: ServerResponse) => boolean;
  readonly say: (event: "hello" | "changed" | "ended", data?: object) => void;
  /** Cuts what is open. */
  readonly end: () => void;
  readonly count: () => number;
  refused: boolean;
}

export function changeStreams(): ChangeStreams {
  const open = new Set<ServerResponse>();
  const streams: ChangeStreams = {
    refused: false,
    open: (response) => {
      if (streams.refused) return false;
      open.add(response);
      response.on("close", () => open.delete(response));
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write("retry: 200\nevent: hello\ndata: {}\n\n");
      return true;
    },
    say: (event, data = {}) => {
      for (const response of open) response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end: () => {
      for (const response of open) response.end();
    },
    count: () => open.size,
  };
  return streams;
}
