import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Keeper, startKeeper } from "./keeper.ts";

/** A folder for one run, removed at its end, even when this process is killed. */
export interface RunFolder {
  readonly path: string;
  readonly keeper: Keeper;
  remove(): Promise<void>;
}

/** @param name is part of the folder's name. */
export async function makeRunFolder(name: string): Promise<RunFolder> {
  const path = await mkdtemp(join(tmpdir(), `countersign-${name}-`));
  await chmod(path, 0o711); // PostgreSQL's account passes through it
  const keeper = startKeeper();
  keeper.keep("folder", path);
  return {
    path,
    keeper,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      keeper.dismiss();
    },
  };
}
