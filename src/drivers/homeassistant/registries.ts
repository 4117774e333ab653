/**
 * The lists that Home Assistant keeps of its entities, devices and areas, read once at the edge: which entities are shown, of which
 * device each is, and which are this controller's own, come back to it.
 */

import { foreignText } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { ownIdentity } from "../mqtt-connection.ts";
import { DOMAIN_NAMES, TRACKERS } from "./domain-table.ts";
import type { Entity } from "./entity.ts";

type Row = Readonly<Record<string, unknown>>;

type Lists = {
  readonly entities: unknown;
  readonly devices: unknown;
  readonly areas: unknown;
  readonly labels: unknown;
};

export type PlacedEntity = Entity & {
  /** Identity for ever of the device that it is part of; of its own where it has none. */
  readonly device: string;
  readonly deviceName: string;
  readonly model: string;
  readonly firmware: string | null;
  /** Name and id of its area; "": none. */
  readonly room: string;
  readonly area: string;
};

type Wanted = {
  /** Only what has this label, or is of a device or in an area that has it; "": everything. */
  readonly label: string;
  /** Of this controller, by which it knows its own devices there. */
  readonly uuid: string;
};

const INTERNAL: readonly string[] = ["config", "diagnostic"];
/** Maker of what this controller shows to others. */
const OWN_MAKER = "Domovoi";
const TEXT_MAX = 200;

export class Registries {
  readonly #wanted: Wanted;
  readonly #entities = new Map<string, Row>();
  readonly #devices: ReadonlyMap<string, Row>;
  readonly #areas: ReadonlyMap<string, Row>;
  readonly #labelId: string | null;
  readonly #own: ReadonlySet<string>;

  constructor({ entities, devices, areas, labels }: Lists, wanted: Wanted) {
    this.#wanted = wanted;
    for (const row of rowsOf(entities)) this.#entities.set(textIn(row, "entity_id"), row);
    this.#devices = new Map(rowsOf(devices).map((row) => [textIn(row, "id"), row]));
    this.#areas = new Map(rowsOf(areas).map((row) => [textIn(row, "area_id"), row]));
    const label = rowsOf(labels).find((row) => textIn(row, "name").toLowerCase() === wanted.label.toLowerCase());
    this.#labelId = label ? textIn(label, "label_id") : null;
    this.#own = ownDevices(this.#devices, wanted.uuid);
  }

  /** null: it is not shown. @param name `light.kitchen`. @param friendlyName as its state has it */
  entity(name: string, friendlyName: string): PlacedEntity | null {
    const domain = name.slice(0, name.indexOf("."));
    if (!DOMAIN_NAMES.includes(domain)) return null;
    const row = this.#entities.get(name) ?? {};
    const deviceId = textIn(row, "device_id");
    if (row.hidden_by || row.disabled_by || this.#own.has(deviceId) || !this.#isLabelled(row)) return null;
    const device = TRACKERS.includes(domain) ? undefined : this.#devices.get(deviceId);
    const key = textIn(row, "id") || name;
    const area = this.#areaOf(row, device ?? {});
    return {
      ...{ key, name, domain },
      isInternal: INTERNAL.includes(textIn(row, "entity_category")),
      device: device ? `device ${deviceId}` : `entity ${key}`,
      deviceName: (device && (textIn(device, "name_by_user") || textIn(device, "name"))) || friendlyName || name,
      model: (device && `${textIn(device, "manufacturer")} ${textIn(device, "model")}`.trim()) || "Home Assistant",
      firmware: (device && textIn(device, "sw_version")) || null,
      room: textIn(area, "name"),
      area: textIn(area, "area_id"),
    };
  }

  areas(): readonly { readonly id: string; readonly name: string; readonly floor: string | null }[] {
    return Array.from(this.#areas, ([id, row]) => ({
      ...{ id, name: textIn(row, "name"), floor: textIn(row, "floor_id") || null },
    }));
  }

  /** Id of the area of an entity. */
  areaOf(name: string): string | null {
    const row = this.#entities.get(name) ?? {};
    return textIn(this.#areaOf(row, this.#devices.get(textIn(row, "device_id")) ?? {}), "area_id") || null;
  }

  /** `light.kitchen`, of its id for ever; "": there is none. */
  nameOf(id: string): string {
    if (this.#entities.has(id)) return id;
    for (const [name, row] of this.#entities) if (textIn(row, "id") === id) return name;
    return "";
  }

  /** Names of the entities of a device, in an area, on a floor or with a label. */
  entitiesIn(kind: string, id: string): readonly string[] {
    const isIn = (row: Row): boolean => {
      const device = this.#devices.get(textIn(row, "device_id")) ?? {};
      const area = this.#areaOf(row, device);
      if (kind === "device_id") return textIn(row, "device_id") === id;
      if (kind === "area_id") return textIn(area, "area_id") === id;
      if (kind === "floor_id") return textIn(area, "floor_id") === id;
      return [row, device, area].some(({ labels }) => Array.isArray(labels) && labels.includes(id));
    };
    return Array.from(this.#entities).flatMap(([name, row]) =>
      isIn(row) && !row.hidden_by && !row.disabled_by ? [name] : [],
    );
  }

  /** Its own, or that of its device. */
  #areaOf(row: Row, device: Row): Row {
    return this.#areas.get(textIn(row, "area_id") || textIn(device, "area_id")) ?? {};
  }

  #isLabelled(row: Row): boolean {
    if (this.#wanted.label === "") return true;
    if (this.#labelId === null) return false;
    const device = this.#devices.get(textIn(row, "device_id")) ?? {};
    return [row, device, this.#areaOf(row, device)].some(
      ({ labels }) => Array.isArray(labels) && labels.includes(this.#labelId),
    );
  }
}

/** What this controller announces on a broker, serves to Home Assistant's own integration, or bridges over Matter. */
function ownDevices(devices: ReadonlyMap<string, Row>, uuid: string): ReadonlySet<string> {
  const own = new Set<string>();
  const marks = [uuid, ownIdentity(uuid)];
  for (const [id, row] of devices) {
    const identifiers = Array.isArray(row.identifiers) ? row.identifiers : [];
    const names = identifiers.flatMap((each) => (Array.isArray(each) ? foreignText(each[1], TEXT_MAX) : []));
    const isOwn = names.some((name) => marks.some((mark) => name.startsWith(mark)));
    if (isOwn || textIn(row, "manufacturer") === OWN_MAKER) own.add(id);
  }
  for (const [id, row] of devices) if (own.has(textIn(row, "via_device_id"))) own.add(id);
  return own;
}

function rowsOf(list: unknown): readonly Row[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function textIn(row: Row, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value.slice(0, TEXT_MAX) : "";
}
