import type { TaskView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Text } from "../parts/value.tsx";

/** Which operator's agent sent the request, where the gateway asks; it has decided nothing. */
export function SentBy({ calledBy }: { readonly calledBy: TaskView["called_by"] }) {
  if (calledBy === undefined) return null;
  return (
    <Fact label={M.tasks.sentBy}>
      {calledBy.outcome === "verified" ? (
        <>
          <Text text={URL.parse(calledBy.agent)?.host ?? calledBy.agent} />, {M.tasks.sentBySigned}
        </>
      ) : (
        M.tasks.sentByOutcome[calledBy.outcome]
      )}
    </Fact>
  );
}
