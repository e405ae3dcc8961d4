import { type ParseArgsConfig, parseArgs } from "node:util";
import { err, ok, terminalJson, terminalText } from "@countersign/wire";

/** How a command ended. 0 done, 1 the thing asked for did not come about, 2 the words of the call are off. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  readonly name: string;
  readonly help: string;
  run(args: readonly string[]): Promise<ExitCode>;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Parses a command's words; the reason is a sentence for the person at the terminal. */
export function readArgs<const O extends Options>(args: readonly string[], options: O) {
  try {
    return ok(parseArgs({ args: [...withDashedValues(args, options)], options, allowPositionals: true, strict: true }));
  } catch (error) {
    return err(error instanceof Error ? (error.message.split("\n")[0] ?? "bad arguments") : "bad arguments");
  }
}

/**
 * A pin is base64url, and one in sixty-four begins with a dash, which would be read as an option: what follows an option
 * that takes a value is its value, unless it is itself an option of the command.
 */
function withDashedValues(args: readonly string[], options: Options): readonly string[] {
  const isOption = (word: string): boolean => {
    const [name = ""] = word.slice(2).split("=");
    return word === "-h" || (word.startsWith("--") && Object.hasOwn(options, name));
  };
  const joined: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const next = args[at + 1];
    const takes = word.startsWith("--") && options[word.slice(2)]?.type === "string";
    const dashed = takes && next?.startsWith("-") === true && !isOption(next);
    joined.push(dashed ? `${word}=${next}` : word);
    if (dashed) at += 1;
  }
  return joined;
}

/** Whatever a command says goes through here: nothing in it can move the cursor, hide or reorder (U33). */
export function say(line: string): void {
  process.stderr.write(`${terminalText(line)}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${terminalText(text)}\n`);
}

/** JSON for a person or a program: odd characters stand as JSON escapes, and the value is the same. */
export function printJson(value: unknown): void {
  process.stdout.write(`${terminalJson(value)}\n`);
}

export function usageError(command: Command, why: string): ExitCode {
  say(`countersign ${command.name}: ${why}`);
  say(`See: countersign ${command.name} --help`);
  return 2;
}
