/** The device classes of Home Assistant, in the words that Zigbee2MQTT has for the same things. */

type Measured = readonly [name: string, units: readonly string[]];

/** Sensors by their class. Another unit is a number without an id of its own. */
export const MEASURED: Readonly<Record<string, Measured>> = {
  temperature: ["temperature", ["°C", "°F"]],
  humidity: ["humidity", ["%"]],
  battery: ["battery", ["%"]],
  atmospheric_pressure: ["pressure", ["hPa", "mbar", "kPa"]],
  pressure: ["pressure", ["hPa", "mbar", "kPa"]],
  illuminance: ["illuminance", ["lx"]],
  moisture: ["soil_moisture", ["%"]],
  carbon_dioxide: ["co2", ["ppm"]],
  volatile_organic_compounds: ["voc", ["µg/m³", "μg/m³"]],
  volatile_organic_compounds_parts: ["voc", ["ppm"]],
  pm25: ["pm25", ["µg/m³", "μg/m³"]],
  pm10: ["pm10", ["µg/m³", "μg/m³"]],
  power: ["power", ["W", "kW"]],
  current: ["current", ["A", "mA"]],
  voltage: ["voltage", ["V", "mV"]],
  energy: ["energy", ["kWh", "Wh"]],
  frequency: ["ac_frequency", ["Hz"]],
};

/** Sensors whose values are no numbers. */
export const TEXT_CLASSES: readonly string[] = ["timestamp", "date", "uptime"];

/** Binary sensors by their class: the words of Zigbee2MQTT. */
export const SENSED_AS: Readonly<Record<string, string>> = {
  door: "contact",
  garage_door: "contact",
  opening: "contact",
  window: "contact",
  motion: "occupancy",
  moving: "occupancy",
  occupancy: "occupancy",
  presence: "presence",
  moisture: "water_leak",
  smoke: "smoke",
  carbon_monoxide: "carbon_monoxide",
  gas: "gas",
  vibration: "vibration",
};

/** What a thermostat does now, in the words of Zigbee2MQTT. */
export const HVAC_ACTIONS: Readonly<Record<string, string>> = {
  heating: "heat",
  cooling: "cool",
  fan: "fan_only",
  idle: "idle",
  off: "idle",
};
