import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where a gateway keeps its store, keys and socket: `--data`, else `COUNTERSIGN_DATA`, else the user's data folder. */
export function dataDir(option: string | undefined): string {
  if (option !== undefined) return resolve(option);
  const { COUNTERSIGN_DATA, XDG_DATA_HOME } = process.env;
  if (COUNTERSIGN_DATA) return resolve(COUNTERSIGN_DATA);
  return join(XDG_DATA_HOME || join(homedir(), ".local", "share"), "countersign");
}
