/** A tablet on the wall: its screen stays on while the page is shown, and its login is used, so that it does not end. */

import type { HomeStore } from "../store/home-store.ts";

/** An access token that is too old is renewed at the next request. */
const USE_LOGIN_MS = 6 * 3_600_000;

/** @returns what ends it */
export function keepAwake({ layer }: Pick<HomeStore, "layer">): () => void {
  let lock: WakeLockSentinel | null = null;
  const hold = async () => {
    if (document.visibilityState !== "visible" || lock) return;
    // Refused while the battery is low; the next look at the page tries again.
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    lock?.addEventListener("release", () => {
      lock = null;
    });
  };
  void hold();
  document.addEventListener("visibilitychange", hold);
  const timer = setInterval(() => void layer.sync(), USE_LOGIN_MS);
  return () => {
    document.removeEventListener("visibilitychange", hold);
    clearInterval(timer);
    void lock?.release();
  };
}
