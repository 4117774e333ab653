/** What is on, open, unlocked, alarming, silent, low on battery: each opens a list and never acts. */

import type { Node } from "@domovoi/client";
import { BatteryLow, CircleAlert, DoorOpen, Lightbulb, LockOpen, type LucideIcon, TriangleAlert } from "lucide-preact";
import { useMemo, useState } from "preact/hooks";
import { isActive } from "../parts/activity.ts";
import { isBatteryLow, isSilent } from "../parts/badges.tsx";
import { isLamp, useDeviceParts } from "../parts/device-parts.ts";
import { NodeRow } from "../parts/node-row.tsx";
import { ALARMS } from "../parts/roles.ts";
import { useHome, useStore } from "../store/context.ts";
import type { HomeStore } from "../store/home-store.ts";
import { useDerived } from "../store/use-derived.ts";
import { t, tn } from "../text/text.ts";
import type { Room } from "./rooms.ts";

const LOCKS: ReadonlySet<string> = new Set(["lock"]);
const OPENINGS: ReadonlySet<string> = new Set(["contact", "garage-door"]);

/** Follows reports. */
type Test = (store: HomeStore, node: Node) => boolean;

export const isOnNow: Test = (store, node) => isActive(node, store.property(node.address, "ST").value) === true;

export function Overview({ rooms }: { rooms: readonly Room[] }) {
  const home = useHome();
  const parts = useDeviceParts();
  const [open, setOpen] = useState<string | null>(null);
  const nodes = useMemo(() => rooms.flatMap((room) => room.nodes), [rooms]);
  // An alarm of a part is shown too, such as a smoke alarm's carbon monoxide.
  const all = useMemo(() => [...nodes, ...nodes.flatMap(({ address }) => parts.get(address) ?? [])], [nodes, parts]);
  const having = (roles: ReadonlySet<string>, some: readonly Node[] = nodes) =>
    some.filter(({ role }) => roles.has(role ?? ""));
  const kinds = useMemo(
    () => ({
      alarms: having(ALARMS, all),
      locks: having(LOCKS),
      openings: having(OPENINGS),
      lamps: nodes.filter(isLamp),
    }),
    [nodes, all],
  );
  const chips: readonly {
    readonly kind: string;
    readonly Icon: LucideIcon;
    readonly text: (count: number) => string;
    readonly nodes: readonly Node[];
  }[] = [
    {
      kind: "alarm",
      Icon: TriangleAlert,
      text: (count) => tn("chip.alarm", count),
      nodes: useNodesThat(kinds.alarms, isOnNow),
    },
    {
      kind: "silent",
      Icon: CircleAlert,
      text: (count) => tn("chip.silent", count),
      nodes: useNodesThat(nodes, isSilent),
    },
    {
      kind: "unlocked",
      Icon: LockOpen,
      text: (count) => tn("chip.unlocked", count),
      nodes: useNodesThat(kinds.locks, isOnNow),
    },
    {
      kind: "open",
      Icon: DoorOpen,
      text: (count) => tn("chip.open", count),
      nodes: useNodesThat(kinds.openings, isOnNow),
    },
    { kind: "on", Icon: Lightbulb, text: (count) => tn("chip.on", count), nodes: useNodesThat(kinds.lamps, isOnNow) },
    {
      kind: "battery",
      Icon: BatteryLow,
      text: (count) => tn("chip.battery", count),
      nodes: useNodesThat(all, isBatteryLow),
    },
  ];
  const shown = chips.find(({ kind }) => kind === open);
  const rows = [...new Set((shown?.nodes ?? []).map((node) => deviceOf(node)))];
  function deviceOf(node: Node): Node {
    return nodes.includes(node) ? node : (home.nodes.find(node.primary ?? "") ?? node);
  }
  return (
    <section class="chips" aria-label={t("chip.label")}>
      {chips
        .filter(({ nodes: some }) => some.length > 0)
        .map(({ kind, Icon, text, nodes: some }) => (
          <button
            key={kind}
            type="button"
            class={`chip ${kind}`}
            aria-expanded={open === kind}
            onClick={() => setOpen(open === kind ? null : kind)}
          >
            <Icon size={18} aria-hidden />
            {text(some.length)}
          </button>
        ))}
      {rows.length > 0 && (
        <ul class="card rows">
          {rows.map((node) => (
            <NodeRow key={node.address} node={node} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Renders only when the set of nodes changes. */
export function useNodesThat(nodes: readonly Node[], test: Test): readonly Node[] {
  const store = useStore();
  const addresses = useDerived(
    () =>
      nodes
        .filter((node) => test(store, node))
        .map(({ address }) => address)
        .join("\n"),
    [nodes, test],
  );
  return useMemo(() => {
    const found = new Set(addresses.split("\n"));
    return nodes.filter(({ address }) => found.has(address));
  }, [nodes, addresses]);
}
