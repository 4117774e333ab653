/** A simulated Home Assistant with many entities, in a process of its own: some of them change all the time, or all of them at once. */

import { SimulatedHomeAssistant } from "../../simulators/homeassistant/simulated-home-assistant.ts";
import { serveCalls } from "../harness/worker.ts";

export type ManyEntities = { readonly entities: number; readonly changesPerSecond: number };
export type ServedHomeAssistant = { readonly url: string; readonly token: string };

let simulated: SimulatedHomeAssistant | null = null;
let names: readonly string[] = [];
let changed = 0;

serveCalls({
  async start({ entities, changesPerSecond }: ManyEntities): Promise<ServedHomeAssistant> {
    simulated = await SimulatedHomeAssistant.start();
    names = Array.from({ length: entities }, (_, index) => add(simulated as SimulatedHomeAssistant, index));
    setInterval(() => change(), 1000 / changesPerSecond);
    return { url: simulated.url, token: simulated.token };
  },
  /** Every entity changes so many times, in one go. */
  flood(times: number): void {
    for (let at = 0; at < names.length * times; at += 1) change();
  },
});

/** Sensors, lamps and contacts, as in a large home. */
function add(served: SimulatedHomeAssistant, index: number): string {
  const kind = index % 4;
  const friendly_name = `Entity ${index}`;
  const [name, state, attributes] =
    kind === 0
      ? [`light.l${index}`, "off", { supported_color_modes: ["brightness"] }]
      : kind === 1
        ? [`binary_sensor.b${index}`, "off", { device_class: "door" }]
        : [
            `sensor.s${index}`,
            "20",
            { device_class: "temperature", unit_of_measurement: "°C", state_class: "measurement" },
          ];
  served.add(name as string, state as string, { friendly_name, ...(attributes as object) });
  return name as string;
}

function change(): void {
  changed += 1;
  const name = names[changed % names.length] ?? "";
  const isOdd = Math.floor(changed / names.length) % 2 === 0;
  simulated?.set(name, name.startsWith("sensor") ? String(20 + (changed % 50) / 10) : isOdd ? "on" : "off");
}
