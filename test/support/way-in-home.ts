/** A simulated Home Assistant with floors, areas, scenes, and an automation of each typical kind. */

import { readFileSync } from "node:fs";
import { SimulatedHomeAssistant } from "../../simulators/homeassistant/simulated-home-assistant.ts";

type Config = Readonly<Record<string, unknown>>;
type Furniture = {
  readonly floors: readonly Config[];
  readonly areas: readonly Config[];
  readonly entities: Readonly<Record<string, { state: string; area?: string; attributes: Record<string, unknown> }>>;
  readonly configs: Readonly<Record<string, Config>>;
};

const read = (name: string) => readFileSync(new URL(`../fixtures/way-in/${name}.json`, import.meta.url), "utf8");

/** The home and the automations, own variants of typical ones, which the real Home Assistant gets too. */
const HOME = JSON.parse(read("home")) as Furniture;
export const KINDS = JSON.parse(read("kinds")) as Readonly<Record<string, Config>>;

export async function startWayInHome(): Promise<SimulatedHomeAssistant> {
  const simulated = await SimulatedHomeAssistant.start();
  furnishForWayIn(simulated);
  return simulated;
}

export function furnishForWayIn(simulated: SimulatedHomeAssistant): void {
  simulated.floors.push(...HOME.floors);
  simulated.areas.push(...HOME.areas);
  for (const [entity, { state, area, attributes }] of Object.entries(HOME.entities))
    simulated.add(entity, state, { ...attributes }, area === undefined ? {} : { area_id: area });
  for (const [name, config] of Object.entries(HOME.configs)) simulated.configs.set(name, config);
  for (const [id, config] of Object.entries(KINDS)) automation(simulated, id, config);
}

export function automation(simulated: SimulatedHomeAssistant, id: string, config: Config): void {
  const entity = `automation.${id}`;
  simulated.add(entity, "on", { friendly_name: String(config.alias ?? id), id: `id ${id}` }, {});
  simulated.configs.set(entity, { id: `id ${id}`, ...config });
}
