import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ADAPTER_NAME, ADAPTER_NAME_CHARS_MAX, skeletonFiles } from "@countersign/adapter-kit";
import { type ExitCode, print, say } from "../cli.ts";

/** Writes the skeleton into a folder that is not there yet: nobody's work is written over. */
export function newAdapter(name: string, dir: string): ExitCode {
  if (!ADAPTER_NAME.test(name) || name.length > ADAPTER_NAME_CHARS_MAX) {
    say(
      "countersign adapter new: a name is lower-case letters, figures and single dashes, for example my-power-company; where its folder is made is for --dir",
    );
    return 2;
  }
  const folder = resolve(dir, name);
  if (existsSync(folder)) {
    say(`countersign adapter new: ${folder} is there already; choose another name, or remove it first`);
    return 1;
  }
  try {
    for (const [path, text] of skeletonFiles(name)) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: "wx" });
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    say(`countersign adapter new: the files cannot be written to ${folder} (${code})`);
    return 1;
  }
  print(`Written to ${folder}`);
  print(`Now:  countersign adapter test ${join(dir, name)}`);
  print(`      countersign adapter check ${join(dir, name)}`);
  return 0;
}
