/** Does something and waits for the report that shows its effect. */

import type { Home } from "@domovoi/client";
import type { CommandEffect } from "./effect.ts";

/** The current values come first; a controller that sends them too slowly is not waited for. */
const READY_MAX_MS = 15_000;

/**
 * @param act called when the stream has sent the current values, so that every later report is a new one.
 * @param timeoutMs counts from the end of `act`.
 * @returns whether the effect was seen; also when it held before, because then no report will come.
 */
export async function actAndSee(
  home: Home,
  effect: CommandEffect,
  act: () => Promise<void>,
  timeoutMs: number,
): Promise<boolean> {
  await connected(home);
  const seen = Promise.withResolvers<boolean>();
  const held = effect.holds();
  const end = home.on("property", ({ address, property }) => {
    if (effect.concerns(address, property.id) && effect.holds()) seen.resolve(true);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await act();
    if (held && !effect.needsReport) return true;
    timer = setTimeout(() => seen.resolve(false), timeoutMs);
    return await seen.promise;
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** Waits until the stream has sent the current values, at most fifteen seconds. */
export async function connected(home: Home): Promise<void> {
  if (home.stream.status === "connected") return;
  const ready = Promise.withResolvers<void>();
  const timer = setTimeout(ready.resolve, READY_MAX_MS);
  const end = home.on("stream", ({ status }) => {
    if (status === "connected") ready.resolve();
  });
  await ready.promise;
  clearTimeout(timer);
  end();
}
