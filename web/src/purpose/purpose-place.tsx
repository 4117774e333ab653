/** Everything of one purpose, room by room: light, climate, safety, energy, water. */

import type { Node } from "@domovoi/client";
import { useMemo } from "preact/hooks";
import { ThermostatControls } from "../controls/thermostat-controls.tsx";
import { EnergyCard } from "../energy/energy-card.tsx";
import { type Room, roomsOf } from "../home/rooms.ts";
import { isOnNow, sendAll, useNodesThat } from "../home/states.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { isLamp } from "../parts/device-parts.ts";
import { Card, Head } from "../parts/layout.tsx";
import { followState, stateText } from "../parts/node-state.ts";
import { type Purpose, purposeOf } from "../parts/roles.ts";
import { Tile } from "../parts/tile.tsx";
import { useHome, useStore } from "../store/context.ts";
import { maySend } from "../store/may-send.ts";
import { t } from "../text/text.ts";
import { WeekSchedule } from "./week-schedule.tsx";

export function PurposePlace({ purpose }: { purpose: Purpose }) {
  const home = useHome();
  const store = useStore();
  const { revision } = store;
  const rooms = useMemo(() => roomsFor(roomsOf(home), purpose), [home, revision.value, purpose]);
  const nodes = useMemo(() => rooms.flatMap((room) => room.nodes), [rooms]);
  const lamps = useMemo(() => nodes.filter(isLamp), [nodes]);
  const locks = useMemo(() => nodes.filter(({ role }) => role === "lock"), [nodes]);
  const lit = useNodesThat(lamps, isOnNow);
  const unlocked = useNodesThat(locks, isOnNow);
  const thermostats = nodes.filter(({ role }) => role === "thermostat");
  const canAct = !store.past.value;
  return (
    <>
      <Head title={t(`purpose.${purpose}`)}>
        {canAct && lit.length > 0 && (
          <button type="button" class="primary" onClick={() => sendAll(home, store, lit, "off")}>
            {t("act.allOff")}
          </button>
        )}
        {canAct && unlocked.length > 0 && (
          <button type="button" class="primary" onClick={() => sendAll(home, store, unlocked, "lock")}>
            {t("act.lockAll")}
          </button>
        )}
      </Head>
      {purpose === "energy" && <EnergyCard key={store.past.value?.atMs} />}
      {nodes.length === 0 && <p class="empty">{t("purpose.none")}</p>}
      {thermostats.length > 0 && (
        <div class="thermostats">
          {thermostats.map((node) => (
            <Thermostat key={node.address} node={node} />
          ))}
        </div>
      )}
      <div class="by-room">
        {rooms.map(({ key, name, folder, nodes: own }) => {
          const others = own.filter(({ role }) => role !== "thermostat" && role !== "meter");
          return (
            others.length > 0 && (
              <Card key={key} title={name}>
                <ul class="tiles">
                  {others.map((node) => (
                    <Tile key={node.address} node={node} room={folder?.name ?? ""} />
                  ))}
                </ul>
              </Card>
            )
          );
        })}
      </div>
    </>
  );
}

function roomsFor(rooms: readonly Room[], purpose: Purpose): readonly Room[] {
  return rooms.flatMap((room) => {
    const nodes = room.nodes.filter((node) => purposeOf(node) === purpose);
    return nodes.length > 0 ? [{ ...room, nodes }] : [];
  });
}

function Thermostat({ node }: { node: Node }) {
  const store = useStore();
  followState(store, node);
  const isSet =
    node.enabled && !store.past.value && !store.simulated.value.has(node.address) && maySend(node, "CLISPH");
  return (
    <Card title={node.name}>
      <p class="now long">{stateText(node) || t("value.unknown")}</p>
      {isSet && <ThermostatControls node={node} />}
      <CommandLine address={node.address} />
      {!store.past.value && node.nodedef?.accepts.some(({ id }) => id === "CLISPH") && <WeekSchedule node={node} />}
    </Card>
  );
}
