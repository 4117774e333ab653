/**
 * A controller runs for years and certificates do not: once a day the listeners' certificate is read again. One that the
 * controller made for itself is renewed when its time comes; the owner's files may have been renewed by then.
 */

import { type Clock, delay } from "../util/clock.ts";
import type { Log } from "../util/log.ts";

const DAY_MS = 86_400_000;

/** Until the signal; a certificate that cannot be read is logged, and the one before stays in use. */
export function renewDaily(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  reload: () => Promise<void>,
  signal: AbortSignal,
): void {
  delay(clock, DAY_MS, signal)
    .then(reload)
    .catch((error: unknown) => {
      if (!signal.aborted) log.error("The certificate cannot be read again; the one before stays in use.", { error });
    })
    .finally(() => {
      if (!signal.aborted) renewDaily({ clock, log }, reload, signal);
    });
}
