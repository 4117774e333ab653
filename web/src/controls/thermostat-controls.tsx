/** A thermostat: its set-points in the unit of the home, its mode and its fan. */

import type { CommandDefinition, Node } from "@domovoi/client";
import { Minus, Plus } from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useHome, useStore } from "../store/context.ts";
import { temperatureOf, temperatureStep, toDevice } from "../text/home-units.ts";
import { localName } from "../text/names.ts";
import { temperatureText } from "../text/temperature.ts";
import { type TextKey, t } from "../text/text.ts";
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
      {SET_POINTS.map(([id, text]) => {
        const command = accepted(id);
        return command && <SetPoint key={id} node={node} command={command} name={t(text)} />;
      })}
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
  const now = temperatureOf(node, id);
  const change = (by: number) => {
    const next = rounded((wanted ?? now ?? 20) + by);
    const value = toDevice(node, reported?.uom ?? range?.uom ?? "", next);
    if (!range || !isWithin(range, value)) return;
    setWanted(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const given = Math.round(value * 10) / 10;
      send(id, range.uom === HALF_DEGREES ? given * 2 : range.prec === 0 ? Math.round(given) : given);
      timer.current = window.setTimeout(() => setWanted(null), FORGET_AFTER_MS);
    }, SEND_AFTER_MS);
  };
  const shown = wanted ?? now;
  return (
    <fieldset class="adjust set-point" aria-label={name}>
      <span>{name}</span>
      <span class="buttons">
        <button type="button" aria-label={t("adjust.lower", { name })} onClick={() => change(-temperatureStep())}>
          <Minus size={20} aria-hidden />
        </button>
        <output class={wanted === null ? "" : "wanted"}>
          {shown === null ? t("value.unknown") : temperatureText(shown)}
        </output>
        <button type="button" aria-label={t("adjust.raise", { name })} onClick={() => change(temperatureStep())}>
          <Plus size={20} aria-hidden />
        </button>
      </span>
    </fieldset>
  );
}

/** To whole steps, so that a device's tenths do not stay for ever. */
function rounded(value: number): number {
  const step = temperatureStep();
  return Math.round(value / step) * step;
}

function isWithin(
  { uom, min, max }: { readonly uom: string; readonly min: number | null; readonly max: number | null },
  value: number,
): boolean {
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
        {names.map((each) => (
          <option key={each} value={each}>
            {localName(each)}
          </option>
        ))}
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
