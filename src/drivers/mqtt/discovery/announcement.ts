/**
 * A message on `PREFIX/…/config`, read once at the edge: the device that it belongs to and the configuration of each of its entities, with
 * long keys and whole topics.
 */

import { isRecord } from "../../../util/is-record.ts";
import { ABBREVIATIONS, DEVICE_ABBREVIATIONS } from "./abbreviations-table.ts";

export type Announcement = {
  /** Identity of the device; null: the entity says of none. */
  readonly device: AnnouncedDevice | null;
  /** Program that announces it. */
  readonly origin: string;
  readonly entities: readonly AnnouncedEntity[];
  /** Another announcement takes it over, and what it announced stays until then. */
  readonly isMigrating: boolean;
};

export type AnnouncedDevice = {
  readonly id: string;
  /** Every identity that it names, the first one among them. */
  readonly ids: readonly string[];
  /** "": it says none. */
  readonly name: string;
  readonly model: string;
  readonly firmware: string | null;
  /** Room that it says it is in; "": none. */
  readonly room: string;
};

export type AnnouncedEntity = {
  /** Names it among all entities. */
  readonly id: string;
  readonly component: string;
  readonly config: Readonly<Record<string, unknown>>;
};

type Config = Readonly<Record<string, unknown>>;

const COMPONENTS_MAX = 200;
const IDS_MAX = 10;
const DEPTH_MAX = 4;
const TEXT_MAX = 200;

/** What stands between the prefix and `/config`: `light/node/lamp` or `device/lamp`. null: it is no announcement. */
export function announcementOf(path: string, message: unknown): Announcement | null {
  const [component = "", ...ids] = path.split("/");
  if (!isRecord(message) || ids.length === 0 || ids.length > 2) return null;
  const whole = expanded(message, ABBREVIATIONS, textOf(message["~"]), 0);
  const device = deviceOf(isRecord(whole.device) ? expanded(whole.device, DEVICE_ABBREVIATIONS, "", 0) : null);
  if (device === "refused") return null;
  const origin = isRecord(whole.origin) ? textOf(whole.origin.name) : "";
  if (message.migrate_discovery === true) return { device: null, origin, entities: [], isMigrating: true };
  const isMigrating = false;
  if (component !== "device") {
    const id = textOf(whole.unique_id) || path;
    return { device, origin, entities: [{ id, component, config: whole }], isMigrating };
  }
  const { components, device: _device, ...root } = whole;
  if (!isRecord(components)) return null;
  const entities = Object.entries(components)
    .slice(0, COMPONENTS_MAX)
    .flatMap(([key, own]): AnnouncedEntity[] => {
      // One with nothing but its platform is removed.
      if (!isRecord(own) || Object.keys(own).length < 2) return [];
      const config: Config = { ...root, ...own };
      return [{ id: textOf(own.unique_id) || `${path}/${key}`, component: textOf(own.platform), config }];
    });
  return { device, origin, entities, isMigrating };
}

/** "refused": it names a device by what is no name. */
function deviceOf(device: Config | null): AnnouncedDevice | null | "refused" {
  if (!device) return null;
  const { identifiers, connections, name, manufacturer, model, sw_version, suggested_area } = device;
  const listed = Array.isArray(identifiers) ? identifiers : identifiers === undefined ? [] : [identifiers];
  if (listed.some((each) => each === null)) return "refused";
  const connected: readonly unknown[] = Array.isArray(connections) ? connections : [];
  const ids = [
    ...listed.map(textOf),
    ...connected.flatMap((each) => (Array.isArray(each) ? [each.map(textOf).join(" ")] : [])),
  ].filter((id) => id !== "");
  const [id] = ids;
  if (id === undefined) return null;
  const about = `${textOf(manufacturer)} ${textOf(model)}`.trim();
  const firmware = textOf(sw_version) || null;
  return { id, ids: ids.slice(0, IDS_MAX), name: textOf(name), model: about, firmware, room: textOf(suggested_area) };
}

/** `~` is replaced at one end of a topic only, and nothing is added. */
function expanded(config: Config, table: Readonly<Record<string, string>>, base: string, depth: number): Config {
  if (depth > DEPTH_MAX) return {};
  const entries = Object.entries(config).map(([short, value]): [string, unknown] => {
    const key = Object.hasOwn(table, short) ? String(table[short]) : short;
    if (typeof value === "string" && key.endsWith("topic") && base !== "") {
      if (value.startsWith("~")) return [key, base + value.slice(1)];
      return [key, value.endsWith("~") ? value.slice(0, -1) + base : value];
    }
    const isNested = depth < DEPTH_MAX && ["availability", "components"].includes(key);
    if (key === "components" && isRecord(value)) {
      const parts = Object.entries(value).slice(0, COMPONENTS_MAX);
      return [
        key,
        Object.fromEntries(
          parts.map(([name, part]) => [
            name,
            isRecord(part) ? expanded(part, table, textOf(part["~"]) || base, depth + 1) : null,
          ]),
        ),
      ];
    }
    if (isNested && Array.isArray(value)) {
      return [
        key,
        value.slice(0, COMPONENTS_MAX).map((each) => (isRecord(each) ? expanded(each, table, base, depth + 1) : each)),
      ];
    }
    return [key, isNested && isRecord(value) ? expanded(value, table, base, depth + 1) : value];
  });
  return Object.fromEntries(entries);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, TEXT_MAX) : "";
}
