import { checkAdapter } from "../adapter/check.ts";
import { newAdapter } from "../adapter/new.ts";
import { testAdapter } from "../adapter/test.ts";
import { type Command, type ExitCode, readArgs, usageError } from "../cli.ts";

export const adapterCommand: Command = {
  name: "adapter",
  help: `Usage: countersign adapter new NAME [--dir FOLDER]
       countersign adapter test PATH
       countersign adapter check PATH [--only OPERATION,OPERATION] [--json]

An adapter is what can be done at one site. docs/add-a-site.md is the way from nothing to a loaded one.

  new NAME    writes a commented skeleton into NAME: one read and one commit by a site's API, a tiny site in memory,
              tests that pass. NAME is lower-case letters, figures and dashes, for example my-power-company
  test PATH   runs the tests of an adapter's folder (test/*.test.ts)
  check PATH  runs the adapter's check file, or the one in its folder, through every fault: a lost answer, changed
              terms, an ended session, a sign-in page, a second factor, a slow page, half a page, unreadable amounts.
              Says in plain words which promises it breaks. It is a test report, not a certificate

  --dir FOLDER         where the skeleton's folder is made; here, unless it is said
  --only ID,ID         these operations only
  --json               the report as one JSON document; progress goes to standard error

test and check run the adapter's own code. Exit code 0 when everything holds, 1 when something broke or could not run,
2 when the words of the call are off.`,
  async run(args): Promise<ExitCode> {
    const parsed = readArgs(args, {
      dir: { type: "string" },
      only: { type: "string" },
      json: { type: "boolean" },
    });
    if (!parsed.ok) return usageError(adapterCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    const [what, path, ...more] = positionals;
    if (path === undefined || more.length > 0)
      return usageError(adapterCommand, "say what to do, and with which adapter");
    const why = strayOption(what, values);
    if (why !== undefined) return usageError(adapterCommand, why);
    switch (what) {
      case "new":
        return newAdapter(path, values.dir ?? ".");
      case "test":
        return testAdapter(path);
      case "check":
        return checkAdapter(path, { only: values.only?.split(","), show: values.json === true ? "json" : "lines" });
      default:
        return usageError(adapterCommand, `there is no "${what}"; say new, test or check`);
    }
  },
};

/** An option that means nothing here was meant for something. */
function strayOption(what: string | undefined, values: Readonly<Record<string, unknown>>): string | undefined {
  const takes: readonly string[] = what === "new" ? ["dir"] : what === "check" ? ["only", "json"] : [];
  const stray = Object.keys(values).find((name) => values[name] !== undefined && !takes.includes(name));
  return stray === undefined ? undefined : `--${stray} says nothing to "${what}"`;
}
