import type { Route } from "../shop/route.ts";
import { showMe, showProducts } from "./account.ts";
import { showItem, showWishlist } from "./items.ts";
import { previewCancellation, showMembership, showPreview, submitCancellation } from "./membership.ts";
import { previewOrderCancel, submitOrderCancel } from "./order-cancel.ts";
import { listOrders, makeQuote, showOrder, showQuote, submitQuote } from "./orders.ts";
import { endSession, startSession, verifySession } from "./session.ts";
import { sendCode, showVerification } from "./verifications.ts";

const V1 = "/api/v1";
const anyone = { access: "anyone" } as const;
const signedIn = { access: "signed_in" } as const;
const readBack = { access: "signed_in", readBack: "read_back" } as const;

/** The JSON twin of the pages. */
export const apiRoutes: readonly Route[] = [
  { method: "POST", path: `${V1}/session`, ...anyone, handle: startSession },
  { method: "POST", path: `${V1}/session/verify`, ...anyone, handle: verifySession },
  { method: "DELETE", path: `${V1}/session`, ...signedIn, handle: endSession },
  { method: "GET", path: `${V1}/products`, ...anyone, handle: showProducts },
  { method: "GET", path: `${V1}/products/:sku`, ...signedIn, handle: showItem },
  { method: "GET", path: `${V1}/wishlist`, ...signedIn, handle: showWishlist },
  { method: "GET", path: `${V1}/me`, ...signedIn, handle: showMe },
  { method: "POST", path: `${V1}/quotes`, ...signedIn, handle: makeQuote },
  { method: "GET", path: `${V1}/quotes/:quote`, ...signedIn, handle: showQuote },
  { method: "POST", path: `${V1}/orders`, ...signedIn, commit: "order", handle: submitQuote },
  { method: "GET", path: `${V1}/orders`, ...readBack, handle: listOrders },
  { method: "GET", path: `${V1}/orders/:number`, ...readBack, handle: showOrder },
  { method: "GET", path: `${V1}/orders/:number/cancellation`, ...signedIn, handle: previewOrderCancel },
  {
    method: "POST",
    path: `${V1}/order-cancellations`,
    ...signedIn,
    commit: "order_cancellation",
    handle: submitOrderCancel,
  },
  { method: "GET", path: `${V1}/verifications/:verification`, ...signedIn, handle: showVerification },
  { method: "POST", path: `${V1}/verifications/:verification`, ...signedIn, handle: sendCode },
  { method: "GET", path: `${V1}/membership`, ...readBack, handle: showMembership },
  { method: "POST", path: `${V1}/membership/cancellation-previews`, ...signedIn, handle: previewCancellation },
  { method: "GET", path: `${V1}/membership/cancellation-previews/:preview`, ...signedIn, handle: showPreview },
  {
    method: "POST",
    path: `${V1}/membership/cancellation`,
    ...signedIn,
    commit: "cancellation",
    handle: submitCancellation,
  },
];
