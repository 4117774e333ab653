/** A simulated Home Assistant with floors, areas, scenes, and an automation of each typical kind. */

import { SimulatedHomeAssistant } from "../../simulators/homeassistant/simulated-home-assistant.ts";

const LEVELS = { supported_color_modes: ["brightness"] };
const WHITE = { supported_color_modes: ["color_temp"], min_color_temp_kelvin: 2000, max_color_temp_kelvin: 6500 };

export async function startWayInHome(): Promise<SimulatedHomeAssistant> {
  const simulated = await SimulatedHomeAssistant.start();
  furnishForWayIn(simulated);
  return simulated;
}

export function furnishForWayIn(simulated: SimulatedHomeAssistant): void {
  simulated.floors.push({ floor_id: "ground", name: "Ground Floor" });
  simulated.areas.push(
    { area_id: "hall", name: "Entrance", floor_id: "ground", labels: [] },
    { area_id: "living", name: "Lounge", floor_id: "ground", labels: [] },
    { area_id: "garden", name: "Back Garden", floor_id: null, labels: [] },
  );
  const add = (entity: string, state: string, attributes: Record<string, unknown>, area?: string) =>
    simulated.add(entity, state, attributes, area === undefined ? {} : { area_id: area });
  add("light.hall", "off", { friendly_name: "Hall Lamp", ...LEVELS }, "hall");
  add("light.sofa", "off", { friendly_name: "Sofa Lamp", ...WHITE }, "living");
  add("switch.pump", "off", { friendly_name: "Pond Pump" }, "garden");
  add("binary_sensor.motion", "off", { friendly_name: "Hall Motion", device_class: "motion" }, "hall");
  add("binary_sensor.door", "off", { friendly_name: "Front Door Contact", device_class: "door" }, "hall");
  add(
    "sensor.outdoor",
    "21.5",
    { friendly_name: "Outdoor", device_class: "temperature", unit_of_measurement: "°C", state_class: "measurement" },
    "garden",
  );
  add(
    "cover.blind",
    "open",
    { friendly_name: "Lounge Blind", supported_features: 15, current_position: 100 },
    "living",
  );
  add(
    "climate.lounge",
    "heat",
    {
      ...{
        friendly_name: "Lounge Heating",
        supported_features: 1,
        hvac_modes: ["off", "heat"],
        min_temp: 7,
        max_temp: 30,
      },
      ...{ current_temperature: 20, temperature: 21 },
    },
    "living",
  );
  add("event.remote", "2026-05-01T10:00:00+00:00", {
    friendly_name: "Remote",
    event_types: ["press", "long_press"],
    event_type: "press",
  });
  add("input_boolean.away", "off", { friendly_name: "Away" });
  add("input_number.evening", "40", { friendly_name: "Evening Level", min: 0, max: 100, unit_of_measurement: "%" });
  add("scene.dinner", "unknown", { friendly_name: "Dinner", id: "1700000000001" }, "living");
  simulated.configs.set("1700000000001", {
    id: "1700000000001",
    name: "Dinner",
    entities: {
      "light.hall": { state: "on", brightness: 102 },
      "light.sofa": { state: "on", brightness: 128, color_temp_kelvin: 2700 },
      "cover.blind": "closed",
      "media_player.tv": "off",
    },
  });
  add("script.bedtime", "off", { friendly_name: "Bedtime" });
  simulated.configs.set("script.bedtime", {
    alias: "Bedtime",
    sequence: [
      { action: "light.turn_off", target: { area_id: "living" } },
      { delay: "00:01:00" },
      { action: "light.turn_off", target: { entity_id: "light.hall" } },
    ],
  });
  for (const [id, config] of Object.entries(KINDS)) automation(simulated, id, config);
}

export function automation(
  simulated: SimulatedHomeAssistant,
  id: string,
  config: Readonly<Record<string, unknown>>,
): void {
  const entity = `automation.${id}`;
  simulated.add(entity, "on", { friendly_name: String(config.alias ?? id), id: `id ${id}` }, {});
  simulated.configs.set(entity, { id: `id ${id}`, ...config });
}

