/**
 * A device as a tile: a tap acts, a hold or a right click opens its sheet, and a drag to the side sets a level, which the tile shows as its
 * fill. The name is a link for the keyboard and for screen readers. What only reports is a link as a whole.
 */

import type { Node } from "@domovoi/client";
import { SlidersHorizontal } from "lucide-preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { isWaiting } from "../store/command-states.ts";
import { useHome, useStore } from "../store/context.ts";
import { type Control, controlOf, isAdjustable, type Press, pressesOf } from "../store/controls.ts";
import { maySend } from "../store/may-send.ts";
import { type TextKey, t } from "../text/text.ts";
import { isActive, isOn } from "./activity.ts";
import { useAsked } from "./ask-button.tsx";
import { Badges } from "./badges.tsx";
import { Closing } from "./closing.ts";
import { CommandLine } from "./command-line.tsx";
import { Lazy } from "./lazy.tsx";
import { NodeIcon } from "./node-icon.tsx";
import { followState, hasState, stateText } from "./node-state.ts";
import { ALARMS, lookOf, purposeOf } from "./roles.ts";
import { nameWithout, nodeHref } from "./things.ts";

const HOLD_MS = 500;
/** A finger that moves less is a tap. */
const SLACK_PX = 10;

const sheet = () => import("../controls/sheet.tsx").then((module) => module.openSheet());

/** @param room whose name the name of the device leaves out; empty: none */
export function Tile({ node, room }: { node: Node; room: string }) {
  const store = useStore();
  const [drag, setDrag] = useState<number | null>(null);
  const [isSheet, setSheet] = useState(false);
  const tile = useRef<HTMLLIElement>(null);
  followState(store, node);
  const status = store.property(node.address, "ST").value;
  const isSimulated = store.simulated.value.has(node.address);
  const act = useTileAct(node);
  const isLit = lookOf(node.role).words !== undefined && isActive(node, status) === true && !isSimulated;
  const state = act?.isAsking ? t("ask.again", { what: act.text }) : stateOf(node, drag);
  const fill = drag ?? act?.level ?? (act && isLit ? 100 : 0);
  useLayoutEffect(() => tile.current?.style.setProperty("--level", `${fill}%`), [fill]);
  const canAdjust = isAdjustable(node) && !isSimulated && !store.past.value;
  const close = () => {
    setSheet(false);
    tile.current?.querySelector("button")?.focus();
  };
  const adjusting = { "aria-haspopup": "dialog", "aria-label": t("adjust.of", { name: node.name }) } as const;
  return (
    <li
      ref={tile}
      class={`tile for-${purposeOf(node)} ${isLit ? "is-active" : ""} ${isLit && ALARMS.has(node.role ?? "") ? "is-alarm" : ""}`}
    >
      {act && <TileAct node={node} act={act} follow={setDrag} hold={() => setSheet(true)} />}
      {!act && canAdjust && <button type="button" class="tile-act" {...adjusting} onClick={() => setSheet(true)} />}
      <NodeIcon node={node} isSimulated={isSimulated} />
      <span class="tile-text">
        <Link
          class={act || canAdjust ? "tile-name" : "tile-name whole"}
          href={nodeHref(node.address)}
          aria-label={node.name}
        >
          {nameWithout(node.name, room)}
        </Link>
        <span class={act?.isAsking ? "value asked" : "value"}>
          {state} <Badges node={node} />
        </span>
        <CommandLine address={node.address} />
      </span>
      {act && canAdjust && (
        <button type="button" class="icon" {...adjusting} onClick={() => setSheet(true)}>
          <SlidersHorizontal size={18} aria-hidden />
        </button>
      )}
      {isSheet && (
        <Closing value={close}>
          <Lazy load={sheet} node={node} />
        </Closing>
      )}
    </li>
  );
}

function stateOf(node: Node, drag: number | null): string {
  if (drag !== null) return `${drag} %`;
  return stateText(node) || (hasState(node) ? t("value.unknown") : "");
}

type Act = {
  /** What a press does, in words: "Unlock". */
  readonly text: string;
  readonly isSwitch: boolean;
  readonly isOn: boolean;
  readonly isAsking: boolean;
  /** 0 to 100; null: it has none. */
  readonly level: number | null;
  readonly press: () => void;
  readonly setLevel: ((percent: number) => void) | null;
};

