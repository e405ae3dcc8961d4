import { otherExtensionPoint } from "@countersign/a2a";
import { definePlugin } from "@countersign/plugin";

/** What it is called; the name says the version, and is never fetched. */
export const GIFT_WRAP = "https://wrapping.example/extensions/gift-wrap/v1";

/** A plugin of somebody else's: it adds one extension to the gateway's agent card, and speaks it towards other agents. */
export const giftWrap = definePlugin({
  manifest: {
    id: "wrapping.example",
    version: "1",
    title: "Gift wrapping",
    opens: [],
    uses: [otherExtensionPoint],
  },
  contribute(put) {
    put(otherExtensionPoint, {
      id: "gift-wrap",
      key: GIFT_WRAP,
      order: 200,
      value: {
        uri: GIFT_WRAP,
        description: "Orders may be wrapped as a gift.",
        required: false,
        // Everybody can read a card. What looks like a credential in here stops the gateway's start.
        params: { papers: ["plain", "stars"] },
        // As a client: which cards of other agents it can live with, and what it says in each message to them.
        asClient: {
          accepts: (params) => Array.isArray(params?.["papers"]),
          onRequest: () => ({ paper: "stars" }),
        },
      },
    });
  },
});
