/**
 * One node: every property with unit and time, every command with the control for its editor, and its room and
 * scenes.
 */

import type { Node } from "@domovoi/client";
import { Adjust } from "../controls/adjust.tsx";
import { isOn } from "../parts/activity.ts";
import { Badges } from "../parts/badges.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { FavoriteButton } from "../parts/favorite-button.tsx";
import { NodeControl } from "../parts/honest.tsx";
import { Card, Crumbs, Head, Missing } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { NodeRow } from "../parts/node-row.tsx";
import { followState, propertyText, stateText } from "../parts/node-state.ts";
import { Renamer } from "../parts/renamer.tsx";
import { crumbsTo } from "../parts/things.ts";
import { NodeWhy } from "../parts/why-panel.tsx";
import { isOwner, seesPast } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { rename } from "../store/edits.ts";
import { localName } from "../text/names.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { NodeCommands } from "./node-commands.tsx";
import { NodeMemberships, NodePosition } from "./node-position.tsx";
import { RadioTools } from "./radio-tools.tsx";

const history = () => import("./history-card.tsx").then((module) => module.HistoryCard);
const events = () => import("./events-card.tsx").then((module) => module.EventsCard);

/** The property that shows whether a device answers: 0 when it does. */
const RESPONDING = "ERR";

export function NodePlace({ address }: { address: string }) {
  const home = useHome();
  const store = useStore();
  const node = home.nodes.find(address);
  if (!node) return <Missing text={t("node.unknown")} />;
  followState(store, node);
  const hasPast = seesPast();
  const isSimulated = store.simulated.value.has(node.address);
  return (
    <article class="columns" key={node.address}>
      <div>
        <Crumbs of={crumbsTo(home, node.parent)} />
        <Head title={<Renamer name={node.name} rename={(name) => rename(home, "node", node.address, name)} />}>
          <FavoriteButton address={node.address} />
        </Head>
        <section class="card hero" aria-label={t("node.now")}>
          <div>
            <p class={node.role === "thermostat" ? "now long" : "now"}>{stateText(node) || t("value.unknown")}</p>
            <p>
              <Badges node={node} />
            </p>
            {isSimulated && <p class="hint">{t("node.noDeviceAbout")}</p>}
            <CommandLine address={node.address} />
          </div>
          <div class="node-controls">
            <NodeControl node={node} />
          </div>
          <div class="wide fields">
            <Adjust node={node} />
          </div>
        </section>
        <NodeWhy address={node.address} on="phone" />
        {hasPast && <Lazy load={history} node={node} />}
        {hasPast && <Lazy load={events} key={`events ${store.past.value?.atMs}`} node={node} />}
        {!store.past.value && !isSimulated && <NodeCommands node={node} />}
        <Properties node={node} hasPast={hasPast} />
        <Parts node={node} />
        {isOwner() && <RadioTools node={node} />}
      </div>
      <div>
        <NodeWhy address={node.address} on="desk" />
        <NodeMemberships node={node} />
        <NodePosition node={node} />
      </div>
    </article>
  );
}

/** Folded where the history says more. */
function Properties({ node, hasPast }: { node: Node; hasPast: boolean }) {
  const store = useStore();
  const rows = [...node.properties.keys()].map((id) => {
    void store.property(node.address, id).value;
    const name =
      node.nodedef?.properties.find((property) => property.id === id)?.name || node.properties.get(id)?.name || id;
    return { id, name, label: labelOf(node, id), atMs: store.reportedAtMs(node.address, id) };
  });
  if (rows.length === 0) return null;
  return (
    <details class="card" open={!hasPast}>
      <summary>
        <h2>{t("node.properties")}</h2>
      </summary>
      <table>
        <tbody>
          {rows.map(({ id, name, label, atMs }) => (
            <tr key={id}>
              <th scope="row">{localName(name)}</th>
              <td>{label}</td>
              <td>{atMs !== null && <time dateTime={new Date(atMs).toISOString()}>{timeText(atMs)}</time>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function labelOf(node: Node, id: string): string {
  if (id === RESPONDING) return t(isOn(node.properties.get(id)) ? "no" : "yes");
  // As the head and the row say it: a leak sensor is dry, not off.
  const text = id === "ST" && node.role !== "thermostat" ? stateText(node) : propertyText(node, id);
  return text || t("value.unknown");
}

/** The other nodes of the device. */
function Parts({ node }: { node: Node }) {
  const home = useHome();
  const device = node.primary ?? node.address;
  const parts = [...home.nodes].filter(
    (other) => other.address !== node.address && (other.primary ?? other.address) === device,
  );
  if (parts.length === 0) return null;
  return (
    <Card title={t("node.parts")}>
      <ul class="rows">
        {parts.map((part) => (
          <NodeRow key={part.address} node={part} />
        ))}
      </ul>
    </Card>
  );
}
