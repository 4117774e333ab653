/** The mesh of a radio network as a tree: the adapter, the devices that it reaches itself, and those behind repeaters. */

import type { RadioDevice } from "@domovoi/client";
import { Link } from "wouter-preact";
import { nodeHref } from "../parts/things.ts";
import { number, t } from "../text/text.ts";

const ROW = 34;
const COLUMN = 170;
const DOT = 6;
const MARGIN = 14;

/** `address`: null for the adapter. */
type Place = {
  readonly address: string | null;
  readonly name: string;
  readonly state: string;
  readonly about: string;
  readonly depth: number;
  readonly row: number;
  readonly above: Place | null;
};

export function MeshMap({ devices, nameOf }: { devices: readonly RadioDevice[]; nameOf: (address: string) => string }) {
  const known = devices.filter(({ route }) => route !== null);
  if (known.length === 0) return <p class="hint">{t("radios.noRoutes")}</p>;
  const places = placesOf(known, nameOf);
  const [width, height] = [
    (Math.max(...places.map(({ depth }) => depth)) + 1) * COLUMN + MARGIN,
    (Math.max(...places.map(({ row }) => row)) + 1) * ROW,
  ];
  const rest = devices.length - known.length;
  return (
    <>
      <div class="scrolled">
        {/* biome-ignore lint/a11y/useSemanticElements: no element of SVG is a group for assistive technology */}
        <svg
          class="mesh"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={t("radios.map")}
        >
          {places.map((place) => place.above && <path key={`to ${place.address}`} d={pathTo(place, place.above)} />)}
          {places.map((place) => (
            <Dot key={place.address ?? ""} place={place} />
          ))}
        </svg>
      </div>
      {rest > 0 && <p class="hint">{t("radios.withoutRoute", { count: number(rest) })}</p>}
    </>
  );
}

function Dot({ place: { address, name, state, about, depth, row } }: { place: Place }) {
  const [x, y] = [MARGIN + depth * COLUMN, row * ROW + ROW / 2];
  const content = (
    <>
      <title>{about}</title>
      <circle class={state} cx={x} cy={y} r={DOT} />
      <text x={x + DOT * 2} y={y} dominant-baseline="middle">
        {name.length > 20 ? `${name.slice(0, 19)}…` : name}
      </text>
    </>
  );
  return address === null ? <g>{content}</g> : <Link href={nodeHref(address)}>{content}</Link>;
}

function pathTo({ depth, row }: Place, above: Place): string {
  const [x1, y1] = [MARGIN + above.depth * COLUMN, above.row * ROW + ROW / 2];
  const [x2, y2] = [MARGIN + depth * COLUMN, row * ROW + ROW / 2];
  // Below the name of the repeater, then to the device.
  return `M${x1} ${y1} V${y2} H${x2}`;
}

/** A repeater that is itself not among the devices is left out of a route. */
function placesOf(devices: readonly RadioDevice[], nameOf: (address: string) => string): readonly Place[] {
  const addresses = new Set(devices.map(({ address }) => address));
  const parentOf = ({ address, route }: RadioDevice) =>
    route?.findLast((each) => each !== address && addresses.has(each)) ?? null;
  const children = Map.groupBy(devices, parentOf);
  const places: Place[] = [];
  const put = (address: string | null, device: RadioDevice | null, depth: number, above: Place | null): void => {
    const place = {
      address,
      depth,
      row: places.length,
      above,
      name: address === null ? t("radios.adapter") : nameOf(address),
      state: device?.state ?? "alive",
      about: device ? aboutOf(device) : t("radios.adapter"),
    };
    places.push(place);
    for (const child of children.get(address) ?? [])
      if (!places.some((known) => known.address === child.address)) put(child.address, child, depth + 1, place);
  };
  put(null, null, 0, null);
  // Routes that repeat for one another in a circle.
  for (const device of devices)
    if (!places.some(({ address }) => address === device.address)) put(device.address, device, 1, places[0] ?? null);
  return places;
}

function aboutOf({ state, routeSpeed, signalDbm, roundTripMs }: RadioDevice): string {
  const facts = [
    t(`radios.${state}`),
    routeSpeed !== null && `${number(routeSpeed)} kbit/s`,
    signalDbm !== null && `${number(signalDbm)} dBm`,
    roundTripMs !== null && `${number(roundTripMs)} ms`,
  ];
  return facts.filter(Boolean).join(", ");
}
