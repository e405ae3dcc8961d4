import type { DemandedPolicy } from "@countersign/profile";
import { Text as Help, Label, Radio, RadioGroup } from "react-aria-components";
import { M } from "../messages.ts";
import type { FieldProps } from "./fields.tsx";

/** The loosest first (catalogue/policy.ts of the profile). */
const POLICIES: readonly DemandedPolicy[] = ["session", "authority", "passkey"];
const NEEDED = "needed";

/** Who has to decide each action: the person may ask for more than the operations need, and never for less again. */
export function PolicyField({ asked, draft, onChange }: FieldProps) {
  const { approval: floor } = asked;
  const choices = floor === undefined ? ([NEEDED, ...POLICIES] as const) : POLICIES.slice(POLICIES.indexOf(floor));
  return (
    <RadioGroup
      className="group"
      value={draft.approval ?? NEEDED}
      onChange={(picked) => onChange({ approval: POLICIES.find((policy) => policy === picked) })}
    >
      <Label>{M.consents.policy}</Label>
      {choices.map((choice) => (
        <Radio key={choice} value={choice} className="choice">
          <span>{M.consents.policies[choice]}</span>
        </Radio>
      ))}
      <Help slot="description" className="hint">
        {draft.approval === "passkey" ? M.consents.policyPasskeyHint : M.consents.policyHint}
      </Help>
    </RadioGroup>
  );
}
