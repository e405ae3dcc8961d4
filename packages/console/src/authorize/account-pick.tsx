import type { AccountView, AuthorizationDestination } from "@countersign/gateway/trusted-contract";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { connectAccount } from "../accounts/connect.ts";
import { canServe, waysAsked } from "../consents/ways.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Text } from "../parts/value.tsx";
import type { CallProblem } from "../server/api.ts";

/** The person's accounts there that are connected by a way that can be given. */
export function usableAt(
  destination: AuthorizationDestination,
  accounts: readonly AccountView[],
): readonly AccountView[] {
  const { id, account_ref: named } = destination;
  const ways = waysAsked(destination);
  return accounts.filter(
    (a) => a.destination === id && (named === undefined || a.account_ref === named) && canServe(a, ways),
  );
}

/** Which account; where there is none yet, it is connected first and the person comes back here. */
export function AccountPick(props: {
  readonly destination: AuthorizationDestination;
  readonly accounts: readonly AccountView[] | undefined;
  readonly picked: string | undefined;
  readonly onPick: (accountRef: string) => void;
  readonly onProblem: (problem: CallProblem) => Promise<void>;
}) {
  const { destination, accounts, onProblem } = props;
  if (accounts === undefined) return <p className="quiet">{M.loading}</p>;
  const usable = usableAt(destination, accounts);
  const ways = waysAsked(destination);
  return (
    <>
      {usable.length === 0 ? (
        <p className="quiet">
          <Text text={M.consents.pickAccountFirst(destination.title)} />
        </p>
      ) : (
        <RadioGroup
          className="group"
          value={props.picked ?? null}
          onChange={props.onPick}
          isDisabled={destination.account_ref !== undefined}
        >
          <Label>{M.consents.pick}</Label>
          {usable.map((a) => (
            <Radio key={a.account_ref} value={a.account_ref} className="choice">
              <Text text={a.name} />
            </Radio>
          ))}
        </RadioGroup>
      )}
      {usable.length > 0 ? null : (
        <div className="actions">
          {ways.map((route) => (
            <Act
              key={route}
              label={`${M.consents.connect} ${M.routes[route] ?? route}`}
              kind="primary"
              act={() => connectAccount({ destination: destination.id, route, accountRef: destination.account_ref })}
              onProblem={onProblem}
            />
          ))}
        </div>
      )}
    </>
  );
}
