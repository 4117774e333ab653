/** `domovoi place`: where the home is, its zone and units, its name. */

import type { ControllerSession, Place, PlaceChange } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { type Done, done, usageFailure } from "../outcome.ts";
import { readNumber } from "./edit-output.ts";

type PlaceOptions = ConnectionOptions & {
  readonly name?: string;
  readonly latitude?: string;
  readonly longitude?: string;
  readonly elevation?: string;
  readonly zone?: string;
  readonly units?: string;
};

/** Shows it without options. */
export async function place({ edits }: ControllerSession, options: PlaceOptions): Promise<Done> {
  const change = changeOf(options);
  const now = Object.keys(change).length === 0 ? await edits.place() : await edits.setPlace(change);
  return done(linesOf(now), now);
}

function changeOf({ name, latitude, longitude, elevation, zone, units }: PlaceOptions): PlaceChange {
  if (units !== undefined && units !== "metric" && units !== "us") throw usageFailure("--units is metric or us.");
  return {
    ...(name === undefined ? {} : { name }),
    ...(latitude === undefined ? {} : { latitude: readNumber(latitude, "--latitude") }),
    ...(longitude === undefined ? {} : { longitude: readNumber(longitude, "--longitude") }),
    ...(elevation === undefined ? {} : { elevation: readNumber(elevation, "--elevation") }),
    ...(zone === undefined ? {} : { timeZone: zone }),
    ...(units === undefined ? {} : { units }),
  };
}

function linesOf({ name, timeZone, latitude, longitude, elevation, units }: Place): readonly string[] {
  return [
    `Name       ${name}`,
    `Latitude   ${latitude}`,
    `Longitude  ${longitude}`,
    `Elevation  ${elevation === null ? "not set" : `${elevation} m`}`,
    `Time zone  ${timeZone}`,
    `Units      ${units}`,
  ];
}
