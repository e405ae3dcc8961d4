import { createServer } from "node:net";
import { PORT_DEFAULT } from "./settings.ts";

/** The port asked for, else the usual one, else any free one. */
export async function chooseDemoPort(asked: number | undefined): Promise<number> {
  if (asked !== undefined) return asked;
  return (await tryPort(PORT_DEFAULT)) ?? (await tryPort(0)) ?? PORT_DEFAULT;
}

/** Any free port of this machine. */
export async function anyFreePort(): Promise<number> {
  const port = await tryPort(0);
  if (port === undefined) throw new Error("this machine has no free port");
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : undefined));
    });
  });
}
