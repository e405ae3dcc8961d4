import { err, ok, parseHttpUrl, type Result } from "@countersign/wire";
import { type CardProblem, cardProblem } from "./problem.ts";
import type { AgentCard, SecurityRequirement } from "./shape.ts";

/**
 * Whether the agent is called with what we give: a bearer token that this gateway issues for the person (MAP-2). An OAuth
 * or OpenID scheme counts where its tokens are those of this very issuer. A card that names schemes and asks for none,
 * or offers an empty alternative, lets anybody in and is refused (a2a.md section 9, row 3); so is one without any.
 */
export function judgeSecurity(card: AgentCard, skillIds: readonly string[], issuer: string): Result<true, CardProblem> {
  const lists: (readonly [string, readonly SecurityRequirement[]])[] = [
    ["/securityRequirements", card.securityRequirements],
  ];
  for (const [index, skill] of card.skills.entries()) {
    if (!skillIds.includes(skill.id) || skill.securityRequirements === undefined) continue;
    lists.push([`/skills/${index}/securityRequirements`, skill.securityRequirements]);
  }
  for (const [at, alternatives] of lists) {
    const open = alternatives.findIndex(({ schemes }) => Object.keys(schemes).length === 0);
    if (open !== -1) return err(cardProblem("anonymous_alternative", `${at}/${open}`));
    if (alternatives.length === 0) return err(cardProblem("anonymous_alternative", at));
    if (!alternatives.some((each) => isMet(card, each, issuer))) return err(cardProblem("security_scheme", at));
  }
  return ok(true);
}

function isMet(card: AgentCard, { schemes }: SecurityRequirement, issuer: string): boolean {
  return Object.keys(schemes).every((name) => {
    const scheme = Object.hasOwn(card.securitySchemes, name) ? card.securitySchemes[name] : undefined;
    if (scheme?.httpAuthSecurityScheme !== undefined)
      return scheme.httpAuthSecurityScheme.scheme.toLowerCase() === "bearer";
    const metadata =
      scheme?.openIdConnectSecurityScheme?.openIdConnectUrl ?? scheme?.oauth2SecurityScheme?.oauth2MetadataUrl;
    const url = metadata === undefined ? undefined : parseHttpUrl(metadata);
    return url?.ok === true && url.value.origin === issuer;
  });
}
