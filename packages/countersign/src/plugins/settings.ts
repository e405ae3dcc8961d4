import { z } from "zod";

const LOAD_MAX = 50;

/** As npm writes a name, and nothing beside it: no version, no path inside, no URL. */
const packageName = z
  .string()
  .max(214)
  .regex(
    /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/,
    "the exact name of an installed package; no version, path or URL",
  );

/** Below the folder; what a path may not do is judged when it is looked up, links included. */
const path = z
  .string()
  .max(500)
  .regex(
    /^(?![/\\])(?!.*(^|\/)\.\.?(\/|$))[A-Za-z0-9@._/-]+$/,
    "a path below the plugins folder, without dots and not a URL",
  );

/** The host's word that a plugin may take the place of signers, approvers, egress and stores. */
const trusted = z.literal(true).exactOptional();

/** Which plugins of others are loaded. What is not named here is not loaded: nothing is looked for (PLG-5). */
export const pluginsSchema = z
  .strictObject({
    /** Where plugins in folders of their own are; as this file names it, seen from the file's own folder. */
    folder: z.string().min(1).max(4_096).exactOptional(),
    load: z
      .array(
        z.union(
          [z.strictObject({ package: packageName, trusted }), z.strictObject({ path, trusted })],
          "the exact name of an installed package (package), or a path below the plugins folder (path); no URL",
        ),
      )
      .max(LOAD_MAX)
      .default([]),
  })
  .refine((p) => p.folder !== undefined || p.load.every((one) => "package" in one), "a path needs a folder");

export type PluginsSettings = z.infer<typeof pluginsSchema>;
export type PluginSetting = PluginsSettings["load"][number];
