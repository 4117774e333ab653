/** The order of an alert as its owner writes it: `home, 3 Ben, 6 all`. Minutes count from when it begins to ring. */

import { badValue } from "../../errors.ts";
import type { OrderStep } from "./rule.ts";

const STEPS_MAX = 8;
const MINUTES_MAX = 720;
const MINUTE_MS = 60_000;
const STEP = /^(?:(\d{1,3}) +)?'?([^']{1,200})'?$/;

/** @throws ControllerError BAD_VALUE */
export function readOrder(text: string): readonly OrderStep[] {
  const parts = text.split(",").map((each) => each.trim());
  if (parts.length > STEPS_MAX) throw badValue(`An order has at most ${STEPS_MAX} steps.`);
  let lastMinutes = 0;
  return parts.map((part) => {
    const [, minutes = String(lastMinutes), who = ""] = STEP.exec(part) ?? [];
    if (who === "") throw badValue(`An order reads "home, 3 Ben, 6 all": minutes, and who; "${part}" does not.`);
    const after = Number(minutes);
    if (after < lastMinutes || after > MINUTES_MAX)
      throw badValue(`The minutes of an order do not fall, and are at most ${MINUTES_MAX}.`);
    lastMinutes = after;
    return { who, afterMs: after * MINUTE_MS };
  });
}
