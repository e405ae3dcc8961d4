import { z } from "zod";
import { applicationFile } from "../application/application.ts";
import { OPERATIONS } from "../catalogue/catalogue.ts";
import { actionRecord } from "../records/action.ts";
import { approvalRecord } from "../records/approval.ts";
import { evidenceBundle } from "../records/bundle.ts";
import { checkpointRecord, keySetRecord, revocationRecord } from "../records/keys.ts";
import { credentialRecord, passkeyRecord } from "../records/passkey.ts";
import { receiptRecord } from "../records/receipt.ts";
import { requestEnvelope } from "../request/request.ts";

const RECORDS: Readonly<Record<string, z.ZodType>> = {
  application: applicationFile,
  request: requestEnvelope,
  action: actionRecord,
  approval: approvalRecord,
  receipt: receiptRecord,
  keys: keySetRecord,
  passkey: passkeyRecord,
  credential: credentialRecord,
  revocation: revocationRecord,
  checkpoint: checkpointRecord,
  bundle: evidenceBundle,
};

/** Every published JSON Schema by file name, generated from the schemas that the code itself validates with (REQ-7). */
export function publishedSchemas(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [name, schema] of Object.entries(RECORDS)) files.set(`${name}.json`, render(schema, name));
  for (const operation of OPERATIONS) {
    files.set(`${operation.id}.parameters.json`, render(operation.parameters, `${operation.id} parameters`));
    files.set(`${operation.id}.result.json`, render(operation.result, `${operation.id} result`));
    if (operation.effect === "commit")
      files.set(`${operation.id}.terms.json`, render(operation.terms, `${operation.id} terms`));
  }
  return files;
}

/** As a sender sees it: members with a default may be left out. Rules that JSON Schema cannot say stay in the code. */
function render(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return `${JSON.stringify({ title, ...json }, null, 2)}\n`;
}
