/**
 * What becomes of a home that its owner moves in from: a plan, which changes nothing, and the one edit that carries it out. Its owner is
 * never overruled: what is here already stays as it is.
 *
 * @see docs/home-assistant.md
 */

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { HomeSource, SourceHome, SourceScene } from "../drivers/home-source.ts";
import { cleanName } from "../drivers/report-checks.ts";
import { ControllerError } from "../errors.ts";
import { applyChange } from "../home/apply-change.ts";
import type { Cause } from "../home/cause.ts";
import type { ThingEdit } from "../home/edit.ts";
import { changesOf, findThing } from "../home/editable.ts";
import type { Group } from "../home/groups.ts";
import { Home } from "../home/home.ts";
import type { Message } from "../messages.ts";
import { inSlices, type Slices } from "../util/slices.ts";
import { checkEdit } from "./check-edit.ts";
import { created, editHome } from "./edit-home.ts";
import { newAddress, newDeviceGroup } from "./new-ids.ts";
import { checkLink } from "./scene-links.ts";
import { type PlannedAutomation, planPrograms, type WayInPorts } from "./way-in-programs.ts";

/** `new`: it is made. `there`: it is here already, and stays as it is. */
type PlannedState = "new" | "moved" | "there";

export type WayInPlan = {
  readonly system: string;
  /** Of all that would change: the plan that an owner has seen is the one that is carried out. */
  readonly digest: string;
  readonly things: readonly ThingEdit[];
  /** As the home would be. */
  readonly after: Home;
  readonly problems: readonly Message[];
  readonly folders: readonly { readonly address: string; readonly state: PlannedState }[];
  /** `there`: it lies in the folder, or somewhere else where its owner wants it. */
  readonly nodes: readonly { readonly address: string; readonly folder: string; readonly state: PlannedState }[];
  readonly scenes: readonly (SourceScene & { readonly state: PlannedState | "empty" })[];
  readonly automations: readonly PlannedAutomation[];
};

/** Integrations that one can move in from. */
export function sourcesOf({
  drivers,
}: Pick<WayInPorts, "drivers">): readonly { readonly id: string; readonly system: string }[] {
  return drivers
    .list()
    .flatMap(({ name, driver }) => (driver?.source ? [{ id: name, system: driver.source.system }] : []));
}

/** @throws ControllerError NOT_SUPPORTED; DRIVER_UNAVAILABLE; LIMIT_REACHED */
export async function planWayIn(ports: WayInPorts, integration: string, signal: AbortSignal): Promise<WayInPlan> {
  const source: HomeSource | undefined = ports.drivers.list().find(({ name }) => name === integration)?.driver?.source;
  if (!source) throw new ControllerError("NOT_SUPPORTED", "There is nothing to move in from at this integration.");
  const read = await source.read(signal);
  const planner = new Planner(ports, integration);
  return inSlices(planner.plan(source.system, read));
}

/** @param digest of the plan that its owner has seen; null: whatever it is now. @throws ControllerError as `planWayIn`; CONFLICT; STORE_UNAVAILABLE */
export async function moveInFrom(
  ports: WayInPorts,
  integration: string,
  digest: string | null,
  cause: Cause,
  signal: AbortSignal,
): Promise<{ readonly plan: WayInPlan; readonly edit: number | null }> {
  const plan = await planWayIn(ports, integration, signal);
  const isAsPlanned = plan.things.every(({ kind, key, before }) =>
    isDeepStrictEqual(recordOf(findThing(ports.home, kind, key)), recordOf(before)),
  );
  if (!isAsPlanned || (digest !== null && digest !== plan.digest))
    throw new ControllerError("CONFLICT", "Something has changed since this plan was made. Look at the new plan.");
  const title = `Take over from ${plan.system}`;
  return { plan, edit: await editHome(ports, { title, things: plan.things }, cause) };
}

/** Nodes have values beside their record, which change meanwhile. */
function recordOf(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return record;
  const { parent, name, version } = record as { parent?: unknown; name?: unknown; version?: unknown };
  return "nodeDefId" in record ? { parent, name } : { parent, name, version };
}

class Planner {
  readonly #ports: WayInPorts;
  readonly #integration: string;
  readonly #after: Home;
  readonly #things: ThingEdit[] = [];
  readonly #folders = new Map<string, PlannedState>();

  constructor(ports: WayInPorts, integration: string) {
    this.#ports = ports;
    this.#integration = integration;
    this.#after = copyOf(ports.home);
  }

