import { parseArgs } from "node:util";
import { DEMANDS } from "./callers/callers.ts";
import { startPracticeShop } from "./start.ts";

const USAGE =
  "usage: main.ts [--port N] [--control-port N] [--currency CODE] [--seed TEXT] [--signatures off|api|everywhere]";

function portOf(value: string | undefined): number {
  const port = Number(value ?? "0");
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError(`not a port: ${value}\n${USAGE}`);
  return port;
}

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    "control-port": { type: "string" },
    currency: { type: "string" },
    seed: { type: "string" },
    signatures: { type: "string" },
  },
});
const signatures = DEMANDS.find((demand) => demand === (values.signatures ?? "off"));
if (signatures === undefined) throw new RangeError(USAGE);
const shop = await startPracticeShop({
  signatures,
  port: portOf(values.port),
  controlPort: portOf(values["control-port"]),
  ...(values.currency !== undefined && { currency: values.currency }),
  ...(values.seed !== undefined && { seed: values.seed }),
});
// The person's e-mail, password and authenticator secret are the documented constants of PRACTICE_USER: not printed.
console.log(JSON.stringify({ origin: shop.origin, control_origin: shop.controlOrigin }));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    shop.close().then(() => process.exit(0));
  });
}
