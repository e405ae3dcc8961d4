import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { useEffect, useState } from "react";
import { checkFaithful, type Faithful } from "./faithful.ts";

/** The check of exactly the record that is shown now: a check of an earlier answer never speaks for a later one. */
export function useFaithful(view: ApprovalView, askedFor: string): Faithful | "checking" | "mismatch" {
  const subject = JSON.stringify([askedFor, view.action, view.action_digest, view.disclosures, view.meaning]);
  const [checked, setChecked] = useState<{ readonly subject: string; readonly result: Faithful | "mismatch" }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the subject holds all that the check reads
  useEffect(() => {
    let current = true;
    checkFaithful(view, askedFor)
      .catch(() => undefined)
      .then((result) => {
        if (current) setChecked({ subject, result: result ?? "mismatch" });
      });
    return () => {
      current = false;
    };
  }, [subject]);
  return checked?.subject === subject ? checked.result : "checking";
}
