/** A simulated Home Assistant with a driver on it, on a virtual clock. */

import { SimulatedHomeAssistant } from "../../../simulators/homeassistant/simulated-home-assistant.ts";
import {
  HomeAssistantDriver,
  type HomeAssistantOptions,
} from "../../../src/drivers/homeassistant/homeassistant-driver.ts";
import type { ServiceStore } from "../../../src/drivers/service.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { pass, passingUntil, passUntil } from "../../support/passing-time.ts";
import { memoryStore, RecordingHost } from "../recording-host.ts";

export const UUID = "00:21:b9:00:00:01";
const LEVELS = { supported_color_modes: ["brightness"], supported_features: 0 };

/** Lamps, a plug with its meter, a door, a thermostat, a lock and others, as Home Assistant's demo has them. */
export function furnish(simulated: SimulatedHomeAssistant): void {
  simulated.devices.push({ id: "plug", name: "Coffee machine", manufacturer: "Maker", model: "P1", identifiers: [] });
  simulated.add("light.kitchen", "on", { friendly_name: "Kitchen", brightness: 255, ...LEVELS });
  simulated.add("switch.coffee", "off", { friendly_name: "Coffee", device_class: "outlet" }, { device_id: "plug" });
  simulated.add(
    "sensor.coffee_power",
    "12.5",
    { friendly_name: "Coffee power", device_class: "power", unit_of_measurement: "W", state_class: "measurement" },
    { device_id: "plug" },
  );
  simulated.add("binary_sensor.door", "off", { friendly_name: "Door", device_class: "door" });
  simulated.add("cover.blind", "open", { friendly_name: "Blind", supported_features: 15, current_position: 100 });
  simulated.add("lock.front", "locked", { friendly_name: "Front door" });
  simulated.add("climate.hall", "heat", {
    ...{ friendly_name: "Hall", supported_features: 1, hvac_modes: ["off", "heat"], min_temp: 7, max_temp: 35 },
    ...{ current_temperature: 20.5, temperature: 21, hvac_action: "idle" },
  });
  simulated.add("event.button", "2026-11-28T10:00:00+00:00", {
    ...{ friendly_name: "Button", device_class: "button", event_types: ["press", "long_press"], event_type: "press" },
  });
  simulated.add("media_player.tv", "idle", { friendly_name: "Television" });
}

const opened = new Set<HomeAssistantHome>();

/** Those that a test has made. */
export async function endAll(): Promise<void> {
  for (const home of opened) await home.driver.stop();
  for (const simulated of new Set([...opened].map((home) => home.simulated))) await simulated.stop();
  opened.clear();
}

export class HomeAssistantHome {
  readonly clock = new VirtualClock(0);
  readonly host: RecordingHost;
  readonly driver: HomeAssistantDriver;
  readonly simulated: SimulatedHomeAssistant;

  private constructor(simulated: SimulatedHomeAssistant, store: ServiceStore, options: Partial<HomeAssistantOptions>) {
    this.simulated = simulated;
    opened.add(this);
    this.host = new RecordingHost(this.clock, store);
    this.driver = new HomeAssistantDriver({
      ...{
        name: "homeassistant",
        url: simulated.url,
        token: simulated.token,
        ca: "",
        label: "",
        secured: true,
        uuid: UUID,
      },
      ...options,
    });
  }

  static async made(
    options: Partial<HomeAssistantOptions> = {},
    store: ServiceStore = memoryStore(),
    simulated?: SimulatedHomeAssistant,
  ): Promise<HomeAssistantHome> {
    const served = simulated ?? (await SimulatedHomeAssistant.start());
    if (!simulated) furnish(served);
    return new HomeAssistantHome(served, store, options);
  }

  static async started(...given: Parameters<typeof HomeAssistantHome.made>): Promise<HomeAssistantHome> {
    const home = await HomeAssistantHome.made(...given);
    await home.start();
    return home;
  }

  start(): Promise<void> {
    return passingUntil(this.clock, this.driver.start(this.host, new AbortController().signal));
  }

  /** Address of the node with this name. */
  node(name: string): string {
    const found = [...this.host.nodes.values()].find((each) => each.name === name);
    if (!found) throw new Error(`There is no node ${name}: ${[...this.host.nodes.values()].map((each) => each.name)}`);
    return found.address;
  }

  send(name: string, command: string, value?: number, uom = 51) {
    const parameters = value === undefined ? [] : [{ id: "", value, uom, prec: 0 }];
    const signal = new AbortController().signal;
    const given = { id: "c1", address: this.node(name), command, parameters, signal };
    return passingUntil(this.clock, this.driver.send(given));
  }

  pass(spanMs: number): Promise<void> {
    return pass(this.clock, spanMs);
  }

  until(isTrue: () => boolean): Promise<void> {
    return passUntil(this.clock, isTrue);
  }
}
