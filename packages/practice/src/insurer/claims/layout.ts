import { type Answer, page, pagePolicy } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { CLAIMS_COMPANY } from "../seed.ts";
import type { InsurerWorld } from "../world.ts";

export interface FramePart {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
}

/** A page of the claims company: it stands in the insurer's frame and nowhere else. */
export function framePage(world: InsurerWorld, part: FramePart): Answer {
  const document = html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${part.title} | ${CLAIMS_COMPANY}</title>
<link rel="stylesheet" href="/assets/brightwell.css">
<script src="/assets/brightwell.js" defer></script>
</head>
<body>
<header>${CLAIMS_COMPANY}<span>for Fairhaven Mutual</span></header>
<main>
${part.main}
</main>
</body>
</html>
`;
  const policy = pagePolicy().replace("frame-ancestors 'none'", `frame-ancestors ${world.places.portal}`);
  return page(part.status ?? 200, document.markup, { "content-security-policy": policy });
}

export function frameNotice(world: InsurerWorld, status: number, title: string, text: string): Answer {
  const main = html`<h1>${title}</h1>
<p role="alert">${text}</p>
<p><a href="${world.places.portal}/claims/new" target="_top">Begin again</a></p>`;
  return framePage(world, { title, main, status });
}
