import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { err, ok, type Result, type Secret, secret } from "@countersign/wire";
import { z } from "zod";

const credentialFile = z.strictObject({
  client_id: z.string().min(1),
  token_endpoint: z.url(),
  resource: z.url(),
  refresh_token: z.string().min(1),
});

/** What an agent keeps: where to get access tokens, and the refresh token that gets them, which changes at every use. */
export interface Credential {
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly resource: string;
  readonly refreshToken: Secret<string>;
}

export function readCredential(path: string): Result<Credential, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return err(`the agent's credential file ${path} cannot be read; make one with: countersign agent add NAME`);
  }
  try {
    const file = credentialFile.parse(JSON.parse(text));
    return ok({
      clientId: file.client_id,
      tokenEndpoint: file.token_endpoint,
      resource: file.resource,
      refreshToken: secret(file.refresh_token),
    });
  } catch {
    return err(`${path} is not a credential file of an agent`);
  }
}

/** Replaces the file in one step: a half-written one would lose the agent its access. */
export function writeCredential(path: string, credential: Credential): void {
  const text = JSON.stringify({
    client_id: credential.clientId,
    token_endpoint: credential.tokenEndpoint,
    resource: credential.resource,
    refresh_token: credential.refreshToken.reveal(),
  });
  const next = `${path}.new`;
  writeFileSync(next, `${text}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, path);
}
