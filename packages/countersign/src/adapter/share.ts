import { pathToFileURL } from "node:url";
import { sharePackagesWith } from "../plugins/shared-packages.ts";
import { SHARE_FOLDER } from "./share-folder.ts";

// Loaded before the tests of an adapter's folder.
const folder = process.env[SHARE_FOLDER];
if (folder !== undefined) sharePackagesWith(`${pathToFileURL(folder).href}/`);
