import { cataloguePoint, definePlugin, operationPoint } from "@countersign/plugin";
import { library } from "./library.ts";
import { listLoans } from "./operation.ts";
import { dueTextPoint } from "./points.ts";

export { type DueText, dueTextPoint } from "./points.ts";

const VERSIONS = ["1.0"];
/** Points of others have no default: whoever contributes there says how early. */
const ORDER = 200;

/** An invented protocol of libraries, from outside of Countersign: what a plugin can bring, in one small folder. */
export const plugin = definePlugin({
  manifest: {
    id: "protocol.lending",
    version: "1",
    title: "Lending Desk",
    opens: [dueTextPoint],
    uses: [cataloguePoint, operationPoint],
    describes: {
      id: "lending",
      name: "Lending Desk",
      versions: VERSIONS,
      publisher: "nobody: it is an example",
      layer: "transport",
      roles: ["client"],
      state: "draft",
      points: [dueTextPoint.id],
      catalogue: { id: "lending-desk", versions: VERSIONS },
      libraries: [],
    },
  },
  contribute(put, scope) {
    put(dueTextPoint, { id: "default", value: (due) => due });
    put(cataloguePoint, { id: listLoans.id, key: listLoans.id, value: listLoans, order: ORDER });
    // The winner is asked for when a date is written, so that whoever replaces the default is heard.
    const site = library(() => scope.get(dueTextPoint) ?? ((due) => due));
    put(operationPoint, { id: site.id, key: site.id, value: site, order: ORDER });
  },
});
