import type { AccountView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Text } from "../parts/value.tsx";
import { send } from "../server/api.ts";
import { AddressForm } from "./address-form.tsx";
import { ContactForm } from "./contact-form.tsx";

/** What an agent can name for this account without being told what it is: the site's own rows, and those added here. */
export function AddressBook({
  account,
  reload,
}: {
  readonly account: AccountView;
  readonly reload: () => Promise<void>;
}) {
  const path = `/accounts/${account.account_ref}/details`;
  return (
    <>
      <h3>{M.accounts.addressBook}</h3>
      {account.details.length === 0 ? <p className="quiet">{M.accounts.addressBookEmpty}</p> : null}
      <ul className="rows book">
        {account.details.map((d) => (
          <li key={d.ref}>
            <span className="line">
              <span>
                <Text text={d.label} />
                <span className="quiet">
                  {" "}
                  <Text text={M.accounts.kinds[d.kind] ?? d.kind} />,{" "}
                  {d.own ? M.accounts.addedHere : M.accounts.fromSite}
                </span>
              </span>
              {d.own ? (
                <Confirm
                  label={M.accounts.remove}
                  kind="small"
                  title={M.accounts.removeTitle(d.label)}
                  act={() => send(`${path}/${d.ref}/remove`)}
                  onDone={reload}
                  onProblem={reload}
                >
                  <p>{M.accounts.removeExplain}</p>
                </Confirm>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      <AddressForm accountRef={account.account_ref} kind="fulfillment" onSaved={reload} />
      <AddressForm accountRef={account.account_ref} kind="address" onSaved={reload} />
      <ContactForm accountRef={account.account_ref} onSaved={reload} />
    </>
  );
}
