import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { brief } from "../stage/desk.ts";
import { inMs } from "../stage/requests.ts";

const HOUR_MS = 3_600_000;

/** PUB-1: the references of one tenant in the hands of another. */
export const pub1: ConformanceCase = {
  id: "PUB-1",
  requirements: ["PUB-1", "REQ-2"],
  group: "Published behaviours",
  claim: "An account reference of another tenant is rejected, as an unknown one is, and makes no task.",
  async run(scene) {
    const { other } = scene;
    const desk = await scene.desk();
    const stranger = await scene.desk({ actor: other });
    const ours = { account_ref: desk.refs.accountRef, consent_ref: desk.refs.consentRef };
    const unknown = { account_ref: "acct_conformance_unknown", consent_ref: "cons_conformance_unknown" };
    scene.did("another tenant's agent submitted an order with our account and our grant");
    const foreign = await stranger.port.submit(stranger.order(ours));
    check(foreign.status === 404 && foreign.reason === "not_found", "it is answered not_found", brief(foreign));
    scene.did("and with our account under its own grant, and with our grant on its own account");
    for (const mixed of [{ account_ref: ours.account_ref }, { consent_ref: ours.consent_ref }]) {
      const answer = await stranger.port.submit(stranger.order(mixed));
      check(answer.status === 404, "half of the references is worth no more", brief(answer));
    }
    const nobodys = await stranger.port.submit(stranger.order(unknown));
    check(foreign.visible === nobodys.visible, "a foreign reference is answered exactly as an unknown one", {
      foreign: brief(foreign),
      unknown: brief(nobodys),
    });
    const capabilities = await stranger.port.capabilities(desk.refs.accountRef);
    check(capabilities.status === 404, "nor can the account's capabilities be read", brief(capabilities));
    const asked = await stranger.port.requestConsent({
      account_ref: desk.refs.accountRef,
      operations: ["retail.orders.list"],
      purpose: "x",
      expires_at: inMs(HOUR_MS),
    });
    check(asked.status === 404, "nor can a grant of it be asked for", brief(asked));
    check((await scene.counted()).submits === 0, "nothing reached the shop");
  },
};
