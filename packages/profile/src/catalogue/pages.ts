import { OPERATIONS } from "./catalogue.ts";
import { DOMAINS, domainOf } from "./domains.ts";
import { GAPS } from "./gaps.ts";
import type { CommitOperation, FieldMeaning, LimitMeaning, Operation } from "./model.ts";
import { membersTable } from "./pages-members.ts";
import { inputSchema } from "./published.ts";

// The reference pages under docs/catalogue/, one an operation and one for all, from the operations themselves.

const SCHEMAS = "../../packages/profile/schemas";
const WRITTEN =
  "<!-- Written by `npm run catalogue` from packages/profile/src/catalogue/operations: change it there. -->";

const POLICIES: Readonly<Record<CommitOperation["approval"], string>> = {
  none: "nobody has to decide",
  session: "the account holder decides in their own session",
  authority: "the account holder or an authority that they enrolled decides, and not in a session alone",
  passkey: "the account holder decides with their passkey",
};
const RULES: Readonly<Record<FieldMeaning["compare"], string>> = {
  equal: "any change asks again",
  not_above: "lower is allowed and recorded, higher asks again",
  informative: "shown, never compared",
};

/** Every page by its file name. */
export function cataloguePages(): ReadonlyMap<string, string> {
  return new Map([
    ["README.md", overview()],
    ...OPERATIONS.map((operation) => [`${operation.id}.md`, page(operation)] as const),
  ]);
}

function overview(): string {
  const sections = Object.entries(DOMAINS).map(([prefix, title]) => {
    const rows = OPERATIONS.filter(({ id }) => id.startsWith(`${prefix}.`)).map((o) => [
      `[\`${o.id}\`](${o.id}.md)`,
      o.title,
      o.effect === "read" ? "reads" : "acts",
      o.effect === "read" ? "the grant alone" : o.approval,
    ]);
    return `## ${title}\n\n${table(["operation", "what it does", "effect", "who decides each time"], rows)}`;
  });
  return `${WRITTEN}

# The operation catalogue

Everything that can be asked for at an account, as typed operations. What is listed here is what *can* be described; what an account *offers* is what a site adapter does there, and its capabilities say (\`GET /v1/accounts/{account_ref}/capabilities\`). An operation that nothing there can do is answered with \`capability_gap\`.

A running gateway publishes its catalogue, with operations that came by plugins and with who decides as its operator has set it, at \`/.well-known/agentic-web-execution/catalogue\`. The schemas alone are files in [\`packages/profile/schemas\`](${SCHEMAS}).

- **A read** needs a read grant. It has parameters and a result, and is put to nobody.
- **An act** has terms as well: what the site shows on its last screen before it is done. The person decides on those; before it is done they are read again and compared by the rules of its page. Lower amounts pass where the page says so; anything else that moved asks again.
- Money is whole minor units (cents) beside an ISO 4217 currency, never converted. Days are \`YYYY-MM-DD\`, times RFC 3339 with an offset.
- A reference (\`…_ref\`) is the site's own name for a thing, as the listing operation gives it, or one of the references that the account's capabilities list. Terms repeat it as it was asked for.
- A version is raised when a request, terms or a rule that held before no longer would; members that may be left out are added within a version.

${sections.join("\n\n")}

## Adding one

An operation is one file in \`packages/profile/src/catalogue/operations\`; \`npm run catalogue\` adds it to the list and writes its page and its schemas. The tests there hold every operation to the same things: its example fits its own schemas, every term has a meaning and is drawn whole, each change of a material term asks again, amounts agree with each other, and what a read-back looks for stands among the terms. A plugin brings an operation without a change here (\`gateway.catalogue\`).
`;
}

