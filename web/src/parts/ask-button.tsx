/** A button that may ask before it acts: the first press says so for some seconds, the second one acts. */

import { useEffect, useState } from "preact/hooks";
import { t } from "../text/text.ts";

const ASKS_MS = 5_000;

type AskButtonProps = {
  /** Whether it asks: what opens the home, what the street hears, what loses data. */
  readonly asks: boolean;
  readonly text: string;
  /** For people who do not see what it stands beside. Default: its text. */
  readonly label?: string;
  readonly class?: string;
  readonly isBusy?: boolean;
  readonly act: () => void;
};

/** @returns whether the first press was made, and what a press does */
export function useAsked(asks: boolean, act: () => void): readonly [isAsking: boolean, press: () => void] {
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!isAsking) return;
    const timer = setTimeout(() => setAsking(false), ASKS_MS);
    return () => clearTimeout(timer);
  }, [isAsking]);
  const press = () => {
    setAsking(asks && !isAsking);
    if (!asks || isAsking) act();
  };
  return [isAsking, press];
}

export function AskButton({ asks, text, label = text, class: kind = "", isBusy = false, act }: AskButtonProps) {
  const [isAsking, press] = useAsked(asks, act);
  return (
    <button
      type="button"
      class={isAsking ? `${kind} danger` : kind}
      aria-busy={isBusy}
      aria-label={isAsking ? t("ask.again", { what: label }) : label}
      onClick={press}
    >
      {isAsking ? t("ask.again", { what: text }) : text}
    </button>
  );
}
