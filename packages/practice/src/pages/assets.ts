import { asset } from "../http/reply.ts";
import type { Route } from "../shop/route.ts";
import { PICTURES } from "./pictures.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

const SVG = "image/svg+xml";

export const assetRoutes: readonly Route[] = [
  { method: "GET", path: "/assets/shop.css", access: "anyone", handle: () => asset("text/css; charset=utf-8", STYLE) },
  {
    method: "GET",
    path: "/assets/shop.js",
    access: "anyone",
    handle: () => asset("text/javascript; charset=utf-8", SCRIPT),
  },
  ...Object.entries(PICTURES).map(
    ([name, picture]): Route => ({
      method: "GET",
      path: `/assets/${name}.svg`,
      access: "anyone",
      handle: () => asset(SVG, picture),
    }),
  ),
];
