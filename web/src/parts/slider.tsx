/**
 * A slider that a scrolling finger does not move. A touch that lands on a slider moves its thumb at once; when the browser then takes
 * the touch for scrolling, the thumb goes back and nothing is sent. Every slider of the page is this one.
 */

import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

type SliderProps = Omit<JSX.HTMLAttributes<HTMLInputElement>, "onInput" | "onChange" | "value"> & {
  readonly name?: string;
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  readonly step?: number | string | undefined;
  readonly value: number;
  /** Called while the thumb moves, and with the value from before when the touch was a scroll. */
  readonly follow?: (value: number) => void;
  /** Called when the thumb is let go. */
  readonly act?: (value: number) => void;
};

export function Slider({ value, follow, act, ...attributes }: SliderProps) {
  // The thumb follows the finger while it is held, then goes back to the value that it is given.
  const [held, setHeld] = useState<number | null>(null);
  const touch = useRef({ before: value, isScroll: false });
  return (
    <input
      {...attributes}
      type="range"
      value={held ?? value}
      onPointerDown={() => {
        touch.current = { before: value, isScroll: false };
      }}
      onKeyDown={() => {
        touch.current.isScroll = false;
      }}
      onPointerCancel={({ currentTarget }) => {
        touch.current.isScroll = true;
        currentTarget.value = String(touch.current.before);
        setHeld(null);
        follow?.(touch.current.before);
      }}
      onInput={({ currentTarget }) => {
        if (touch.current.isScroll) return;
        setHeld(Number(currentTarget.value));
        follow?.(Number(currentTarget.value));
      }}
      onChange={({ currentTarget }) => {
        const chosen = Number(currentTarget.value);
        setHeld(null);
        if (touch.current.isScroll) currentTarget.value = String(touch.current.before);
        else act?.(chosen);
        touch.current.isScroll = false;
      }}
    />
  );
}
