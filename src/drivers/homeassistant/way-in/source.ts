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

const READ_MAX = 500;
const LIST_MAX = 1000;

export async function readSource(ports: SourcePorts, signal: AbortSignal): Promise<SourceHome> {
  const { connection, registries, entities } = ports;
  const problems: Message[] = [];
  const listed = await connection.ask("config/floor_registry/list").catch(unlessRefused);
  const rows = Array.isArray(listed) ? listed.slice(0, LIST_MAX).filter(isRecord) : [];
  const floors = rows.map((row) => ({ id: textIn(row, "floor_id"), name: textIn(row, "name") }));
  const read = {
    automation: await configsOf(ports, "automation", problems, signal),
    script: [] as readonly Configured[],
  };
  // An account that may not read the ones may not read the others.
  const isAdmin = problems.length === 0;
  if (isAdmin) read.script = await configsOf(ports, "script", problems, signal);
  const scenes = isAdmin ? await scenesOf(ports, problems, signal) : [];
  const translated = await inSlices(translateAll(ports, read, scenes));
  return { floors, areas: registries.areas(), nodes: entities.areasOfNodes(), ...translated, problems };
}

/** The registry of floors is newer than others. */
function unlessRefused(error: unknown): null {
  if (error instanceof CallRefused) return null;
  throw error;
}

async function configsOf(
  { connection, entities }: SourcePorts,
  domain: "automation" | "script",
  problems: Message[],
  signal: AbortSignal,
): Promise<readonly Configured[]> {
  const found: Configured[] = [];
  const named = entities.named([domain]);
  if (named.length > READ_MAX) problems.push(message("wayIn.tooMany", { count: named.length, max: READ_MAX }));
  for (const [entity, state] of named.slice(0, READ_MAX)) {
    signal.throwIfAborted();
    try {
      const answer = await connection.ask(`${domain}/config`, { entity_id: entity });
      found.push({ entity, state, config: isRecord(answer) ? answer.config : null });
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      if (error.code === "unauthorized") {
        problems.push(message("wayIn.adminToken"));
        return [];
      }
      problems.push(message("wayIn.unread", { entity, sentence: clean(error.message) }));
    }
  }
  return found;
}

async function scenesOf(
  { entities, server }: SourcePorts,
  problems: Message[],
  signal: AbortSignal,
): Promise<readonly Configured[]> {
  const found: Configured[] = [];
  for (const [entity, state] of entities.named(["scene"]).slice(0, READ_MAX)) {
    const id = foreignText(state.attributes.id, 100);
    const answer =
      id === "" ? null : await getJson(server, `/api/config/scene/config/${encodeURIComponent(id)}`, signal);
    if (answer?.status === 200 && isRecord(answer.body)) found.push({ entity, state, config: answer.body });
    else if (answer?.status === 401) problems.push(message("wayIn.adminToken"));
    else problems.push(message("wayIn.otherFile", { entity }));
  }
  return found;
}

function* translateAll(
  { entities, registries }: SourcePorts,
  read: { readonly automation: readonly Configured[]; readonly script: readonly Configured[] },
  scenes: readonly Configured[],
): Slices<Pick<SourceHome, "automations" | "scenes">> {
  const sceneIds = new Map(scenes.map(({ entity, state }) => [entity, foreignText(state.attributes.id, 100)]));
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
  for (const { entity, state, config } of scenes) {
    const id = sceneIds.get(entity) ?? entity;
    const name = textOf(state.attributes, "friendly_name") || entity;
    translatedScenes.push(translateScene(known, { id, name, area: registries.areaOf(entity) }, config));
    yield;
  }
  // A scene without members is none.
  for (const [entity, id] of sceneIds)
    if (translatedScenes.some((each) => each.id === id && each.links.length === 0)) sceneIds.delete(entity);
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
