/** The home as a plan without a picture: its rooms, floor by floor, with what is lit, open, moving and wet in each. */

import type { Home } from "@domovoi/client";
import { DoorOpen, Footprints, Lightbulb, TriangleAlert } from "lucide-preact";
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { folderHref } from "../parts/things.ts";
import { useHome, useStore } from "../store/context.ts";
import { t, tn } from "../text/text.ts";
import { useRoomSigns } from "./room-signs.ts";
import { type Room, roomsOf } from "./rooms.ts";

/** A room with more devices is drawn larger. */
const LARGE_FROM = 6;

export function DrawnPlan() {
  const home = useHome();
  const { revision } = useStore();
  const floors = useMemo(
    () =>
      Map.groupBy(
        roomsOf(home).filter(({ folder, nodes }) => folder !== null && nodes.length > 0),
        (room) => floorOf(home, room),
      ),
    [home, revision.value],
  );
  return (
    <div class="floors">
      {Array.from(floors, ([floor, rooms]) => (
        <section key={floor}>
          {floor !== "" && <h3>{floor}</h3>}
          <ul class="floor">
            {rooms.map((room) => (
              <DrawnRoom key={room.key} room={room} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The name of the folder above a room; a room that holds others lies with them. */
function floorOf({ folders }: Home, { folder }: Room): string {
  const above = folders.find(folder?.parent ?? "");
  if (above) return above.name;
  return folder && [...folders].some(({ parent }) => parent === folder.address) ? folder.name : "";
}

function DrawnRoom({ room }: { room: Room }) {
  const { lit, open, moving, alarms } = useRoomSigns(room);
  const look = [
    alarms.length > 0 ? "is-alarm" : lit.length > 0 ? "is-lit" : "",
    room.nodes.length >= LARGE_FROM && "large",
  ];
  return (
    <li class={look.filter(Boolean).join(" ")}>
      <Link href={folderHref(room.key)}>{room.folder?.name}</Link>
      <span>
        {alarms.length > 0 && (
          <>
            <TriangleAlert size={18} aria-hidden />
            <span class="hidden">{t("room.alarm")}</span>
          </>
        )}
        {lit.length > 0 && (
          <>
            <Lightbulb size={18} aria-hidden />
            <span class="hidden">{tn("chip.on", lit.length)}</span>
          </>
        )}
        {open.length > 0 && (
          <>
            <DoorOpen size={18} aria-hidden />
            <span class="hidden">{tn("chip.open", open.length)}</span>
          </>
        )}
        {moving.length > 0 && (
          <>
            <Footprints size={18} aria-hidden />
            <span class="hidden">{t("state.motion")}</span>
          </>
        )}
      </span>
    </li>
  );
}
