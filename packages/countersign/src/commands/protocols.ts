import { type ListedProtocol, listProtocols, type MissingProtocol, missingProtocols } from "@countersign/plugin";
import type { Application } from "@countersign/profile";
import { readApplicationFile } from "../app-file/read.ts";
import { type Command, print, printJson, readArgs, say, usageError } from "../cli.ts";
import { loadPlugins } from "../plugins/load.ts";
import { dataDir } from "../setup/data-dir.ts";
import { readSettings, settingsFolder } from "../setup/settings.ts";
import { shippedKernel } from "../setup/shipped.ts";

const USED = "*";

export const protocolsCommand: Command = {
  name: "protocols",
  help: `Usage: countersign protocols [APP] [--json] [--data DIR] [--config FILE]

Lists the protocols that this gateway speaks: name, id, versions, layer, roles and state, a line each.
With an application, those that it uses are marked with ${USED} and one sentence says by what.

  APP            an application file: YAML, or a module (.ts, .js) with export const application = {…};
                 a module is code, and runs
  --json         one JSON document instead
  --data DIR     the gateway's data directory
  --config FILE  its settings, which may name plugins (default: countersign.json in the data directory)

Nothing needs to run. Ends with 1 when the application uses a protocol that is not spoken here.`,
  async run(args) {
    const parsed = readArgs(args, {
      json: { type: "boolean" },
      data: { type: "string" },
      config: { type: "string" },
    });
    if (!parsed.ok) return usageError(protocolsCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    const [file, ...more] = positionals;
    if (more.length > 0) return usageError(protocolsCommand, "one application at a time");
    const dir = dataDir(values.data);
    const settings = readSettings(dir, values.config);
    if (!settings.ok) return failed(settings.reason);
    const outside = await loadPlugins(settings.value.plugins, { settingsFolder: settingsFolder(dir, values.config) });
    if (!outside.ok) return failed(outside.reason);
    // No browser is started for a list; the route is only declared.
    const application = file === undefined ? undefined : await readApplicationFile(file);
    if (application?.ok === false) return failed(application.reason);
    const kernel = shippedKernel({ chromium: "", sandbox: "on" }, dir, outside.value);
    if (!kernel.ok) return failed(kernel.reason);
    const lines = listProtocols(kernel.value, application?.value);
    const missing = application === undefined ? [] : missingProtocols(kernel.value, application.value);
    if (values.json === true) printJson(asDocument(lines, missing, application?.value));
    else print([...asTable(lines, application?.value), ...asComplaints(lines, missing)].join("\n"));
    return missing.length > 0 ? 1 : 0;
  },
};

function failed(reason: string): 1 {
  say(`countersign protocols: ${reason}`);
  return 1;
}

function asDocument(
  lines: readonly ListedProtocol[],
  missing: readonly MissingProtocol[],
  application: Application | undefined,
): object {
  if (application === undefined) return { protocols: lines };
  const protocols = lines.map((line) => ({ ...line, used: line.evidence !== undefined }));
  return { application: application.name, protocols, missing };
}

/** Columns as wide as they need to be; the mark stands first, so that it is read without colour and out loud. */
function asTable(lines: readonly ListedProtocol[], application: Application | undefined): readonly string[] {
  const head = ["name", "id", "versions", "layer", "roles", "state"];
  const rows = lines.map((l) => [l.name, l.id, l.versions.join(", "), l.layer, l.roles.join(", "), l.state]);
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? "").length)));
  const line = (cells: readonly string[], mark: string) =>
    `${mark} ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd();
  const body = lines.flatMap((listed, at) => {
    const cells = rows[at] ?? [];
    if (listed.evidence === undefined) return [line(cells, " ")];
    return [line(cells, USED), `    ${listed.evidence}`];
  });
  const title = application === undefined ? [] : [`${application.name}: what it uses is marked with ${USED}.`, ""];
  return [...title, line(head, " "), ...body];
}

function asComplaints(lines: readonly ListedProtocol[], missing: readonly MissingProtocol[]): readonly string[] {
  const said = [
    ...missing.map(({ name, id, evidence }) => `Not spoken here: ${name} (${id}). ${evidence}`),
    ...lines
      .filter((l) => l.entry === "unknown")
      .map((l) => `Not in the catalogue: ${l.id}, which the plugin ${l.plugin} brings.`),
    ...lines
      .filter((l) => l.entry === "other_versions")
      .map((l) => `The catalogue has other versions of ${l.id} than the plugin ${l.plugin}.`),
  ];
  return said.length === 0 ? [] : ["", ...said];
}
