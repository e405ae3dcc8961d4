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
          <Returns to={returns} />
        </Fact>
        {returns.kind === "device" ? (
          <>
            <Fact label={M.authorize.device.from}>
              <Text text={returns.address} />
            </Fact>
            <Fact label={M.authorize.device.agent}>
              <Text text={returns.agent === "" ? M.authorize.device.silent : returns.agent} />
            </Fact>
          </>
        ) : null}
      </dl>
      {returns.kind === "site" ? null : (
        <p className="notice">{returns.kind === "device" ? M.authorize.device.warning : M.authorize.anyProgram}</p>
      )}
      <p className="quiet">{M.authorize.onlyYours}</p>
    </section>
  );
}

function Returns({ to }: { readonly to: AuthorizationView["returns_to"] }) {
  switch (to.kind) {
    case "site":
      return <Host origin={to.origin} />;
    case "this_device":
      return M.authorize.thisDevice;
    case "app":
      return <Text text={M.authorize.app(to.scheme)} />;
    case "device":
      return M.authorize.device.goesTo;
  }
}

export function Named({ client }: { readonly client: AuthorizationView["client"] }) {
  return client.host === undefined ? <Text text={client.name} /> : <Host origin={client.host} />;
}
