/** Edits the place of the home, its time zone, units, name and what energy costs. Schedules of programs follow at once. */

import { badValue, ControllerError } from "../errors.ts";
import { type Cause, SYSTEM_CAUSE } from "../home/cause.ts";
import type { ControllerRecord, Tariff } from "../home/controller.ts";
import { checkZone, usableZone } from "../util/zone.ts";
import { changed, type EditPorts, editHome } from "./edit-home.ts";
import { checkName } from "./edit-nodes.ts";
import type { CommandPorts } from "./ports.ts";

type HomePlace = Pick<
  ControllerRecord,
  "name" | "timeZone" | "latitude" | "longitude" | "elevationM" | "units" | "tariff"
>;

const ELEVATION_M = { min: -500, max: 9000 } as const;

/** @throws ControllerError BAD_NAME; NODE_NOT_FOUND; BAD_VALUE for a zone that there is not, prices out of order or a number out of its range; STORE_UNAVAILABLE */
export async function editPlace(ports: EditPorts, patch: Partial<HomePlace>, cause: Cause): Promise<void> {
  if (patch.name !== undefined) checkName(patch.name);
  checkRange("latitude", patch.latitude, -90, 90);
  checkRange("longitude", patch.longitude, -180, 180);
  checkRange("elevation", patch.elevationM, ELEVATION_M.min, ELEVATION_M.max);
  if (patch.tariff) checkTariff(ports, patch.tariff);
  const title = `Change ${Object.keys(patch)
    .map((member) => WORDS[member as keyof HomePlace])
    .join(", ")}`;
  const checked = patch.timeZone === undefined ? patch : { ...patch, timeZone: checkZone(patch.timeZone) };
  await editHome(ports, { title, things: [changed(ports, "controller", "controller", checked)] }, cause);
}

/** Older versions stored any zone, and one that is not in the database breaks every local time. */
export function replaceUnknownZone({ home, feed, log }: Pick<CommandPorts, "home" | "feed" | "log">): void {
  const { timeZone: stored } = home.controller;
  const timeZone = usableZone(stored);
  if (timeZone === stored) return;
  feed.commit({ type: "controller-changed", controller: { ...home.controller, timeZone } }, SYSTEM_CAUSE);
  log.warn(
    `There is no time zone "${stored}", so ${timeZone} is used from now on. Set another one with: domovoi place --zone NAME`,
  );
}

const WORDS: Readonly<Record<keyof HomePlace, string>> = {
  name: "the name of the controller",
  timeZone: "the time zone",
  latitude: "the latitude",
  longitude: "the longitude",
  elevationM: "the elevation",
  units: "the units",
  tariff: "the price of energy",
};

function checkTariff({ home }: Pick<EditPorts, "home">, { prices, node }: Tariff): void {
  const isAscending = prices.every(({ from }, at) => (at === 0 ? from === 0 : from > (prices[at - 1]?.from ?? 0)));
  if (!isAscending) throw badValue("The first price holds from 0, and each of the others from a later minute.");
  if (node !== null && !home.nodes.has(node)) throw new ControllerError("NODE_NOT_FOUND");
}

function checkRange(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isFinite(value) && value >= min && value <= max)) return;
  throw badValue(`The ${name} is a number from ${min} to ${max}.`);
}
