import type { ProtocolsView, PublicProtocol } from "@countersign/gateway/trusted-contract";
import type { ReactNode } from "react";
import { M } from "../messages.ts";
import { Badge, type Tone } from "../parts/badge.tsx";
import { Fact } from "../parts/facts.tsx";
import { Empty, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { useLoad } from "../server/use-load.ts";
import { groupsOf } from "./groups.ts";

/** The listing for everybody, which is no call of the trusted interface. */
const LISTING = "/api/v1/protocols";

const TONES: Readonly<Record<PublicProtocol["state"], Tone>> = { implemented: "good", partial: "wait", draft: "done" };

/** What this gateway speaks, beside the catalogue of what there is (PLG-5). */
export function ProtocolsPage() {
  const loaded = useLoad<ProtocolsView>(LISTING);
  return (
    <Page title={M.protocols.title}>
      <p className="intro">{M.protocols.explain}</p>
      <Show loaded={loaded}>{(view) => <Listing view={view} />}</Show>
    </Page>
  );
}

function Listing({ view }: { readonly view: ProtocolsView }) {
  const { spoken, unknown, missing } = groupsOf(view);
  return (
    <>
      {spoken.length + unknown.length === 0 ? <Empty title={M.protocols.empty}>{M.protocols.emptyMore}</Empty> : null}
      <Group title={M.protocols.spoken} count={spoken.length}>
        {spoken.map(({ protocol, catalogued }) => (
          <Spoken key={protocol.id} protocol={protocol}>
            {catalogued === undefined ? null : (
              <p className="notice">
                <Text text={M.protocols.otherVersions(catalogued.join(", "))} />
              </p>
            )}
          </Spoken>
        ))}
      </Group>
      <Group title={M.protocols.unknown} count={unknown.length} explain={M.protocols.unknownMore}>
        {unknown.map((protocol) => (
          <Spoken key={protocol.id} protocol={protocol}>
            <p className="notice">
              <Text text={M.protocols.lookedFor(protocol.catalogue.id)} />
            </p>
          </Spoken>
        ))}
      </Group>
      <Group title={M.protocols.missing} count={missing.length} explain={M.protocols.missingMore}>
        {missing.map((entry) => (
          <li key={entry.id} className="card">
            <div className="line">
              <h3>
                <a href={entry.link} target="_blank" rel="noopener noreferrer">
                  <Text text={entry.name} />
                </a>
              </h3>
              <span className="quiet">
                <Text text={entry.versions.join(", ")} />
              </span>
            </div>
            <p className="quiet">
              {M.protocols.layers[entry.layer]}, <Text text={M.protocols.by(entry.publisher)} />
            </p>
          </li>
        ))}
      </Group>
    </>
  );
}

function Group(props: {
  readonly title: string;
  readonly count: number;
  readonly explain?: string;
  readonly children: ReactNode;
}) {
  if (props.count === 0) return null;
  return (
    <section>
      <h2 className="group-title">
        {props.title} ({props.count})
      </h2>
      {props.explain === undefined ? null : <p className="intro">{props.explain}</p>}
      <ul className="cards whole protocols">{props.children}</ul>
    </section>
  );
}

function Spoken({ protocol, children }: { readonly protocol: PublicProtocol; readonly children: ReactNode }) {
  const { name, id, versions, publisher, layer, roles, state, points, plugin } = protocol;
  return (
    <li className="card">
      <div className="line">
        <h3>
          <Text text={name} />
        </h3>
        <Badge tone={TONES[state]} text={M.protocols.states[state]} />
      </div>
      <p className="quiet">
        {M.protocols.layers[layer]}, <Text text={M.protocols.by(publisher)} />
      </p>
      {children}
      <dl className="facts">
        <Fact label={versions.length === 1 ? M.protocols.version : M.protocols.versions}>
          <Text text={versions.join(", ")} />
        </Fact>
        <Fact label={M.protocols.roles}>
          <Text text={roles.map(roleText).join(", ")} />
        </Fact>
        <Fact label={M.protocols.plugin}>
          <code>
            <Text text={plugin} />
          </code>
        </Fact>
        <Fact label={M.protocols.points}>
          {points.length === 0 ? (
            M.protocols.noPoints
          ) : (
            <ul className="plain" aria-label={M.protocols.pointsOf(id)}>
              {points.map((point) => (
                <li key={point}>
                  <code>
                    <Text text={point} />
                  </code>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
    </li>
  );
}

/** A role in a person's words, where it is one of the usual; a plugin may name its own. */
function roleText(role: string): string {
  return Object.hasOwn(M.protocols.roleNames, role)
    ? (M.protocols.roleNames[role as keyof typeof M.protocols.roleNames] ?? role)
    : role;
}
