import { retailOrderSubmit } from "@countersign/profile";
import {
  assert,
  digestOf,
  generateSigningKey,
  importPrivateKey,
  type JsonObject,
  signerOf,
  signJws,
  thumbprint,
} from "@countersign/wire";
import { DBOS } from "@dbos-inc/dbos-sdk";

/** As many connections as workflows are in flight at most, so that none waits for one. */
const CONNECTIONS = 32;
const DECISION_SECONDS_MAX = 60;

type Order = Readonly<Record<string, string | number>>;
interface Decision {
  readonly approval: string;
}

/** The same life on DBOS: what a team would write that takes its durability from a workflow engine. */
export interface Baseline {
  /** Create, decision, submission, signed receipt. Answers how long it took, in milliseconds. */
  live(): Promise<number>;
  /** How many orders the destination took. */
  orders(): number;
  stop(): Promise<void>;
}

/**
 * The flow in DBOS's own idiom: a durable workflow whose steps are recorded, an event that shows the terms to the
 * person, a message that brings the decision, a step that submits, a step that signs the receipt. It checks no grant, no
 * limit, no lease and compares no terms; it signs the same records with the same kind of key. Whoever waits for the
 * terms is told in process, as the gateway's bench is, so that no polling interval of the engine is measured.
 */
export async function startBaseline(url: string): Promise<Baseline> {
  const { privateJwk, publicJwk } = await generateSigningKey();
  const key = await importPrivateKey(privateJwk);
  assert(key.ok, "a fresh key can be read");
  const kid = await thumbprint({ ...publicJwk });
  const signer = signerOf(key.value);
  const sign = (kind: string, payload: JsonObject) => signJws({ kind, payload, kid, sign: signer });
  const shown = new Map<string, () => void>();
  let orders = 0;

  const flow = DBOS.registerWorkflow(
    async (order: Order): Promise<string> => {
      const id = DBOS.workflowID ?? "";
      const record = await DBOS.runStep(async () => actionOf(id, order), { name: "prepare" });
      await DBOS.setEvent("record", record);
      shown.get(id)?.();
      const decision = await DBOS.recv<Decision>("decision", { timeoutSeconds: DECISION_SECONDS_MAX });
      assert(decision !== null, "the decision comes");
      const confirmation = await DBOS.runStep(
        async () => {
          orders++;
          return { status: 201, confirmation: "SO-1" };
        },
        { name: "submit" },
      );
      return DBOS.runStep(
        async () =>
          sign("receipt", {
            typ: "countersign.receipt/1",
            task_id: id,
            outcome: "succeeded",
            approval: await digestOf(decision.approval),
            destination: { confirmation: confirmation.confirmation },
          }),
        { name: "receipt" },
      );
    },
    { name: "order" },
  );

  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: url,
    systemDatabasePoolSize: CONNECTIONS,
    logLevel: "error",
    applicationVersion: "1",
  });
  await DBOS.launch();
  let next = 0;
  return {
    async live() {
      const from = performance.now();
      const workflowID = `life-${next++}`;
      const isShown = new Promise<void>((resolve) => shown.set(workflowID, resolve));
      const handle = await DBOS.startWorkflow(flow, { workflowID })({ item_ref: "TL-200", quantity: 1 });
      await isShown;
      shown.delete(workflowID);
      const record = await DBOS.getEvent<JsonObject>(workflowID, "record");
      assert(record !== null, "the person finds the terms");
      const approval = await sign("approval", {
        typ: "countersign.approval/1",
        task_id: workflowID,
        action_digest: await digestOf(record),
        decision: "approved",
      });
      await DBOS.send(workflowID, { approval }, "decision");
      const receipt = await handle.getResult();
      assert(receipt.length > 0, "the receipt is signed");
      return performance.now() - from;
    },
    orders: () => orders,
    stop: () => DBOS.shutdown(),
  };
}

async function actionOf(taskId: string, order: Order): Promise<JsonObject> {
  const terms = retailOrderSubmit.example.terms ?? {};
  return {
    typ: "countersign.action/1",
    task_id: taskId,
    parameters: { ...order },
    terms,
    request_digest: await digestOf({ ...order }),
    observed: await digestOf(terms),
  };
}