function page(operation: Operation): string {
  const { id, title, about, version, sensitivity } = operation;
  const kind = operation.effect === "read" ? "A read" : `An act: ${POLICIES[operation.approval]}`;
  const schemas = ["parameters", ...(operation.effect === "commit" ? ["terms"] : []), "result"];
  return [
    WRITTEN,
    `# ${title}`,
    `\`${id}\`, version ${version}. ${domainOf(id)}. ${kind}.${sensitivity === "critical" ? " Sensitive." : ""}`,
    about ?? "",
    `Schemas: ${schemas.map((name) => `[${name}](${SCHEMAS}/${id}.${name}.json)`).join(", ")}.`,
    ...gap(id),
    "## What an agent sends",
    membersTable(inputSchema(operation.parameters)),
    code(operation.example.parameters),
    ...(operation.effect === "commit" ? acting(operation) : []),
    ...repeating(operation),
    "## What comes back",
    membersTable(inputSchema(operation.result)),
    code(operation.example.result),
    ...personal(operation),
    "",
  ]
    .filter((part, index, all) => part !== "" || index === all.length - 1)
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

function acting(operation: CommitOperation): readonly string[] {
  const { meaning, ceiling, limits, readBack, example } = operation;
  const drawn = [
    ...meaning.fields.map((f) => ({ ...f, rule: RULES[f.compare] })),
    ...meaning.personal.map(({ name, label, place }) => ({
      member: name,
      label,
      show: "personal text",
      place,
      rule: `${RULES.equal}; in the record by a salted digest alone`,
    })),
    ...meaning.lists.flatMap((list) => [
      {
        member: list.member,
        label: list.label,
        show: "rows",
        place: list.place,
        rule: `a row more, fewer or another (by ${list.key.join(", ")}) asks again`,
      },
      ...list.fields.map((f) => ({
        ...f,
        member: `${list.member}/*/${f.member}`,
        place: list.place + f.place / 1000,
        rule: RULES[f.compare],
      })),
    ]),
  ].sort((a, b) => a.place - b.place);
  const sums = (meaning.sums ?? []).map((sum) =>
    "members" in sum
      ? `\`${sum.total}\` is the sum of ${sum.members.map((name) => `\`${name}\``).join(" and ")}`
      : `\`${sum.total}\` is the sum of \`${sum.list}\` (\`${sum.amount}\`${sum.quantity === undefined ? "" : ` times \`${sum.quantity}\``})`,
  );
  return [
    "## What the person decides on",
    `"${meaning.question}" In this order, each with what happens when it has moved by the time it is done:`,
    table(
      ["member", "shown as", "as", "when it moved"],
      drawn.map(({ member, label, show, rule }) => [`\`${member}\``, label, show, rule]),
    ),
    membersNote(operation),
    code(example.terms ?? {}),
    "## What is held against what",
    bullets([
      ...(ceiling === undefined
        ? []
        : [
            `\`${ceiling.totalMember}\` above the request's \`${ceiling.limitMember}\`, or in another currency, is denied and put to nobody.`,
          ]),
      ...sums.map((sum) => `${sum}; terms in which it is not are put to nobody.`),
      ...(meaning.validUntil === undefined ? [] : [`Past \`${meaning.validUntil}\` a new decision is needed.`]),
      ...limitLines(operation, limits),
    ]),
    ...(readBack === undefined
      ? []
      : [
          "## When the answer is lost",
          `It is never sent again, but looked for. ${readBack.where} What tells it from any other: ${listed(readBack.terms)}.${readBack.listedBy === undefined ? "" : ` Listed by [\`${readBack.listedBy}\`](${readBack.listedBy}.md).`}`,
        ]),
  ];
}

function membersNote({ meaning }: CommitOperation): string {
  return `In the receipt: ${listed(meaning.receipt)}.`;
}

function limitLines({ ceiling }: CommitOperation, limits: LimitMeaning | undefined): readonly string[] {
  const amount =
    ceiling !== undefined
      ? [`A grant's limits on money are held against \`${ceiling.totalMember}\`.`]
      : limits?.amount === "open"
        ? ["What will leave is not known when it is decided: a grant that limits money does not cover it."]
        : ["No money leaves, so a grant's limits on money say nothing of it."];
  const payee =
    limits?.payee === undefined || limits.payee === "none"
      ? []
      : [`A grant's payees are held against \`${limits.payee.termsMember}\`.`];
  const { items } = limits ?? {};
  const of = items === undefined || items === "none" ? undefined : items;
  const list = of?.termsList === undefined ? "" : ` of \`${of.termsList}\``;
  const rows = of?.where === undefined ? "" : `, of those whose \`${of.where.member}\` is \`${of.where.equals}\``;
  return [
    ...amount,
    ...payee,
    ...(of === undefined ? [] : [`A grant's items are held against \`${of.termsMember}\`${list}${rows}.`]),
    "Each counts as one towards a grant's number of actions.",
  ];
}

function repeating(operation: Operation): readonly string[] {
  if (operation.effect !== "read" || operation.repeats === undefined) return [];
  const { untilMember, metMember, everyMsMin } = operation.repeats;
  return [
    "## How it goes on",
    `It is looked at again, no more often than every ${everyMsMin / 60_000} minutes, until \`${metMember}\` is true or \`${untilMember}\` has come; then it reports, once, and does nothing else. Between two looks the task is \`executing\`, and its \`watch\` says when it is looked at next. The grant is read anew at each look. When its time has come it ends with what was seen last. A request's \`expires_at\` is not before \`${untilMember}\`.`,
  ];
}

function gap(id: string): readonly string[] {
  const missing = GAPS[id];
  return missing === undefined ? [] : [`> **Not there yet.** ${missing}`];
}

function personal({ personalData }: Operation): readonly string[] {
  if (personalData === undefined || personalData.length === 0) return [];
  return [
    "## Personal data",
    `${listed(personalData)}: marked so that whoever keeps a copy masks it. No log has it, and no receipt.`,
  ];
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function code(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