/** Own variants of typical ones. */
export const KINDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  k01_motion: {
    alias: "Hall light by motion",
    mode: "restart",
    triggers: { trigger: "state", entity_id: "binary_sensor.motion", from: "off", to: "on" },
    actions: [
      { action: "light.turn_on", target: { entity_id: "light.hall" } },
      { wait_for_trigger: { trigger: "state", entity_id: "binary_sensor.motion", from: "on", to: "off" } },
      { delay: 120 },
      { action: "light.turn_off", target: { entity_id: "light.hall" } },
    ],
  },
  k02_dusk: {
    alias: "Lamp before dusk",
    triggers: [{ trigger: "sun", event: "sunset", offset: "-00:30:00" }],
    conditions: [{ condition: "state", entity_id: "input_boolean.away", state: "off" }],
    actions: [{ action: "light.turn_on", target: { entity_id: "light.sofa" }, data: { brightness_pct: 60 } }],
  },
  k03_door: {
    alias: "Door left open",
    trigger: [{ platform: "state", entity_id: "binary_sensor.door", to: "on", for: { minutes: 10 } }],
    action: [
      {
        service: "notify.mobile_app_phone",
        data: { title: "Door", message: "Open, and it is {{ states('sensor.outdoor') }} outside" },
      },
    ],
  },
  k04_hot: {
    alias: "Blind when hot",
    triggers: [{ trigger: "numeric_state", entity_id: "sensor.outdoor", above: 28, for: "00:05:00" }],
    conditions: [{ condition: "numeric_state", entity_id: "cover.blind", attribute: "current_position", above: 30 }],
    actions: [{ action: "cover.set_cover_position", target: { entity_id: "cover.blind" }, data: { position: 30 } }],
  },
  k05_morning: {
    alias: "Warm on weekdays",
    triggers: [{ trigger: "time", at: "06:30:00" }],
    conditions: [
      { condition: "time", weekday: ["mon", "tue", "wed", "thu", "fri"] },
      { condition: "state", entity_id: "climate.lounge", state: "heat" },
    ],
    actions: [
      { action: "climate.set_temperature", target: { entity_id: "climate.lounge" }, data: { temperature: 21.5 } },
    ],
  },
  k06_remote: {
    alias: "Remote toggles the lamp",
    triggers: [{ trigger: "state", entity_id: "event.remote", attribute: "event_type", to: "press" }],
    actions: [{ action: "light.toggle", target: { entity_id: "light.sofa" } }],
  },
  k07_choose: {
    alias: "Motion by time of day",
    triggers: [{ trigger: "state", entity_id: "binary_sensor.motion", to: "on" }],
    actions: [
      {
        choose: [
          {
            conditions: [{ condition: "time", after: "22:00:00", before: "06:00:00" }],
            sequence: [{ action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness_pct: 10 } }],
          },
          {
            conditions: [{ condition: "sun", after: "sunset" }],
            sequence: [{ action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness_pct: 50 } }],
          },
        ],
        default: [{ action: "switch.turn_on", target: { entity_id: "switch.pump" } }],
      },
    ],
  },
  k08_repeat: {
    alias: "Blink three times",
    triggers: [{ trigger: "state", entity_id: "binary_sensor.door", to: "on" }],
    actions: [
      {
        repeat: {
          count: 3,
          sequence: [
            { action: "light.turn_on", target: { entity_id: "light.hall" } },
            { delay: { seconds: 1 } },
            { action: "light.turn_off", target: { entity_id: "light.hall" } },
            { delay: { seconds: 1 } },
          ],
        },
      },
      { action: "light.turn_on", target: { entity_id: "light.hall" }, data: { brightness: 128 } },
    ],
    mode: "restart",
  },
  k09_level: {
    alias: "Evening level",
    triggers: [{ trigger: "time", at: "20:00:00" }],
    actions: [
      {
        action: "light.turn_on",
        target: { entity_id: "light.hall" },
        data: { brightness_pct: "{{ states('input_number.evening') | int }}" },
      },
    ],
  },
  k10_away: {
    alias: "Heat by presence",
    triggers: [{ trigger: "state", entity_id: "input_boolean.away" }],
    actions: [
      {
        if: [{ condition: "state", entity_id: "input_boolean.away", state: "on" }],
        then: [
          { action: "climate.set_temperature", target: { entity_id: "climate.lounge" }, data: { temperature: 17 } },
        ],
        else: [
          { action: "climate.set_temperature", target: { entity_id: "climate.lounge" }, data: { temperature: 21 } },
        ],
      },
    ],
  },
  k11_pattern: {
    alias: "Pump every quarter",
    triggers: [{ trigger: "time_pattern", minutes: "/15" }],
    actions: [
      { action: "switch.turn_on", target: { entity_id: "switch.pump" } },
      { delay: "00:02:00" },
      { action: "switch.turn_off", target: { entity_id: "switch.pump" } },
    ],
    mode: "restart",
  },
  k12_scene: {
    alias: "Dinner time",
    triggers: [{ trigger: "time", at: ["18:30", "19:30"] }],
    actions: [
      { action: "scene.turn_on", target: { entity_id: "scene.dinner" } },
      { action: "script.turn_on", target: { entity_id: "script.bedtime" } },
    ],
  },
  k13_templates: {
    alias: "Templates",
    triggers: [{ trigger: "state", entity_id: "binary_sensor.motion", to: "on" }],
    conditions: [
      "{{ is_state('input_boolean.away', 'off') and states('sensor.outdoor') | float(0) < 5.5 and now().hour >= 17 }}",
    ],
    actions: [{ action: "switch.turn_on", target: { entity_id: "switch.pump" } }],
  },
  k14_ids: {
    alias: "Two triggers",
    mode: "queued",
    triggers: [
      { trigger: "state", entity_id: "binary_sensor.door", to: "on", id: "opened" },
      { trigger: "state", entity_id: "binary_sensor.door", to: "off", for: "00:00:30", id: "closed" },
    ],
    actions: [
      {
        choose: [
          {
            conditions: [{ condition: "trigger", id: "opened" }],
            sequence: [{ action: "light.turn_on", target: { entity_id: "light.hall" } }],
          },
          {
            conditions: [{ condition: "trigger", id: "closed" }],
            sequence: [{ action: "light.turn_off", target: { entity_id: "light.hall" } }],
          },
        ],
      },
    ],
  },
  k14_wait: {
    alias: "Waits for a template",
    triggers: [{ trigger: "state", entity_id: "binary_sensor.door", to: "on" }],
    actions: [
      { wait_template: "{{ is_state('binary_sensor.door', 'off') }}" },
      { action: "light.turn_off", target: { entity_id: "light.hall" } },
    ],
  },
  k15_foreign: {
    alias: "From outside",
    triggers: [
      { trigger: "webhook", webhook_id: "abc" },
      { trigger: "mqtt", topic: "home/bell" },
      { trigger: "homeassistant", event: "start" },
    ],
    actions: [
      {
        action: "media_player.play_media",
        target: { entity_id: "media_player.tv" },
        data: { media_content_id: "bell" },
      },
      { action: "switch.turn_off", target: { entity_id: "switch.pump" } },
    ],
  },
};