  *plan(system: string, source: SourceHome): Slices<WayInPlan> {
    const areas = this.#areas(source);
    const nodes = source.nodes.flatMap(({ address, area }) => this.#node(address, areas.get(area)) ?? []);
    yield;
    const scenes = new Map<string, string>();
    const plannedScenes = source.scenes.map((scene) => this.#scene(scene, areas, scenes));
    yield;
    const put = (thing: ThingEdit) => this.#put(thing);
    const automations = yield* planPrograms({ ...this.#ports, home: this.#after }, put, { system, source, scenes });
    const things = this.#things.filter((thing) => changesOf(thing).length > 0);
    checkEdit(this.#ports.home, this.#ports.config, things);
    const told = things.map(({ kind, key, after }) => [
      kind,
      key,
      recordOf(after),
      after && "tree" in after && after.tree,
    ]);
    const digest = createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16);
    const folders = Array.from(this.#folders, ([address, state]) => ({ address, state }));
    const { problems } = source;
    return { system, digest, things, after: this.#after, problems, folders, nodes, scenes: plannedScenes, automations };
  }

  #put(thing: ThingEdit): void {
    this.#things.push(thing);
    for (const change of changesOf(thing)) applyChange(this.#after, change);
  }

  /** Folders by the ids of areas, of those in which something lies. */
  #areas({ floors, areas, nodes }: SourceHome): ReadonlyMap<string, string> {
    const folders = new Map<string, string>();
    for (const { id, name, floor } of areas) {
      if (!nodes.some(({ area }) => area === id)) continue;
      const above = floor === null ? null : this.#folder(floors.find((each) => each.id === floor)?.name ?? "", null);
      const address = this.#folder(name, above);
      if (address !== null) folders.set(id, address);
    }
    return folders;
  }

  /** The folder of this name, wherever its owner has it; one that the driver made is moved to its floor. */
  #folder(given: string, parent: string | null): string | null {
    const name = cleanName(given, "");
    if (name === "") return parent;
    const named = [...this.#after.folders.values()].filter(
      (folder) => folder.name.toLowerCase() === name.toLowerCase(),
    );
    const known = named.find((folder) => (folder.parent?.address ?? null) === parent) ?? named[0];
    const above = parent === null ? null : ({ address: parent, kind: "folder" } as const);
    if (!known) {
      const address = newAddress(this.#after, "folder");
      this.#put(created("folder", address, { address, name, parent: above }));
      this.#folders.set(address, "new");
      return address;
    }
    const { address } = known;
    const moves = above !== null && known.parent === null && address !== parent && this.#isOfDriver(address);
    if (moves) this.#put({ kind: "folder", key: address, before: known, after: { ...known, parent: above } });
    if (moves || !this.#folders.has(address)) this.#folders.set(address, moves ? "moved" : "there");
    return address;
  }

  /** Whether nothing but its devices lies in it. */
  #isOfDriver(folder: string): boolean {
    const isIn = ({ parent }: { readonly parent: { readonly address: string } | null }) => parent?.address === folder;
    const nodes = [...this.#after.nodes.values()].filter(isIn);
    const others = [...this.#after.folders.values(), ...this.#after.groups.values()].some(isIn);
    return !others && nodes.length > 0 && nodes.every(({ driver }) => driver === this.#integration);
  }

  /** Only one that lies nowhere, or where the driver put it: at the root, in the folder of its area. */
  #node(address: string, folder: string | undefined): WayInPlan["nodes"][number] | null {
    const before = this.#ports.home.nodes.get(address);
    if (!before || folder === undefined) return null;
    if (before.parent !== null) return { address, folder, state: "there" };
    const { properties: _properties, link: _link, version: _version, ...record } = before;
    const after = { ...record, parent: { address: folder, kind: "folder" } as const };
    this.#put({ kind: "node", key: address, before: record, after });
    return { address, folder, state: "moved" };
  }

  /** @param scenes addresses by their ids, to which this one is added */
  #scene(scene: SourceScene, areas: ReadonlyMap<string, string>, scenes: Map<string, string>) {
    const name = cleanName(scene.name, scene.id);
    const known = [...this.#after.groups.values()].find((group) => group.name.toLowerCase() === name.toLowerCase());
    if (known) scenes.set(scene.id, known.address);
    if (known) return { ...scene, state: "there" } as const;
    const links = scene.links.filter((link) => fits({ home: this.#after, profile: this.#ports.profile }, link));
    if (links.length === 0) return { ...scene, links, state: "empty" } as const;
    const address = newAddress(this.#after, "group");
    const folder = scene.area === null ? undefined : areas.get(scene.area);
    const group: Group = {
      ...{ address, name, deviceGroup: newDeviceGroup(this.#after) },
      parent: folder === undefined ? null : { address: folder, kind: "folder" },
      members: links.map(({ node }) => ({ address: node, isController: false })),
      blocks: [{ controller: address, links }],
    };
    this.#put(created("group", address, group));
    scenes.set(scene.id, address);
    return { ...scene, links, state: "new" } as const;
  }
}

function fits(ports: Parameters<typeof checkLink>[0], link: SourceScene["links"][number]): boolean {
  try {
    checkLink(ports, link);
    return true;
  } catch (error) {
    if (error instanceof ControllerError) return false;
    throw error;
  }
}

/** Its records are never changed, only replaced. */
function copyOf(home: Home): Home {
  const copy = new Home(home.controller);
  const all = [...Object.entries(home), ...Object.entries(home.variables)];
  const into = { ...copy, ...copy.variables } as Readonly<Record<string, unknown>>;
  for (const [name, map] of all) {
    const own = into[name];
    if (map instanceof Map && own instanceof Map) for (const [key, value] of map) own.set(key, value);
  }
  return copy;
}
