/**
 * A temperature on a dial. A drag to the side turns it, and so do the arrow keys; a finger that scrolls over it, or only touches it, turns
 * nothing.
 */

import { useRef } from "preact/hooks";
import { temperatureText } from "../text/temperature.ts";
import { t } from "../text/text.ts";

/** A finger that moves less turns nothing. */
const SLACK_PX = 10;
/** Of the circle, from the lower left to the lower right. */
const ARC_DEGREES = 270;

type DialProps = {
  readonly name: string;
  /** null: not known. */
  readonly value: number | null;
  /** Whether the value was asked for, and is not reported yet. */
  readonly isWanted: boolean;
  /** What is measured now; null: not known. */
  readonly measured: number | null;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Which side of the value is drawn: what is heated to, or cooled from. */
  readonly side: "below" | "above";
  /** @param isHeld the finger may still turn on */
  readonly turn: (value: number, isHeld: boolean) => void;
  /** The browser took the touch for scrolling. */
  readonly cancel: () => void;
};

export function Dial({ name, value, isWanted, measured, min, max, step, side, turn, cancel }: DialProps) {
  const touch = useRef({ x: 0, from: 0, turned: null as number | null });
  const within = (wanted: number) => Math.min(max, Math.max(min, Math.round(wanted / step) * step));
  const degrees = (of: number) => (ARC_DEGREES * (within(of) - min)) / (max - min);
  const keys: Readonly<Record<string, number>> = {
    ArrowUp: step,
    ArrowRight: step,
    ArrowDown: -step,
    ArrowLeft: -step,
    PageUp: 10 * step,
    PageDown: -10 * step,
  };
  return (
    <div
      class="dial"
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value ?? min}
      aria-valuetext={value === null ? t("value.unknown") : temperatureText(value, true)}
      onKeyDown={(event) => {
        const by = keys[event.key];
        if (by === undefined) return;
        event.preventDefault();
        turn(within((value ?? min) + by), false);
      }}
      onPointerDown={({ clientX }) => {
        touch.current = { x: clientX, from: value ?? min, turned: null };
      }}
      onPointerMove={({ clientX, buttons, pointerId, currentTarget }) => {
        const moved = clientX - touch.current.x;
        if (buttons === 0 || (touch.current.turned === null && Math.abs(moved) < SLACK_PX)) return;
        if (touch.current.turned === null) currentTarget.setPointerCapture(pointerId);
        touch.current.turned = within(touch.current.from + (moved * (max - min)) / currentTarget.clientWidth);
        turn(touch.current.turned, true);
      }}
      onPointerUp={() => {
        if (touch.current.turned !== null) turn(touch.current.turned, false);
        touch.current.turned = null;
      }}
      onPointerCancel={() => {
        if (touch.current.turned !== null) cancel();
        touch.current.turned = null;
      }}
    >
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <g transform="rotate(135 50 50)">
          <circle cx="50" cy="50" r="44" pathLength="360" stroke-dasharray={`${ARC_DEGREES} 360`} />
          {value !== null && (
            <>
              <circle
                class="turned"
                cx="50"
                cy="50"
                r="44"
                pathLength="360"
                stroke-dasharray={`${side === "below" ? degrees(value) : ARC_DEGREES - degrees(value)} 360`}
                transform={side === "below" ? "" : `rotate(${degrees(value)} 50 50)`}
              />
              <circle class="knob" cx="94" cy="50" r="5" transform={`rotate(${degrees(value)} 50 50)`} />
            </>
          )}
          {measured !== null && (
            <line class="measured" x1="90" x2="98" y1="50" y2="50" transform={`rotate(${degrees(measured)} 50 50)`} />
          )}
        </g>
      </svg>
      <span class="inside">
        <output class={isWanted ? "wanted" : ""}>{value === null ? t("value.unknown") : temperatureText(value)}</output>
        <span aria-hidden="true">{name}</span>
      </span>
    </div>
  );
}
