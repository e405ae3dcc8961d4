import type { ConsentView } from "@countersign/gateway/trusted-contract";
import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import { M } from "../messages.ts";
import { Text } from "../parts/value.tsx";
import { type FieldProps, LimitField, UntilField } from "./fields.tsx";
import { MoreLimits } from "./more-limits.tsx";
import { PolicyField } from "./policy-field.tsx";

type Offers = Pick<ConsentView, "available_operations">;

/** What a grant covers, to be narrowed: the same fields when it is decided and when it is narrowed later. */
export function ScopeFields(props: FieldProps & { readonly consent: Offers }) {
  const { asked, draft, problems, onChange, consent } = props;
  return (
    <>
      <CheckboxGroup
        className="group"
        value={[...draft.operations]}
        onChange={(operations) => onChange({ operations })}
        isInvalid={problems.includes("operations")}
      >
        <Label>{M.consents.operations}</Label>
        {asked.operations.map((operation) => {
          const known = consent.available_operations.find((o) => o.id === operation);
          return (
            <Checkbox key={operation} value={operation} className="choice">
              <span>
                <Text text={known?.title ?? operation} />{" "}
                <span className="quiet">({known?.effect === "read" ? M.consents.reads : M.consents.acts})</span>
              </span>
            </Checkbox>
          );
        })}
      </CheckboxGroup>
      <CheckboxGroup
        className="group"
        value={[...draft.routes]}
        onChange={(routes) => onChange({ routes })}
        isInvalid={problems.includes("routes")}
      >
        <Label>{M.consents.routes}</Label>
        {asked.routes.map((route) => (
          <Checkbox key={route} value={route} className="choice">
            <Text text={M.routes[route] ?? route} />
          </Checkbox>
        ))}
      </CheckboxGroup>
      {mayAct(consent, asked.operations) ? (
        <>
          <LimitField {...props} />
          <MoreLimits {...props} />
          <PolicyField {...props} />
        </>
      ) : null}
      <UntilField {...props} />
    </>
  );
}

/** Is there anything among these that does more than read? What is not known counts as acting. */
export function mayAct(consent: Offers, operations: readonly string[]): boolean {
  return operations.some((id) => consent.available_operations.find((o) => o.id === id)?.effect !== "read");
}
