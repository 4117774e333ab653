/** A room of Home: what matters in its head, with one button for its lights; its devices as tiles below. */

import { ChevronRight, DoorOpen, Footprints, Lightbulb } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { RoomClimate } from "../parts/room-climate.tsx";
import { folderHref } from "../parts/things.ts";
import { Tile } from "../parts/tile.tsx";
import { useHome, useStore } from "../store/context.ts";
import { t, tn } from "../text/text.ts";
import { useRoomSigns } from "./room-signs.ts";
import type { Room } from "./rooms.ts";
import { sendAll } from "./states.ts";

export function RoomCard({ room, isOpenFirst }: { room: Room; isOpenFirst: boolean }) {
  const home = useHome();
  const store = useStore();
  const { lit, open, moving, alarms } = useRoomSigns(room);
  // Decided once: a room that opens by itself would move what a finger is about to touch.
  const [isShown, setShown] = useState(isOpenFirst || lit.length > 0);
  return (
    <section class="card room">
      <div class="room-head">
        <button type="button" class="room-name" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          <ChevronRight class="chevron" size={18} aria-hidden />
          <h2>{room.name}</h2>
        </button>
        {alarms.length > 0 && <span class="tag bad">{t("room.alarm")}</span>}
        {moving.length > 0 && (
          <span class="sign">
            <Footprints size={18} aria-hidden />
            <span class="hidden">{t("state.motion")}</span>
          </span>
        )}
        {open.length > 0 && (
          <span class="sign">
            <DoorOpen size={18} aria-hidden />
            {tn("room.open", open.length)}
          </span>
        )}
        {room.folder && <RoomClimate nodes={room.nodes} />}
        {lit.length > 0 && (
          <button
            type="button"
            class="chip lit"
            disabled={store.past.value !== null}
            onClick={() => sendAll(home, store, lit, "off")}
          >
            <Lightbulb size={18} aria-hidden />
            {lit.length} <span class="hidden">{t("room.lightsOff", { room: room.name })}</span>
          </button>
        )}
      </div>
      {isShown && (
        <>
          <ul class="tiles">
            {room.nodes.map((node) => (
              <Tile key={node.address} node={node} room={room.folder?.name ?? ""} />
            ))}
          </ul>
          {room.folder && (
            <p class="hint">
              <Link href={folderHref(room.folder.address)}>{t("folder.open")}</Link>
            </p>
          )}
        </>
      )}
    </section>
  );
}
