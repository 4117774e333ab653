/** The head of Home on a wall: the time and the day, large enough for the other end of the room. */

import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store/context.ts";
import { timeText } from "../text/time.ts";

const MINUTE_MS = 60_000;

export function WallClock() {
  const store = useStore();
  const [nowMs, setNow] = useState(store.nowMs());
  useEffect(() => {
    const timer = setTimeout(() => setNow(store.nowMs()), MINUTE_MS - (nowMs % MINUTE_MS) + 50);
    return () => clearTimeout(timer);
  }, [nowMs]);
  return (
    <h1 class="clock">
      <time dateTime={new Date(nowMs).toISOString()}>{timeText(nowMs, "minute")}</time>{" "}
      <small>{timeText(nowMs, "day")}</small>
    </h1>
  );
}
