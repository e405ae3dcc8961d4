import http from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Stands in front of a gateway for a suite that knows nothing of tokens: adds one, and names the gateway where the suite
 * names this door. Every other host and origin that the suite tries goes through as it is.
 */
export async function openDoor(issuer: string, token: () => string): Promise<{ readonly url: string; close(): void }> {
  const gateway = new URL(issuer);
  const server = http.createServer((request, response) => {
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { host, origin, ...headers } = request.headers;
    const onward = http.request(
      {
        host: "127.0.0.1",
        port: gateway.port,
        path: request.url,
        method: request.method,
        headers: {
          ...headers,
          host: host === own ? gateway.host : host,
          ...(origin === undefined ? {} : { origin: origin === `http://${own}` ? issuer : origin }),
          authorization: `Bearer ${token()}`,
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
