/**
 * Is all well? An alarm stands above everything, with its place, its time and what to do. Then a sentence: what is locked, open, on, and
 * how warm it is. Each part opens its list with the one act that fits.
 */

import type { Node } from "@domovoi/client";
import { useMemo, useState } from "preact/hooks";
import { isBatteryLow, isSilent } from "../parts/badges.tsx";
import { isLamp, useDeviceParts } from "../parts/device-parts.ts";
import { Lazy } from "../parts/lazy.tsx";
import type { Purpose } from "../parts/roles.ts";
import { meanTemperature } from "../parts/room-climate.tsx";
import { useHome, useStore } from "../store/context.ts";
import { useDerived } from "../store/use-derived.ts";
import { temperatureText } from "../text/temperature.ts";
import { loadTextsOf, type TextKey, t, tn } from "../text/text.ts";
import type { Room } from "./rooms.ts";
import { isAtRest, isOnNow, OPENINGS, sendAll, useAlarms, useNodesThat } from "./states.ts";

type Part = {
  readonly kind: string;
  /** Empty: nothing is known, so nothing is said. */
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly tone: "well" | "lit" | "bad";
  /** What its list offers for all of it. */
  readonly act?: { readonly text: TextKey; readonly what: "lock" | "off" };
};

const PURPOSE_OF: Readonly<Record<string, Purpose>> = {
  locks: "safety",
  openings: "safety",
  lamps: "light",
  climate: "climate",
};

const list = () => import("./overview-list.tsx").then((module) => module.OverviewList);

const alarmCards = () =>
  Promise.all([import("./alarm-cards.tsx"), loadTextsOf("places")]).then(([module]) => module.AlarmCards);

export function Overview({ rooms }: { rooms: readonly Room[] }) {
  const home = useHome();
  const store = useStore();
  const [open, setOpen] = useState<string | null>(null);
  const { parts, nodes } = useSentence(rooms);
  const alarms = useAlarms();
  const shown = parts.find(({ kind, text }) => kind === open && text !== "");
  const actOf = ({ act, nodes: some }: Part) =>
    act && !store.past.value ? { text: t(act.text), run: () => sendAll(home, store, some, act.what) } : null;
  const rows = [...new Set((shown?.nodes ?? []).map((node) => deviceOf(node)))];
  function deviceOf(node: Node): Node {
    return nodes.includes(node) ? node : (home.nodes.find(node.primary ?? "") ?? node);
  }
  return (
    <section class="overview" aria-label={t("chip.label")}>
      {alarms.length > 0 && <Lazy load={alarmCards} alarms={alarms} rooms={rooms} deviceOf={deviceOf} />}
      <p class="sentence">
        {parts
          .filter(({ text }) => text !== "")
          .map(({ kind, text, tone }) => (
            <button
              key={kind}
              type="button"
              class={tone}
              aria-expanded={shown?.kind === kind}
              onClick={() => setOpen(open === kind ? null : kind)}
            >
              {text}
            </button>
          ))}
      </p>
      {shown && rows.length > 0 && (
        <Lazy load={list} nodes={rows} act={actOf(shown)} purpose={PURPOSE_OF[shown.kind] ?? null} />
      )}
    </section>
  );
}

function useSentence(rooms: readonly Room[]): { readonly parts: readonly Part[]; readonly nodes: readonly Node[] } {
  const store = useStore();
  const nodes = useMemo(() => rooms.flatMap((room) => room.nodes), [rooms]);
  const all = useAllNodes(nodes);
  const kinds = useMemo(() => {
    const having = (...roles: readonly string[]) => nodes.filter(({ role }) => roles.includes(role ?? ""));
    return {
      locks: having("lock"),
      openings: nodes.filter(({ role }) => OPENINGS.has(role ?? "")),
      lamps: nodes.filter(isLamp),
      inside: having("thermostat"),
      outside: having("weather"),
    };
  }, [nodes]);
  const unlocked = useNodesThat(kinds.locks, isOnNow);
  const open = useNodesThat(kinds.openings, isOnNow);
  const lit = useNodesThat(kinds.lamps, isOnNow);
  const silent = useNodesThat(nodes, isSilent);
  const empty = useNodesThat(all, isBatteryLow);
  const temperatures = useDerived(() => {
    const said = (key: TextKey, of: readonly Node[]) => {
      const value = meanTemperature(store, of);
      return value === null ? "" : t(key, { temperature: temperatureText(Math.round(value)) });
    };
    return [said("well.inside", kinds.inside), said("well.outside", kinds.outside)].filter(Boolean).join(", ");
  }, [kinds, store.unitsRevision.value]);
  const [isLocked, isClosed, isDark] = [useAllRest(kinds.locks), useAllRest(kinds.openings), useAllRest(kinds.lamps)];
  const parts: readonly Part[] = [
    unlocked.length > 0
      ? {
          kind: "locks",
          text: `${tn("chip.unlocked", unlocked.length)}.`,
          nodes: unlocked,
          tone: "bad",
          act: { text: "act.lockAll", what: "lock" },
        }
      : { kind: "locks", text: isLocked ? t("well.locked") : "", nodes: kinds.locks, tone: "well" },
    open.length > 0
      ? { kind: "openings", text: `${tn("chip.open", open.length)}.`, nodes: open, tone: "lit" }
      : { kind: "openings", text: isClosed ? t("well.closed") : "", nodes: kinds.openings, tone: "well" },
    lit.length > 0
      ? {
          kind: "lamps",
          text: `${tn("chip.on", lit.length)}.`,
          nodes: lit,
          tone: "lit",
          act: { text: "act.allOff", what: "off" },
        }
      : { kind: "lamps", text: isDark ? t("well.dark") : "", nodes: kinds.lamps, tone: "well" },
    {
      kind: "climate",
      text: temperatures && `${temperatures}.`,
      nodes: [...kinds.inside, ...kinds.outside],
      tone: "well",
    },
    {
      kind: "silent",
      text: silent.length > 0 ? `${tn("chip.silent", silent.length)}.` : "",
      nodes: silent,
      tone: "bad",
    },
    {
      kind: "battery",
      text: empty.length > 0 ? `${tn("chip.battery", empty.length)}.` : "",
      nodes: empty,
      tone: "bad",
    },
  ];
  return { parts, nodes };
}

/** With the parts of devices: an alarm of a part counts too, such as a smoke alarm's carbon monoxide. */
function useAllNodes(nodes: readonly Node[]): readonly Node[] {
  const parts = useDeviceParts();
  return useMemo(() => [...nodes, ...nodes.flatMap(({ address }) => parts.get(address) ?? [])], [nodes, parts]);
}

function useAllRest(nodes: readonly Node[]): boolean {
  const resting = useNodesThat(nodes, isAtRest);
  return nodes.length > 0 && resting.length === nodes.length;
}
