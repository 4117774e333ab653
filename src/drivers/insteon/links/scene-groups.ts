/** Which group of the modem stands for which scene. Stored before the first record is written. */

import { isRecord } from "../../../util/is-record.ts";
import type { ServiceStore } from "../../service.ts";
import type { DeviceId, LinkRecord } from "../line/messages.ts";
import { roleOf } from "./link-records.ts";

const KEY = "scene groups";
/** Buttons of devices have lower numbers: the modem tells two links with the same number and device apart by role only. */
const FIRST = 0x10;
const LAST = 0xfe;
/** Thermostats report to this group. */
const RESERVED = 0xef;

export class SceneGroups {
  readonly #store: ServiceStore;
  readonly #groups: Map<string, number>;

  constructor(store: ServiceStore) {
    this.#store = store;
    const stored = store.get(KEY);
    const entries = isRecord(stored) ? Object.entries(stored) : [];
    this.#groups = new Map(entries.filter((entry): entry is [string, number] => isGroup(entry[1])));
  }

  of(scene: string): number | null {
    return this.#groups.get(scene) ?? null;
  }

  sceneOf(group: number): string | null {
    return [...this.#groups].find(([, own]) => own === group)?.[0] ?? null;
  }

  /**
   * @param preferred the scene's number. A group of it that the modem has already, with no other devices, was made for this scene
   * by another controller; one that is shifted by our first group, with the same devices, by a controller like this one.
   * @returns null when no group is free
   */
  assign(
    scene: string,
    preferred: number,
    members: ReadonlySet<DeviceId>,
    links: readonly LinkRecord[],
  ): number | null {
    const known = this.of(scene);
    if (known !== null) return known;
    const taken = new Set([...this.#groups.values(), ...links.map(({ group }) => group)]);
    const devicesOf = (group: number) =>
      new Set(
        links.filter((link) => link.group === group && roleOf(link) === "controller").map(({ device }) => device),
      );
    const isUnclaimed = (group: number) => this.sceneOf(group) === null;
    const present = devicesOf(preferred);
    if (present.size > 0 && isWithin(present, members) && isUnclaimed(preferred)) return this.claim(scene, preferred);
    const usual = FIRST - 1 + preferred;
    const own = devicesOf(usual);
    const isSame = own.size === members.size && isWithin(own, members);
    if (isGroup(usual) && usual !== RESERVED && isUnclaimed(usual) && (isSame || !taken.has(usual))) {
      return this.claim(scene, usual);
    }
    for (let group = FIRST; group <= LAST; group += 1) {
      if (group !== RESERVED && !taken.has(group)) return this.claim(scene, group);
    }
    return null;
  }

  /** The scene is to be this group. */
  claim(scene: string, group: number): number {
    this.#groups.set(scene, group);
    this.#keep();
    return group;
  }

  /** Scenes that are gone give their groups back, once none of their records is left. */
  release(isNeeded: (scene: string, group: number) => boolean): void {
    const gone = [...this.#groups].filter(([scene, group]) => !isNeeded(scene, group));
    if (gone.length === 0) return;
    for (const [scene] of gone) this.#groups.delete(scene);
    this.#keep();
  }

  #keep(): void {
    this.#store.set(KEY, Object.fromEntries(this.#groups));
  }
}

function isWithin(devices: ReadonlySet<DeviceId>, members: ReadonlySet<DeviceId>): boolean {
  return [...devices].every((device) => members.has(device));
}

function isGroup(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= LAST;
}
