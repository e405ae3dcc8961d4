import { err, ok, parseHttpUrl, type Result } from "@countersign/wire";
import { type CardProblem, cardProblem } from "./problem.ts";
import type { AgentInterface } from "./shape.ts";

export type SpokenBinding = "JSONRPC" | "HTTP+JSON";

/** The interface that is called: one that is spoken here, at an origin that may be called. */
export interface ChosenInterface {
  readonly binding: SpokenBinding;
  /** Without query and fragment; paths of HTTP+JSON are put behind it. */
  readonly url: URL;
  readonly tenant?: string;
}

/** The one version that is spoken: Major.Minor, exactly. */
export const PROTOCOL_VERSION = "1.0";

const TENANT = /^[A-Za-z0-9._~-]{1,200}$/;

/**
 * The first interface of the card that may be used. A valid signature says who wrote the card, not that its URLs are ours
 * to call (a2a.md section 7): those at other origins are passed over.
 */
export function chooseInterface(
  interfaces: readonly AgentInterface[],
  origins: ReadonlySet<string>,
): Result<ChosenInterface, CardProblem> {
  let foreign: number | undefined;
  for (const [index, each] of interfaces.entries()) {
    const { protocolBinding: binding, protocolVersion, tenant = "" } = each;
    if (protocolVersion !== PROTOCOL_VERSION || (binding !== "JSONRPC" && binding !== "HTTP+JSON")) continue;
    const url = parseHttpUrl(each.url);
    if (!url.ok || url.value.search !== "" || url.value.hash !== "") continue;
    if (tenant !== "" && !TENANT.test(tenant)) continue;
    if (!origins.has(url.value.origin)) {
      foreign ??= index;
      continue;
    }
    return ok({ binding, url: url.value, ...(tenant === "" ? {} : { tenant }) });
  }
  if (foreign !== undefined) return err(cardProblem("interface_origin", `/supportedInterfaces/${foreign}/url`));
  return err(cardProblem("no_interface", "/supportedInterfaces"));
}
