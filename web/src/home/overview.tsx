/**
 * Is all well? An alarm stands above everything, with its place and what to do. Then what is on, open, unlocked, silent, low on
 * battery: each opens a list with the one act that fits. What is as it should be at night is said in words.
 */

import type { Home, Node } from "@domovoi/client";
import { BatteryLow, CircleAlert, DoorOpen, Lightbulb, LockOpen, type LucideIcon, TriangleAlert } from "lucide-preact";
import { useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { isActive } from "../parts/activity.ts";
import { isBatteryLow, isSilent } from "../parts/badges.tsx";
import { isLamp, useDeviceParts } from "../parts/device-parts.ts";
import { NodeRow } from "../parts/node-row.tsx";
import { stateText } from "../parts/node-state.ts";
import { ALARMS } from "../parts/roles.ts";
import { nodeHref } from "../parts/things.ts";
import { useHome, useStore } from "../store/context.ts";
import { controlOf, type Press } from "../store/controls.ts";
import type { HomeStore } from "../store/home-store.ts";
import { maySend } from "../store/may-send.ts";
import { useDerived } from "../store/use-derived.ts";
import { type TextKey, t, tn } from "../text/text.ts";
import type { Room } from "./rooms.ts";

const LOCKS: ReadonlySet<string> = new Set(["lock"]);
export const OPENINGS: ReadonlySet<string> = new Set(["contact", "garage-door"]);

/** Follows reports. */
type Test = (store: HomeStore, node: Node) => boolean;

/** Known, and not open, unlocked or on. */
const isAtRest: Test = (store, node) => isActive(node, store.property(node.address, "ST").value) === false;

export const isOnNow: Test = (store, node) => isActive(node, store.property(node.address, "ST").value) === true;

export function Overview({ rooms }: { rooms: readonly Room[] }) {
  const home = useHome();
  const parts = useDeviceParts();
  const store = useStore();
  const [open, setOpen] = useState<string | null>(null);
  const roomOf = (node: Node) => rooms.find((room) => room.nodes.includes(deviceOf(node)))?.name ?? "";
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
  const alarms = useNodesThat(kinds.alarms, isOnNow);
  const well = [
    useAllRest(kinds.locks) && t("well.locked"),
    useAllRest(kinds.openings) && t("well.closed"),
    useAllRest(kinds.lamps) && t("well.dark"),
  ].filter((text) => text !== false);
  const chips: readonly {
    readonly kind: string;
    readonly Icon: LucideIcon;
    readonly text: (count: number) => string;
    readonly nodes: readonly Node[];
    /** What its list offers for all of it. */
    readonly act?: { readonly text: TextKey; readonly press: (node: Node) => Press | null };
  }[] = [
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
      act: { text: "act.lockAll", press: (node) => pressFor(home, node, "lock") },
    },
    {
      kind: "open",
      Icon: DoorOpen,
      text: (count) => tn("chip.open", count),
      nodes: useNodesThat(kinds.openings, isOnNow),
    },
    {
      kind: "on",
      Icon: Lightbulb,
      text: (count) => tn("chip.on", count),
      nodes: useNodesThat(kinds.lamps, isOnNow),
      act: { text: "act.allOff", press: (node) => pressFor(home, node, "off") },
    },
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
  const actAll = (press: (node: Node) => Press | null) => {
    for (const node of shown?.nodes ?? []) {
      const [command, ...values] = press(node) ?? [];
      if (command) void store.commands.run(node.address, () => node.send(command, ...values));
    }
  };
  return (
    <section class="chips" aria-label={t("chip.label")}>
      {alarms
        .filter((node, at) => alarms.findIndex((other) => deviceOf(other) === deviceOf(node)) === at)
        .map((node) => (
          <p key={node.address} class="card alarm" role="alert">
            <TriangleAlert size={24} aria-hidden />
            <span>
              <strong>{`${deviceOf(node).name}: ${stateText(node)}`}</strong>
              <span>{[roomOf(node), t(ADVICE[node.role ?? ""] ?? "alarm.other")].filter(Boolean).join(" · ")}</span>
            </span>
            <Link class="button" href={nodeHref(node.address)}>
              {t("alarm.open")}
            </Link>
          </p>
        ))}
      {/* Both lines keep their height: nothing below moves when devices report. */}
      {kinds.locks.length + kinds.openings.length + kinds.lamps.length > 0 && <p class="well">{well.join(" ")}</p>}
      <div class="row">
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
      </div>
      {rows.length > 0 && (
        <ul class="card rows">
          {shown?.act && !store.past.value && (
            <li class="buttons end">
              <button type="button" class="primary" onClick={() => actAll(shown.act?.press ?? (() => null))}>
                {t(shown.act.text)}
              </button>
            </li>
          )}
          {rows.map((node) => (
            <NodeRow key={node.address} node={node} />
          ))}
        </ul>
      )}
    </section>
  );
}

function useAllRest(nodes: readonly Node[]): boolean {
  const resting = useNodesThat(nodes, isAtRest);
  return nodes.length > 0 && resting.length === nodes.length;
}

/** null: it has no such control, or the account may not use it. */
function pressFor(home: Home, node: Node, what: "lock" | "off"): Press | null {
  const control = controlOf(home, node);
  const press =
    what === "lock" ? (control.kind === "lock" ? control.lock : null) : "off" in control ? control.off : null;
  return press && maySend(node, press[0]) ? press : null;
}

/** What to do first. */
const ADVICE: Readonly<Record<string, TextKey>> = {
  leak: "alarm.leak",
  "leak-dry": "alarm.leak",
  smoke: "alarm.smoke",
  "carbon-monoxide": "alarm.gas",
  gas: "alarm.gas",
};

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
