import type { AuthorizationView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Host, Text } from "../parts/value.tsx";

/** Who asks: what is proven first and large, its own words in a box of their own (U31). */
export function Asker({ view }: { readonly view: AuthorizationView }) {
  const { client, returns_to: returns } = view;
  return (
    <section className="card" aria-label={M.authorize.who}>
      <h2>
        <Named client={client} />
      </h2>
      <p>{view.is_agent ? M.authorize.again : M.authorize.asks}</p>
      {client.kind === "document" && client.name !== "" ? (
        <div className="agent-words">
          <span className="kind">{M.authorize.ownName}</span>
          <p>
            <Text text={client.name} />
          </p>
        </div>
      ) : null}
      {view.purpose === undefined ? null : (
        <div className="agent-words">
          <span className="kind">{M.consents.purpose}</span>
          <p>
            <Text text={view.purpose} />
          </p>
        </div>
      )}
      <dl className="facts">
        <Fact label={M.authorize.goesTo}>
          {returns.kind === "site" ? (
            <Host origin={returns.origin} />
          ) : returns.kind === "this_device" ? (
            M.authorize.thisDevice
          ) : (
            <Text text={M.authorize.app(returns.scheme)} />
          )}
        </Fact>
      </dl>
      {returns.kind === "site" ? null : <p className="notice">{M.authorize.anyProgram}</p>}
      <p className="quiet">{M.authorize.onlyYours}</p>
    </section>
  );
}

export function Named({ client }: { readonly client: AuthorizationView["client"] }) {
  return client.host === undefined ? <Text text={client.name} /> : <Host origin={client.host} />;
}
