/** What happened to a node: new values, commands to it and from its device, and edits of it. */

import type { EditSummary, Node, NodeEvent } from "@domovoi/client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Card } from "../parts/layout.tsx";
import { eventCommandText, eventValueText } from "../parts/node-state.ts";
import { untilMoment } from "../past/moment.ts";
import { hasOwnerRights } from "../session/role.ts";
import { useStore } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { localName } from "../text/names.ts";
import { reasonText } from "../text/reasons.ts";
import { type TextKey, t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { titleText } from "../text/titles.ts";

const SHORT = 15;
/** The most that one answer has. */
const LONG = 200;
const SHORT_MS = 7 * 86_400_000;
/** Reports of a device come in groups. */
const PAUSE_MS = 500;
const TAGS: Readonly<Partial<Record<string, string>>> = { failed: "bad", acknowledged: "good", confirmed: "good" };

type Row = {
  readonly key: string;
  readonly atMs: number;
  readonly event: NodeEvent | null;
  readonly edit: EditSummary | null;
};

export function EventsCard({ node }: { node: Node }) {
  const store = useStore();
  const past = store.past.value;
  const again = useMoves(node);
  const [isLong, setLong] = useState(false);
  const limit = isLong ? LONG : SHORT;
  const span = useMemo(() => {
    const atMs = past?.atMs ?? store.nowMs();
    const from = isLong ? "" : `&from=${new Date(atMs - SHORT_MS).toISOString()}`;
    return from + untilMoment();
  }, [again, isLong, past]);
  const address = encodeURIComponent(node.address);
  const events = useLoaded<{ readonly events: readonly NodeEvent[] }>(
    `/api/nodes/${address}/events?limit=${limit}${span}`,
    again,
  );
  const edits = useLoaded<readonly EditSummary[]>(
    hasOwnerRights() ? `/api/edits?limit=${limit}&of=${encodeURIComponent(`node ${node.address}`)}` : null,
    again,
  );
  const rows: readonly Row[] = [
    ...(events.data?.events ?? []).map((event) => ({
      key: `event ${event.id}`,
      atMs: Date.parse(event.time),
      event,
      edit: null,
    })),
    ...(edits.data ?? []).map((edit) => ({ key: `edit ${edit.edit}`, atMs: Date.parse(edit.at), event: null, edit })),
  ];
  const shown = rows
    .filter(({ atMs }) => !past || atMs <= past.atMs)
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, limit);
  return (
    <Card title={t("node.events")}>
      <p role="alert">{events.problem ?? edits.problem}</p>
      {events.data && shown.length === 0 && <p class="hint">{t("event.none")}</p>}
      <ol class="rows trace">
        {shown.map(({ key, atMs, event, edit }) => (
          <li key={key}>
            <time dateTime={new Date(atMs).toISOString()}>{timeText(atMs)}</time>
            {event && <EventText node={node} event={event} />}
            {edit && (
              <span class="main">
                <Link href="/system/history">{titleText(edit.title)}</Link>
                <small>{edit.by}</small>
              </span>
            )}
          </li>
        ))}
      </ol>
      {!isLong && events.data && (
        <p>
          <button type="button" onClick={() => setLong(true)}>
            {t("more")}
          </button>
        </p>
      )}
    </Card>
  );
}

function EventText({ node, event }: { node: Node; event: NodeEvent }) {
  const { kind, name, state, detail, by } = event;
  return (
    <span class="main">
      {kind === "value"
        ? t("event.value", { name: localName(name), value: eventValueText(node, event) })
        : t(`event.${kind}`, { name: eventCommandText(node, event) })}{" "}
      {state && <span class={`tag ${TAGS[state] ?? ""}`}>{t(`event.state.${state}` as TextKey)}</span>}
      <small>
        {by.program && by.name ? (
          <Link href={`/program/${by.program}`}>{by.name}</Link>
        ) : (
          (by.name ?? t(`event.by.${by.kind}`))
        )}
        {detail && ` · ${reasonText(detail)}`}
      </small>
    </span>
  );
}

/** Moves some time after something happened to the node. */
function useMoves(node: Node): number {
  const store = useStore();
  const values = [...node.properties.keys()].map((id) => {
    void store.property(node.address, id).value;
    return store.reportedAtMs(node.address, id);
  });
  const sent = store.deviceEvents.value.find(({ address }) => address === node.address);
  const moved = `${values.join()} ${sent?.atMs} ${JSON.stringify(store.commands.of(node.address).value)}`;
  const first = useRef(moved);
  const [moves, setMoves] = useState(0);
  useEffect(() => {
    if (moved === first.current) return;
    const timer = setTimeout(() => setMoves(moves + 1), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  return moves;
}