/** null: there is nothing to do with it, or the account may not. */
function useTileAct(node: Node): Act | null {
  const home = useHome();
  const store = useStore();
  const status = store.property(node.address, "ST").value;
  const control = controlOf(home, node);
  const isOnNow = isOn(status);
  const isOpen = isActive(node, status) === true;
  const send = ([command, ...values]: Press) =>
    void store.commands.run(node.address, () => node.send(command, ...values));
  const deed = deedOf(control, isOnNow, isOpen, node);
  const [isAsking, press] = useAsked(deed?.asks ?? false, () => deed && send(deed.press));
  const isShown = node.enabled && !store.simulated.value.has(node.address) && !store.past.value;
  if (!deed || !isShown || !pressesOf(control).every(([command]) => maySend(node, command))) return null;
  const { text } = deed;
  const isLevel = control.kind === "level";
  const { min, max } = isLevel ? control : { min: 0, max: 100 };
  const now = node.value("ST");
  const setLevel = (percent: number) =>
    isLevel && send(percent === 0 ? control.off : [...control.on, Math.round(min + ((max - min) * percent) / 100)]);
  return {
    text: t(text),
    isSwitch: control.kind === "switch" || isLevel,
    isOn: isOnNow,
    isAsking,
    level: (isLevel || node.role === "cover") && now !== null ? Math.round(((now - min) * 100) / (max - min)) : null,
    press,
    setLevel: isLevel ? setLevel : null,
  };
}

type Deed = { readonly text: TextKey; readonly press: Press; readonly asks: boolean };

function deedOf(control: Control, isOnNow: boolean, isOpen: boolean, { isSecured }: Node): Deed | null {
  switch (control.kind) {
    case "switch":
    case "level":
      return { text: isOnNow ? "state.off" : "state.on", press: isOnNow ? control.off : control.on, asks: false };
    case "siren":
      return isOnNow
        ? { text: "siren.off", press: control.off, asks: false }
        : { text: "siren.on", press: control.on, asks: true };
    case "cover":
      return isOpen
        ? { text: "cover.close", press: control.close, asks: false }
        : { text: "cover.open", press: control.open, asks: isSecured };
    case "lock":
      return isOnNow
        ? { text: "lock.unlock", press: control.unlock, asks: true }
        : { text: "lock.lock", press: control.lock, asks: false };
    case "value":
      return null;
  }
}

type TileActProps = {
  readonly node: Node;
  readonly act: Act;
  readonly follow: (percent: number | null) => void;
  readonly hold: () => void;
};

/** The whole tile as a button. A vertical swipe is the browser's, which takes the touch away: nothing happens then. */
function TileAct({ node, act, follow, hold }: TileActProps) {
  const isBusy = isWaiting(useStore().commands.of(node.address).value);
  const touch = useRef({ x: 0, percent: null as number | null, isHeld: false, timer: 0 });
  const holdIt = () => {
    touch.current.isHeld = true;
    hold();
  };
  const end = () => {
    clearTimeout(touch.current.timer);
    touch.current.percent = null;
    follow(null);
  };
  const label = act.isAsking ? t("ask.again", { what: `${act.text}: ${node.name}` }) : `${act.text}: ${node.name}`;
  return (
    <button
      type="button"
      class="tile-act"
      {...(act.isSwitch ? { role: "switch", "aria-checked": act.isOn } : {})}
      aria-label={act.isSwitch ? node.name : label}
      aria-busy={isBusy}
      onPointerDown={({ clientX, button }) => {
        clearTimeout(touch.current.timer);
        const timer = button === 0 ? window.setTimeout(holdIt, HOLD_MS) : 0;
        touch.current = { x: clientX, percent: null, isHeld: false, timer };
      }}
      onPointerMove={({ clientX, buttons, pointerId, currentTarget }) => {
        const moved = clientX - touch.current.x;
        if (buttons === 0 || (touch.current.percent === null && Math.abs(moved) < SLACK_PX)) return;
        clearTimeout(touch.current.timer);
        if (!act.setLevel) return;
        if (touch.current.percent === null) currentTarget.setPointerCapture(pointerId);
        const percent = Math.round((act.level ?? 0) + (moved * 100) / currentTarget.clientWidth);
        touch.current.percent = Math.min(100, Math.max(0, percent));
        follow(touch.current.percent);
      }}
      onPointerUp={() => {
        const { percent } = touch.current;
        if (percent !== null) {
          act.setLevel?.(percent);
          touch.current.isHeld = true;
        }
        end();
      }}
      onPointerCancel={end}
      onContextMenu={(event) => {
        event.preventDefault();
        clearTimeout(touch.current.timer);
        if (!touch.current.isHeld) holdIt();
      }}
      onClick={({ detail }) => {
        // A hold or a drag ends with a click of its own, but for a hold that ends outside; a key is no such click.
        if (detail === 0 || !touch.current.isHeld) act.press();
        touch.current.isHeld = false;
      }}
    />
  );
}
