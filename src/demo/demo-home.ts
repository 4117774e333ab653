/** The built-in demo home: six rooms and a terrace, with devices of every family that the virtual driver plays. */

import type { VirtualDevice } from "../drivers/virtual/virtual-device.ts";

/** Slots of the demo's plugins: high, so that plugins of the owner have the low ones. */
export const WEATHER_SLOT = "n020";
export const IRRIGATION_SLOT = "n021";

export const DEMO_HOME: readonly DemoRoom[] = [
  {
    name: "Hall",
    devices: [
      { kind: "dimmer", address: "1A 2B 3C 1", name: "Hall Ceiling" },
      {
        kind: "keypad",
        address: "1E 4 A0 1",
        name: "Hall Keypad",
        names: { 3: "Hall Keypad Welcome", 4: "Hall Keypad Evening", 5: "Hall Keypad Movie", 6: "Hall Keypad All Off" },
      },
      { kind: "door", address: "2C 10 5 1", name: "Front Door" },
      { kind: "motion", address: "2D 7F E1 1", name: "Hall Motion" },
      { kind: "radio-lock", address: "ZW010_1", name: "Front Door Lock" },
    ],
  },
  {
    name: "Kitchen",
    devices: [
      { kind: "relay", address: "1A 30 1 1", name: "Kitchen Ceiling" },
      { kind: "dimmer", address: "1A 30 F4 1", name: "Kitchen Counter", seed: { OL: 204 } },
      { kind: "outlet", address: "3B 9 12 1", name: "Coffee Machine" },
      { kind: "leak", address: "2C 44 8 1", name: "Kitchen Leak" },
      { kind: "radio-plug", address: "ZW005_1", name: "Dishwasher" },
      { kind: "radio-contact", address: "ZW008_1", name: "Kitchen Window" },
    ],
  },
  {
    name: "Living Room",
    devices: [
      { kind: "dimmer", address: "1A 2F 90 1", name: "Living Room Ceiling", seed: { RR: 27 } },
      { kind: "dimmer", address: "1A 2F 91 1", name: "Floor Lamp", seed: { ST: 127, OL: 178 } },
      { kind: "dimmer", address: "1A 2F A2 1", name: "Desk Lamp" },
      { kind: "fan", address: "21 0 6D 1", name: "Living Room Fan" },
      { kind: "blind", address: "33 A 5 1", name: "Living Room Blind" },
      { kind: "thermostat", address: "15 E 20 1", name: "Living Room Thermostat" },
      { kind: "radio-dimmer", address: "ZW002_1", name: "Reading Lamp" },
    ],
  },
  {
    name: "Bedroom",
    devices: [
      { kind: "dimmer", address: "1A 44 7 1", name: "Bedroom Ceiling", seed: { RR: 26 } },
      { kind: "relay", address: "1A 44 C 1", name: "Closet Light" },
      { kind: "radio-dimmer", address: "ZY003_1", name: "Bedside Lamp" },
      { kind: "radio-thermostat", address: "ZY004_1", name: "Bedroom Thermostat" },
      { kind: "radio-sensor", address: "ZW006_1", name: "Bedroom Climate" },
    ],
  },
  {
    name: "Bathroom",
    devices: [
      { kind: "relay", address: "1A 51 33 1", name: "Bathroom Ceiling" },
      { kind: "dimmer", address: "1A 51 34 1", name: "Mirror Light" },
      { kind: "leak", address: "2C 44 9 1", name: "Bathroom Leak" },
      { kind: "radio-motion", address: "ZW007_1", name: "Bathroom Motion" },
      { kind: "radio-switch", address: "ZY005_1", name: "Towel Warmer" },
    ],
  },
  {
    name: "Garden & Garage",
    devices: [
      { kind: "relay", address: "1A 60 A 1", name: "Porch Light" },
      { kind: "siren", address: "41 2 B7 1", name: "Siren" },
      { kind: "meter", address: "17 88 4 1", name: "House Meter" },
      { kind: "radio-contact", address: "ZY006_1", name: "Garage Door" },
      { kind: "radio-lock", address: "ZY007_1", name: "Garage Lock" },
      { kind: "plugin-weather", address: `${WEATHER_SLOT}_station`, name: "Weather Station" },
    ],
  },
  {
    name: "Terrace",
    within: "Garden & Garage",
    devices: [
      { kind: "dimmer", address: "1A 60 22 1", name: "Terrace String Lights" },
      { kind: "plugin-irrigation", address: `${IRRIGATION_SLOT}_control`, name: "Irrigation" },
      {
        kind: "plugin-zone",
        address: `${IRRIGATION_SLOT}_zone1`,
        name: "Lawn",
        primary: `${IRRIGATION_SLOT}_control`,
      },
      {
        kind: "plugin-zone",
        address: `${IRRIGATION_SLOT}_zone2`,
        name: "Flower Bed",
        primary: `${IRRIGATION_SLOT}_control`,
      },
    ],
  },
];

/** A room of the demo home: its folder and its devices. */
export type DemoRoom = {
  readonly name: string;
  /** Name of the room that it lies in. */
  readonly within?: string;
  readonly devices: readonly VirtualDevice[];
};
