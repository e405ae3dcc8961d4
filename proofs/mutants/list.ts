export interface Patch {
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** A guard taken out of the source, and the run that has to notice. */
export interface Mutant extends Patch {
  readonly name: string;
  readonly file: string;
  /** Where a second guard stands behind the first one, both are taken out. */
  readonly also?: Patch;
  /** Arguments of `vitest run`. */
  readonly run: readonly string[];
}

const gateway = (file: string) => `packages/gateway/src/${file}`;
const JUDGE = gateway("execution/judge.ts");
const judge = ["packages/gateway/src/execution/judge"];
const outcomes = ["test/outcomes.test.ts"];
const published = ["test/published.test.ts"];

export const MUTANTS: readonly Mutant[] = [
  { name: "fence not compared", file: JUDGE, find: "    task.fence === claimed.fence &&\n", replace: "", run: judge },
  {
    name: "version not compared",
    file: JUDGE,
    find: "    task.version === claimed.version &&\n",
    replace: "",
    run: judge,
  },
  { name: "lease may have run out", file: JUDGE, find: " && task.lease_until > now;", replace: ";", run: judge },
  { name: "submitted twice", file: JUDGE, find: " &&\n    task.submitted === 0", replace: "", run: judge },
  {
    name: "grant not asked",
    file: JUDGE,
    find: 'if (!allowed.ok) return err({ kind: "stopped", event: "denied", reason: allowed.reason });\n  const inHours',
    replace: "if (!allowed.ok) return allowed as never;\n  const inHours",
    run: judge,
  },
  { name: "hours not asked", file: JUDGE, find: "if (!inHours.ok)", replace: "if (false as boolean)", run: judge },
  {
    name: "route not asked",
    file: JUDGE,
    find: "if (!allowed.value.routes.includes(record.route.kind))",
    replace: "if (false as boolean)",
    run: judge,
  },
  {
    name: "request expiry not asked",
    file: JUDGE,
    find: "now >= task.request_expires_at",
    replace: "false as boolean",
    run: judge,
  },
  {
    name: "decision not asked",
    file: JUDGE,
    find: 'action?.status !== "approved" || (approval !== undefined && approval.decision !== "approved")',
    replace: "action === undefined",
    run: judge,
  },
  {
    name: "digest not compared",
    file: JUDGE,
    find: "action.digest !== digest || ",
    replace: "",
    run: judge,
  },
  {
    name: "approval of another record",
    file: JUDGE,
    find: "approval !== undefined && !isOf(approval, facts)",
    replace: "false as boolean",
    run: judge,
  },
  {
    name: "policy not asked",
    file: JUDGE,
    find: "if (!unasked && (approval === undefined || !satisfiesPolicy(policyToSatisfy(policy, record), approval.method)))",
    replace: "if (false as boolean)",
    run: judge,
  },
  {
    name: "record expiry not asked",
    file: JUDGE,
    find: "now >= recordExpiry.value || now >= action.expires_at",
    replace: "false as boolean",
    run: judge,
  },
  {
    name: "quote may have ended",
    file: JUDGE,
    find: "if (quoteEnded(facts))",
    replace: "if (false as boolean)",
    run: judge,
  },
  {
    name: "authority not asked again",
    file: JUDGE,
    find: 'outside.kind !== "stands")',
    replace: "false as boolean)",
    run: judge,
  },
  {
    name: "connection not asked",
    file: JUDGE,
    find: 'facts.connection?.state !== "connected"',
    replace: "false as boolean",
    run: judge,
  },
  { name: "terms not compared", file: JUDGE, find: "compared.holds && ", replace: "", run: judge },
  { name: "personal text not compared", file: JUDGE, find: " && personal.length === 0", replace: "", run: judge },
  {
    name: "contradictions not asked",
    file: JUDGE,
    find: " || operation.contradictions(parameters, fresh.data).length > 0",
    replace: "",
    run: judge,
  },
  { name: "limits not asked", file: JUDGE, find: "if (!fits.ok)", replace: "if (false as boolean)", run: judge },
  {
    name: "restored store may commit",
    file: JUDGE,
    find: "if (facts.readBackFirst)",
    replace: "if (false as boolean)",
    run: judge,
  },
  {
    name: "approval not consumed",
    file: gateway("execution/boundary.ts"),
    find: '  if (approval !== undefined)\n    await tx\n      .insertInto("approval_use")',
    replace: '  if (approval === null)\n    await tx\n      .insertInto("approval_use")',
    run: ["test/approval.test.ts"],
  },
  {
    name: "evidence of an authority not consumed",
    file: gateway("execution/boundary.ts"),
    find: "  await consumeOutside(tx, task.task_id, facts.outside, facts.now);\n",
    replace: "  void consumeOutside;\n",
    run: ["test/authority.test.ts"],
  },
  {
    name: "use of the grant not written",
    file: gateway("execution/boundary.ts"),
    find: "  await reserveUse(tx, task, may.act, facts.now);\n",
    replace: "  void reserveUse;\n",
    run: ["test/consent.test.ts"],
  },
  {
    name: "commits are not durable",
    file: gateway("store/sqlite.ts"),
    find: "pragma synchronous = full;",
    replace: "pragma synchronous = normal;",
    run: ["packages/gateway/src/store"],
  },
  {
    name: "a task moves without its version",
    file: gateway("tasks/tasks.ts"),
    find: '    .where("version", "=", task.version)\n    .where("state", "=", task.state)\n',
    replace: "",
    run: ["packages/gateway/src/tasks"],
  },
  {
    name: "a submitted task can be denied",
    file: gateway("machine/step.ts"),
    find: "return task.submitted || isTerminal(task.state) ? undefined : event.type;",
    replace: "return isTerminal(task.state) ? undefined : event.type;",
    also: {
      find: 'if (!mayMove(task.submitted ? "submitted" : "before", task.state, to)) return err("no_such_transition");',
      replace: "",
    },
    run: ["packages/gateway/src/machine"],
  },
  {
    name: "a late worker may send",
    file: gateway("egress/wire-request.ts"),
    find: "if (outgoing.mayLeave?.() === false) return fail();",
    replace: "",
    run: ["packages/gateway/src/egress"],
  },
  {
    name: "absence counts at once",
    file: gateway("execution/windows.ts"),
    find: "return readingBegunAt - submittedAt >= ABSENT_SETTLE_MS;",
    replace: "return readingBegunAt >= submittedAt - ABSENT_SETTLE_MS;",
    run: ["packages/gateway/src/execution/windows"],
  },
  {
    name: "an equal wish is not held",
    file: gateway("admission/admit.ts"),
    find: "held_by: twin ?? null,",
    replace: "held_by: null,",
    run: outcomes,
  },
  {
    name: "a changed record replays",
    file: gateway("admission/admit.ts"),
    find: "if (earlier.record_digest !== checked.recordDigest)",
    replace: "if (false as boolean)",
    run: published,
  },
  {
    name: "another person's task is found",
    file: gateway("tasks/tasks.ts"),
    find: '    .where("tenant_id", "=", owner.tenantId)\n    .where("person_id", "=", owner.personId)\n',
    replace: "",
    run: published,
  },
  {
    name: "a revoked grant still stands",
    file: gateway("consent/check.ts"),
    find: 'if (consent.state === "revoked") return err("grant_revoked");\n',
    replace: 'if (consent.state === "revoked") consent = { ...consent, state: "granted" };\n',
    run: published,
  },
  {
    name: "a grant of another account serves",
    file: gateway("consent/check.ts"),
    find: "if (consent.account_ref !== use.accountRef)",
    replace: "if (false as boolean)",
    run: ["packages/gateway/src/consent"],
  },
  {
    name: "a continuation is spent twice",
    file: gateway("connection/continuations.ts"),
    find: "if (used.numInsertedOrUpdatedRows !== 1n) return false;",
    replace: "",
    run: ["packages/gateway/src/connection", "test/continuations.test.ts"],
  },
  {
    name: "a restored task is not read back",
    file: gateway("execution/process.ts"),
    find: "if (task.suspect === 1 && task.submitted === 0) return runSuspect(work);",
    replace: "",
    run: ["test/restore.test.ts"],
  },
  {
    name: "a restored store holds no other account",
    file: gateway("restore/restored.ts"),
    find: '.where((w) => w.or([w("review_at", "is", null), w("account_ref", "=", accountRef)]))',
    replace: '.where("account_ref", "=", accountRef)',
    run: ["test/restore.test.ts"],
  },
  {
    name: "a revocation leaves a worker its turn",
    file: gateway("tasks/wake.ts"),
    find: ".set({ due_at: now, version: sql`version + 1` })",
    replace: ".set({ due_at: now, version: sql`version` })",
    run: ["test/revocation.test.ts"],
  },
  {
    name: "a restored store keeps its grants",
    file: gateway("restore/restored.ts"),
    find: 'if (grants === "end") {',
    replace: 'if (grants === ("never" as string)) {',
    run: ["test/restore.test.ts"],
  },
  {
    name: "an unknown answer is a refusal",
    file: gateway("execution/commit.ts"),
    find: 'else if (landed === "unknown") await settleLost(work, answered);',
    replace: 'else if (landed === "unknown") await settleRefused(work, answered, "site_refused");',
    run: published,
  },
];
