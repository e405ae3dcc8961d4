import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Site } from "@countersign/plugin";
import type { BrowserSite } from "@countersign/route-browser";

/** A site whose sign-in stands in a frame of another origin, and what has arrived in its field. */
export interface FrameSite {
  readonly site: Site;
  readonly origin: string;
  readonly frameOrigin: string;
  value(): string;
  close(): Promise<void>;
}

const STYLE = "<style>*{font:16px sans-serif}body{margin:24px}input{width:420px;padding:8px}</style>";

export async function startFrameSite(): Promise<FrameSite> {
  let value = "";
  const frame = await listen((request, response) => {
    response.setHeader("content-type", "text/html");
    if (request.method !== "POST") return void response.end(FRAME);
    let text = "";
    request.on("data", (part: Buffer) => {
      text += part.toString("utf8");
    });
    request.on("end", () => {
      value = text;
      response.end();
    });
  });
  // Another name for the same machine is another site: the frame has a process of its own.
  const frameOrigin = `http://localhost:${portOf(frame)}`;
  const outer = await listen((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`${STYLE}<h1>Sign in</h1><iframe src="${frameOrigin}/" width=600 height=200></iframe>`);
  });
  const entry: BrowserSite = {
    route: "browser",
    signIn: { path: "/" },
    identify: async () => undefined,
    operations: [],
  };
  return {
    site: {
      id: "frame",
      title: "Frame",
      version: "frame/1.0.0",
      entries: [entry as unknown as Site["entries"][number]],
    },
    origin: `http://127.0.0.1:${portOf(outer)}`,
    frameOrigin,
    value: () => value,
    close: async () => {
      for (const server of [outer, frame]) {
        server.closeAllConnections();
        await new Promise<void>((resolve) => server.close(() => resolve()));
      }
    },
  };
}

// Reports are put behind one another, so that the last one to arrive is the last value.
const FRAME = `${STYLE}<label>Email <input id=field autofocus></label><script>
let last = Promise.resolve();
field.oninput = () => { const body = field.value; last = last.then(() => fetch("/", { method: "POST", body })); };
</script>`;

function listen(handler: RequestListener): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(handler).listen(0, "127.0.0.1", () => resolve(server));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
