/** Everything of one purpose, room by room: light, climate, safety, energy, water. */

import type { Home, Node } from "@domovoi/client";
import { useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { rangesOf } from "../controls/ranges.ts";
import { ThermostatControls } from "../controls/thermostat-controls.tsx";
import { EnergyCard } from "../energy/energy-card.tsx";
import { type Room, roomsOf } from "../home/rooms.ts";
import { isOnNow, sendAll, useNodesThat } from "../home/states.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { isLamp } from "../parts/device-parts.ts";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card, Head } from "../parts/layout.tsx";
import { followState, stateText } from "../parts/node-state.ts";
import { type Purpose, purposeOf } from "../parts/roles.ts";
import { Tile } from "../parts/tile.tsx";
import { WindowFields, windowText } from "../parts/window-fields.tsx";
import { type Window, WORKDAYS } from "../parts/windows.ts";
import { isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { maySend } from "../store/may-send.ts";
import { homeUnits, toDevice, toHomeUnit } from "../text/home-units.ts";
import { temperatureText } from "../text/temperature.ts";
import { t } from "../text/text.ts";
import { type SetPoint, type Week, weekOf, weekText } from "./week-program.ts";

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

const HALF_DEGREES = "101";
const COMMAND = "CLISPH";
/** To begin with. */
const USUAL: readonly Window[] = [
  { days: WORKDAYS, from: 6 * 60 + 30, to: 22 * 60 },
  { days: ["sat", "sun"], from: 8 * 60, to: 23 * 60 },
];
const USUAL_WARM = { metric: 21, us: 70 } as const;
const USUAL_COOL = { metric: 17, us: 63 } as const;

/** The week of a thermostat: a sentence, and a dialog in which it is changed as a week. It is stored as a program. */
function WeekSchedule({ node }: { node: Node }) {
  const home = useHome();
  void useStore().revision.value;
  const found = home.programs.trees.flatMap((tree) => {
    const week = weekOf(tree, node.address);
    return week ? [{ week, id: tree.id.toString(16).toUpperCase().padStart(4, "0"), name: tree.name }] : [];
  })[0];
  const units = homeUnits();
  const week = found
    ? { ...found.week, inside: shown(node, found.week.inside), otherwise: shown(node, found.week.otherwise) }
    : { inside: USUAL_WARM[units], otherwise: USUAL_COOL[units], windows: USUAL };
  return (
    <div class="fields">
      {found && (
        <p>
          {week.windows.map((window) => windowText(window)).join(" · ")}: {temperatureText(week.inside)}
          {" · "}
          {t("week.else", { temperature: temperatureText(week.otherwise) })}
        </p>
      )}
      <div class="buttons">
        {isOwner() && (
          <DialogButton label={t(found ? "week.change" : "week.add")}>
            <WeekDialog node={node} week={week} name={found?.name ?? t("week.name", { name: node.name })} />
          </DialogButton>
        )}
        {found && <Link href={`/program/${found.id}`}>{t("week.program")}</Link>}
      </div>
    </div>
  );
}

/** In the unit of the home, to half a degree. */
function shown(node: Node, { value, uom }: SetPoint): number {
  const own = uom === "0" ? (node.properties.get(COMMAND)?.uom ?? uom) : uom;
  return Math.round(toHomeUnit(node, own, value) * 2) / 2;
}

/** Units as programs write them, by their numbers. */
const UNITS: Readonly<Record<string, string>> = {
  "4": "°C",
  "17": "°F",
  "14": " degrees",
  [HALF_DEGREES]: " half-degrees",
};

/** As the text of a program has it, in the unit that the device takes. */
function written(home: Home, node: Node, value: number): string {
  const command = node.nodedef?.accepts.find(({ id }) => id === COMMAND);
  const [range] = rangesOf(home, node, command?.parameters[0]?.editor);
  const uom = range?.uom ?? "";
  const device = toDevice(node, uom, value);
  const rounded = range?.prec === 0 ? Math.round(device) : Math.round(device * 10) / 10;
  return `${uom === HALF_DEGREES ? Math.round(device * 2) : rounded}${UNITS[uom] ?? ""}`;
}

type WeekDialogProps = { readonly node: Node; readonly week: Week<number>; readonly name: string };

function WeekDialog({ node, week, name }: WeekDialogProps) {
  const home = useHome();
  const [windows, setWindows] = useState(week.windows);
  const save = async (form: FormData) => {
    const value = (field: string) => written(home, node, Number(form.get(field)));
    const given = windows.filter(({ days }) => days.length > 0);
    return home.programs.applyText(
      weekText(name, node, { inside: value("inside"), otherwise: value("otherwise"), windows: given }),
    );
  };
  return (
    <Ask title={t("week.title", { name: node.name })} submit={t("save")} done={t("done.saved")} onSubmit={save}>
      <div class="buttons">
        <Temperature name="inside" label={t("week.warm")} value={week.inside} />
        <Temperature name="otherwise" label={t("week.cool")} value={week.otherwise} />
      </div>
      <WindowFields windows={windows} change={setWindows} />
    </Ask>
  );
}

function Temperature({ name, label, value }: { name: string; label: string; value: number }) {
  return (
    <label>
      {label}
      <input name={name} type="number" step="0.5" required defaultValue={String(value)} />
    </label>
  );
}
