/** What matters in a room: its lights that are on, what is open, what moves, what alarms. Follows reports. */

import type { Node } from "@domovoi/client";
import { useMemo } from "preact/hooks";
import { isLamp } from "../parts/device-parts.ts";
import { ALARMS } from "../parts/roles.ts";
import type { Room } from "./rooms.ts";
import { isOnNow, OPENINGS, useNodesThat } from "./states.ts";

const MOTION: ReadonlySet<string> = new Set(["motion"]);

type RoomSigns = Readonly<Record<"lit" | "open" | "moving" | "alarms", readonly Node[]>>;

export function useRoomSigns({ nodes }: Pick<Room, "nodes">): RoomSigns {
  const kinds = useMemo(() => {
    const having = (roles: ReadonlySet<string>) => nodes.filter(({ role }) => roles.has(role ?? ""));
    return { lamps: nodes.filter(isLamp), openings: having(OPENINGS), motion: having(MOTION), alarms: having(ALARMS) };
  }, [nodes]);
  return {
    lit: useNodesThat(kinds.lamps, isOnNow),
    open: useNodesThat(kinds.openings, isOnNow),
    moving: useNodesThat(kinds.motion, isOnNow),
    alarms: useNodesThat(kinds.alarms, isOnNow),
  };
}
