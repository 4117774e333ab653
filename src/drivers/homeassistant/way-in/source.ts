/**
 * Reads what an owner of Home Assistant may move in with. Nothing is written there. Registries are for every account; configurations
 * of automations, scripts and scenes are for administrators alone.
 */

import { type Message, message } from "../../../messages.ts";
import { foreignText } from "../../../util/foreign-value.ts";
import { isRecord } from "../../../util/is-record.ts";
import { inSlices, type Slices } from "../../../util/slices.ts";
import type { SourceAutomation, SourceHome, SourceScene } from "../../home-source.ts";
import { CallRefused, type HomeAssistantConnection } from "../connection.ts";
import { type EntityState, textOf } from "../entity.ts";
import type { Registries } from "../registries.ts";
import { getJson, type Server } from "../rest.ts";
import type { SuppliedEntities } from "../supplied-entities.ts";
import { translate } from "./automation.ts";
import type { Known } from "./lines.ts";
import { clean, textIn } from "./read.ts";
import { translateScene } from "./scenes.ts";

type SourcePorts = {
  readonly connection: HomeAssistantConnection;
  readonly entities: SuppliedEntities;
  readonly registries: Registries;
  readonly server: Server;
};

type Configured = { readonly entity: string; readonly state: EntityState; readonly config: unknown };
type Read = Record<"automation" | "script" | "scene", readonly Configured[]>;

const READ_MAX = 500;
const LIST_MAX = 1000;
const UNAUTHORIZED = "unauthorized";

export async function readSource(ports: SourcePorts, signal: AbortSignal): Promise<SourceHome> {
  const { connection, registries, entities } = ports;
  const problems: Message[] = [];
  // The registry of floors is newer than others.
  const listed = await connection.ask("config/floor_registry/list").catch(unless(() => true));
  const rows = Array.isArray(listed) ? listed.slice(0, LIST_MAX).filter(isRecord) : [];
  const floors = rows.map((row) => ({ id: textIn(row, "floor_id"), name: textIn(row, "name") }));
  const read: Read = { automation: [], script: [], scene: [] };
  const reading = async () => {
    for (const domain of ["automation", "script", "scene"] as const)
      read[domain] = await configsOf(ports, domain, problems, signal);
  };
  // An account that may not read the ones may not read the others.
  const refused = await reading().catch(unless(({ code }) => code === UNAUTHORIZED));
  if (refused) problems.push(message("wayIn.adminToken"));
  const translated = await inSlices(translateAll(ports, read));
  return { floors, areas: registries.areas(), nodes: entities.areasOfNodes(), ...translated, problems };
}

/** Takes refusals, and throws everything else. */
function unless(isTaken: (refused: CallRefused) => boolean) {
  return (error: unknown): CallRefused => {
    if (error instanceof CallRefused && isTaken(error)) return error;
    throw error;
  };
}

/** @throws CallRefused UNAUTHORIZED */
async function configsOf(ports: SourcePorts, domain: keyof Read, problems: Message[], signal: AbortSignal) {
  const found: Configured[] = [];
  const named = ports.entities.named([domain]);
  if (named.length > READ_MAX) problems.push(message("wayIn.tooMany", { count: named.length, max: READ_MAX }));
  for (const [entity, state] of named.slice(0, READ_MAX)) {
    signal.throwIfAborted();
    const asked = domain === "scene" ? sceneOf(ports, state, signal) : configOf(ports, domain, entity);
    const config = await asked.catch(unless(({ code }) => code !== UNAUTHORIZED));
    if (config instanceof CallRefused)
      problems.push(message("wayIn.unread", { entity, sentence: clean(config.message) }));
    else if (config === null) problems.push(message("wayIn.otherFile", { entity }));
    else found.push({ entity, state, config });
  }
  return found;
}

async function configOf({ connection }: SourcePorts, domain: string, entity: string): Promise<unknown> {
  const answer = await connection.ask(`${domain}/config`, { entity_id: entity });
  return (isRecord(answer) && answer.config) || {};
}

/** null: the page there did not make it. */
async function sceneOf({ server }: SourcePorts, state: EntityState, signal: AbortSignal): Promise<unknown> {
  const id = foreignText(state.attributes.id, 100);
  if (id === "") return null;
  const { status, body } = await getJson(server, `/api/config/scene/config/${encodeURIComponent(id)}`, signal);
  if (status === 401) throw new CallRefused(UNAUTHORIZED, "");
  return status === 200 && isRecord(body) ? body : null;
}

function* translateAll(
  { entities, registries }: SourcePorts,
  read: Read,
): Slices<Pick<SourceHome, "automations" | "scenes">> {
  const sceneIds = new Map(read.scene.map(({ entity, state }) => [entity, foreignText(state.attributes.id, 100)]));
  const scripts = new Map(read.script.map((each) => [each.entity, each]));
  const made = new Map<string, { readonly number: number; automation: SourceAutomation | null }>();
  let last = 0;
  const nextNumber = () => {
    last += 1;
    return last;
  };
  /** One that runs itself, by others or not, has its number before it is done. */
  const scriptOf = (entity: string): number | null => {
    const before = made.get(entity);
    if (before) return before.automation?.verdict === "none" ? null : before.number;
    const script = scripts.get(entity);
    if (!script) return null;
    const entry = { number: nextNumber(), automation: null as SourceAutomation | null };
    made.set(entity, entry);
    entry.automation = translate(known, aboutOf(script, "script"), script.config, entry.number);
    return entry.automation.verdict === "none" ? null : entry.number;
  };
  const known: Known = {
    find: (entity) => entities.shownBy(entity),
    entityOf: (id) => registries.nameOf(id),
    entitiesIn: (kind, id) => registries.entitiesIn(kind, id),
    sceneOf: (entity) => sceneIds.get(entity) ?? null,
    scriptOf,
    nextNumber,
  };
  const translatedScenes: SourceScene[] = [];
  for (const { entity, state, config } of read.scene) {
    const id = sceneIds.get(entity) ?? entity;
    const name = textOf(state.attributes, "friendly_name") || entity;
    const scene = translateScene(known, { id, name, area: registries.areaOf(entity) }, config);
    translatedScenes.push(scene);
    // A scene without members is none.
    if (scene.links.length === 0) sceneIds.delete(entity);
    yield;
  }
  const automations: SourceAutomation[] = [];
  for (const each of read.automation) {
    automations.push(translate(known, aboutOf(each, "automation"), each.config));
    yield;
  }
  for (const { entity } of read.script) {
    scriptOf(entity);
    yield;
  }
  for (const { automation } of made.values()) if (automation) automations.push(automation);
  return { automations, scenes: translatedScenes };
}

function aboutOf({ entity, state, config }: Configured, kind: "automation" | "script") {
  const name = textOf(state.attributes, "friendly_name") || textIn(isRecord(config) ? config : {}, "alias") || entity;
  const key = clean(foreignText(state.attributes.id, 100)) || entity;
  return { id: entity, key, name, kind, isOn: kind === "script" || state.state === "on" };
}
