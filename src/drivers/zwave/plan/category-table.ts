/**
 * Categories of devices, by which clients decide what a node is, and which device class has which.
 *
 * @see docs/interface/nodes.md
 */

import { parseLabels } from "../../../profile/labels.ts";

const NAMES = parseLabels(
  "101 Device, 102 Alarm, 103 AV Control Point, 104 Binary Sensor, 105 Motor, 106 Motor, 107 Motor, " +
    "108 Controller, 109 Dimmer Switch, 110 Display, 111 Door Lock, 112 Doorbell, 113 Entry Control, " +
    "114 Gateway, 115 Installer Tool, 116 Motor, 117 Climate Sensor, 118 Multilevel Sensor, " +
    "119 Multilevel Switch, 120 Power Strip, 121 Power Switch, 122 Scene Switch, 123 Valve, " +
    "124 Central Controller, 125 Remote, 126 Remote Control, 127 AV Remote, 128 Simple Remote, 129 Repeater, " +
    "130 Heat Recovery Ventilation, 131 Satellite Receiver, 132 Satellite Receiver, 133 Scene Controller, " +
    "134 Scene Switch, 135 Security Panel, 136 Set-top Box, 137 Siren, 138 Smoke Alarm, " +
    "139 Subsystem Controller, 140 Thermostat, 141 Toggle Switch, 142 TV, 143 Meter, 144 Pulse Meter, " +
    "145 Water Meter, 146 Gas Meter, 147 Binary Switch, 148 Binary Alarm, 149 Aux Alarm, 150 CO2 Alarm, " +
    "151 CO Alarm, 152 Freeze Alarm, 153 Glass Break Alarm, 154 Heat Alarm, 155 Motion Sensor, 156 Smoke Alarm, " +
    "157 Tamper Alarm, 158 Tilt Sensor, 159 Water Alarm, 160 Door/Window Sensor, 164 Malfunction Alarm, " +
    "172 Intrusion Alarm, 174 System Alarm, 176 Emergency Alarm, 180 Clock Alarm, 181 Power Management, " +
    "182 Appliance, 183 Home Health, 184 Barrier, 185 Notification Sensor, 186 Color Switch, 194 Basic Switch, " +
    "195 Wall Controller, 197 Sound Switch",
);

export const UNKNOWN_CATEGORY = 101;

export function categoryName(category: number): string {
  return NAMES.get(category) ?? "Device";
}

/** A generic device class, and the categories of its specific classes that have another than it. */
type ClassRow = readonly [generic: number, category: number, specific?: Readonly<Record<number, number>>];

const CLASSES: readonly ClassRow[] = [
  [0x01, 126, { 2: 133, 3: 115, 4: 127, 6: 128 }],
  [0x02, 108, { 1: 124, 2: 133, 3: 115, 4: 136, 5: 139, 6: 142, 7: 114 }],
  [0x03, 103, { 1: 197, 4: 131, 17: 132, 18: 112 }],
  [0x04, 110],
  [0x05, 129],
  [0x06, 182],
  [0x07, 185],
  [0x08, 140],
  [0x09, 107],
  [0x0f, 129],
  [0x10, 147, { 1: 121, 2: 186, 3: 122, 4: 120, 5: 137, 6: 123 }],
  [0x11, 119, { 1: 109, 2: 186, 3: 116, 4: 134, 5: 105, 6: 106, 7: 107 }],
  [0x12, 125],
  [0x13, 141],
  [0x16, 130],
  [0x17, 135],
  [0x18, 195],
  [0x20, 104],
  [0x21, 118],
  [0x30, 144],
  [0x31, 143],
  [0x40, 111, { 5: 184, 6: 184, 7: 184, 8: 184, 9: 184, 11: 113 }],
  [0xa1, 102, { 6: 138, 7: 138, 8: 138, 9: 138, 10: 138 }],
];

export function categoryOfClass(generic: number, specific: number): number {
  const [, category, specifics] = CLASSES.find(([first]) => first === generic) ?? [generic, UNKNOWN_CATEGORY];
  return specifics?.[specific] ?? category;
}
