/** A level in percent, by a slider and as a number. */

import { Slider } from "../parts/slider.tsx";
import { number, t } from "../text/text.ts";

type SliderProps = {
  /** In a form. */
  readonly name?: string;
  readonly label: string;
  readonly level: number;
  /** 100 for what is only on or off. */
  readonly step: 1 | 100;
  readonly change: (level: number) => void;
};

export function LevelSlider({ name, label, level, step, change }: SliderProps) {
  const text = step === 100 ? t(level > 0 ? "state.on" : "state.off") : `${number(level)} %`;
  return (
    <span class="with-unit">
      <Slider
        {...(name !== undefined && { name })}
        min={0}
        max={100}
        step={step}
        value={level}
        aria-label={label}
        aria-valuetext={text}
        follow={change}
      />
      <output class="value">{text}</output>
    </span>
  );
}
