import type { Step } from "./define.ts";

/** One-time codes are counted as passwords are, and apart from them. Rows of an older process are passwords. */
export const codeTries: Step = async ({ run }) => {
  await run(
    "alter table sign_in_try add column kind text not null default 'password' check (kind in ('password','code'))",
  );
};
