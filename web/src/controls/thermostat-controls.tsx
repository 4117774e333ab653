/** A thermostat: its set-points in the unit of the home, its mode and its fan. */

import type { CommandDefinition, Node } from "@domovoi/client";
import { Minus, Plus } from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Options } from "../parts/options.tsx";
import { useHome, useStore } from "../store/context.ts";
import { homeUnits, temperatureOf, temperatureStep, toDevice, toHomeUnit } from "../text/home-units.ts";
import { localName } from "../text/names.ts";
import { type TextKey, t } from "../text/text.ts";
import { Dial } from "./dial.tsx";
import { rangesOf, useSend } from "./ranges.ts";

/** Presses within this time are one command. */
const SEND_AFTER_MS = 700;
/** Then the value that was asked for is no longer shown: the device reported nothing. */
const FORGET_AFTER_MS = 10_000;
const HALF_DEGREES = "101";

const SET_POINTS: readonly (readonly [id: string, text: TextKey])[] = [
  ["CLISPH", "adjust.heat"],
  ["CLISPC", "adjust.cool"],
];
const CHOICES: readonly (readonly [id: string, text: TextKey])[] = [
  ["CLIMD", "adjust.mode"],
  ["CLIFS", "adjust.fan"],
];

/** Commands that these controls send, in other units than the device may have. */
export const THERMOSTAT_COMMANDS: ReadonlySet<string> = new Set([...SET_POINTS, ...CHOICES].map(([id]) => id));

export function ThermostatControls({ node }: { node: Node }) {
  const accepted = (id: string) => node.nodedef?.accepts.find((command) => command.id === id);
  return (
    <>
      <div class="set-points">
        {SET_POINTS.map(([id, text]) => {
          const command = accepted(id);
          return command && <SetPoint key={id} node={node} command={command} name={t(text)} />;
        })}
      </div>
      {CHOICES.map(([id, text]) => {
        const command = accepted(id);
        return command && <Choice key={id} node={node} command={command} name={t(text)} />;
      })}
    </>
  );
}

type PartProps = { readonly node: Node; readonly command: CommandDefinition; readonly name: string };

function SetPoint({ node, command: { id, parameters }, name }: PartProps) {
  const home = useHome();
  const store = useStore();
  const send = useSend(node);
  const reported = store.property(node.address, id).value;
  const [wanted, setWanted] = useState<number | null>(null);
  const timer = useRef(0);
  const [range] = rangesOf(home, node, parameters[0]?.editor);
  useEffect(() => setWanted(null), [reported?.value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  void store.property(node.address, "ST").value;
  const now = temperatureOf(node, id);
  const step = temperatureStep();
  const bounds = boundsOf(node, reported?.uom ?? range?.uom ?? "", range);
  const forget = () => {
    clearTimeout(timer.current);
    setWanted(null);
  };
  const want = (next: number, isHeld = false) => {
    const value = toDevice(node, reported?.uom ?? range?.uom ?? "", next);
    if (!range || !isWithin(range, value)) return;
    setWanted(next);
    clearTimeout(timer.current);
    if (isHeld) return;
    timer.current = window.setTimeout(() => {
      const given = Math.round(value * 10) / 10;
      send(id, range.uom === HALF_DEGREES ? given * 2 : range.prec === 0 ? Math.round(given) : given);
      timer.current = window.setTimeout(forget, FORGET_AFTER_MS);
    }, SEND_AFTER_MS);
  };
  const change = (by: number) => want(rounded((wanted ?? now ?? bounds.min) + by));
  return (
    <fieldset class={`set-point ${id === "CLISPC" ? "cools" : ""}`} aria-label={name}>
      <Dial
        name={name}
        value={wanted ?? now}
        isWanted={wanted !== null}
        measured={temperatureOf(node, "ST") ?? temperatureOf(node, "CLITEMP")}
        {...bounds}
        step={step}
        side={id === "CLISPC" ? "above" : "below"}
        turn={want}
        cancel={forget}
      />
      <span class="buttons">
        <button type="button" aria-label={t("adjust.lower", { name })} onClick={() => change(-step)}>
          <Minus size={20} aria-hidden />
        </button>
        <button type="button" aria-label={t("adjust.raise", { name })} onClick={() => change(step)}>
          <Plus size={20} aria-hidden />
        </button>
      </span>
    </fieldset>
  );
}

/** What people live in, as far as the device goes: in the unit of the home. */
const LIVED_IN = { metric: { min: 5, max: 32 }, us: { min: 40, max: 90 } } as const;

type Limits = { readonly uom: string; readonly min: number | null; readonly max: number | null };

function boundsOf(node: Node, uom: string, range: Limits | undefined): { readonly min: number; readonly max: number } {
  const { min, max } = LIVED_IN[homeUnits()];
  // The limits of half degrees count half degrees, as their values do.
  const own = (limit: number | null | undefined, other: number) =>
    limit === null || limit === undefined ? other : rounded(toHomeUnit(node, range?.uom ?? uom, limit));
  return { min: Math.max(min, own(range?.min, min)), max: Math.min(max, own(range?.max, max)) };
}

/** To whole steps, so that a device's tenths do not stay for ever. */
function rounded(value: number): number {
  const step = temperatureStep();
  return Math.round(value / step) * step;
}

function isWithin({ uom, min, max }: Limits, value: number): boolean {
  const given = uom === HALF_DEGREES ? value * 2 : value;
  return (min === null || given >= min) && (max === null || given <= max);
}

function Choice({ node, command: { id, parameters }, name }: PartProps) {
  const home = useHome();
  const store = useStore();
  const send = useSend(node);
  void store.property(node.address, id).value;
  const names = [
    ...new Set(rangesOf(home, node, parameters[0]?.editor).flatMap((range) => listed(range.names, range.subset))),
  ];
  if (names.length === 0) return null;
  const now = node.label(id) ?? "";
  return (
    <label class="adjust">
      {localName(name)}
      <select value={now} onChange={({ currentTarget }) => send(id, currentTarget.value)}>
        {!names.includes(now) && <option value={now}>{localName(now)}</option>}
        <Options of={names.map((each) => [each, localName(each)])} />
      </select>
    </label>
  );
}

/** Names of the values that the subset has: `0-3,5-7`. */
function listed(names: ReadonlyMap<number, string>, subset: string | null): readonly string[] {
  const runs = subset?.split(",").map((run) => run.split("-").map(Number));
  const isIn = (raw: number) => runs?.some(([first = 0, last = first]) => raw >= first && raw <= last) ?? true;
  return [...names].filter(([raw]) => isIn(raw)).map(([, name]) => name);
}
