/** The devices of one-door.test.ts: how each word comes about in each world. */

import * as act from "../../simulators/zwave/device-acts.ts";
import {
  barrier,
  bolt,
  bridge,
  command,
  insteon,
  level,
  matter,
  matterAddress,
  named,
  OFF,
  ON,
  radioDevice,
  say,
  sensed,
  virtual,
} from "../support/seven-worlds.ts";
import type { Meaning, Said } from "../support/surfaces.ts";

const DOOR: Meaning = { active: "open", rest: "closed" };
const BOLT: Meaning = { active: "unlocked", rest: "locked" };
const LEAK: Meaning = { active: "wet", rest: "dry" };
const SMOKE: Meaning = { active: "smoke", rest: "quiet" };

/** A device of a world: how each word comes about, in the order in which they are tried; the first one is where it begins. */
export type Row = {
  readonly world: string;
  readonly kind: string;
  readonly address: () => string;
  readonly meaning: Meaning;
  readonly states: readonly (readonly [word: string, bring: () => unknown])[];
  /** The words that it sends with its state. */
  readonly sends?: readonly string[];
  /** On says that nothing is wrong. */
  readonly isInverse?: true;
  /** Surfaces that have no word for it, and why. */
  readonly without?: Readonly<Partial<Record<keyof Said, string>>>;
};

const PLAIN_COVER = { matter: "–" } as const;
const NO_COMMANDS = { cli: "–" } as const;
export const ROWS: readonly Row[] = [
  {
    ...{
      world: "Zigbee",
      kind: "contact",
      address: named("Z contact"),
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", () => bridge.report("Z contact", { contact: true })],
      ["open", () => bridge.report("Z contact", { contact: false })],
      ["closed", () => bridge.report("Z contact", { contact: true })],
      ["unknown", () => bridge.report("Z contact", { contact: null })],
    ],
  },
  {
    ...{ world: "Zigbee", kind: "plain cover", address: named("Z plain"), meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", () => bridge.report("Z plain", { state: "CLOSE" })],
      ["open", () => bridge.report("Z plain", { state: "OPEN" })],
      ["closed", () => bridge.report("Z plain", { state: "CLOSE" })],
      ["unknown", () => bridge.report("Z plain", { state: null })],
    ],
  },
  {
    ...{ world: "Zigbee", kind: "cover", address: named("Z cover"), meaning: DOOR },
    states: [
      ["closed", () => bridge.report("Z cover", { position: 0, state: "CLOSE" })],
      ["open", () => bridge.report("Z cover", { position: 100, state: "OPEN" })],
      ["closed", () => bridge.report("Z cover", { position: 0, state: "CLOSE" })],
    ],
  },
  {
    ...{ world: "Zigbee", kind: "lock", address: named("Z lock"), meaning: BOLT },
    states: [
      ["locked", () => bridge.report("Z lock", { state: "LOCK", lock_state: "locked" })],
      ["unlocked", () => bridge.report("Z lock", { state: "UNLOCK", lock_state: "unlocked" })],
      ["locked", () => bridge.report("Z lock", { state: "LOCK", lock_state: "locked" })],
      ["jammed", () => bridge.report("Z lock", { state: "UNLOCK", lock_state: "not_fully_locked" })],
    ],
  },
  {
    ...{
      world: "Zigbee",
      kind: "leak",
      address: named("Z leak"),
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", () => bridge.report("Z leak", { water_leak: false })],
      ["wet", () => bridge.report("Z leak", { water_leak: true })],
      ["dry", () => bridge.report("Z leak", { water_leak: false })],
      ["unknown", () => bridge.report("Z leak", { water_leak: null })],
    ],
  },
  {
    ...{
      world: "Zigbee",
      kind: "smoke",
      address: named("Z smoke"),
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", () => bridge.report("Z smoke", { smoke: false })],
      ["smoke", () => bridge.report("Z smoke", { smoke: true })],
      ["quiet", () => bridge.report("Z smoke", { smoke: false })],
    ],
  },
  {
    ...{
      world: "announced",
      kind: "contact",
      address: named("A contact"),
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", say("contact", "OFF")],
      ["open", say("contact", "ON")],
      ["closed", say("contact", "OFF")],
      ["unknown", say("contact", "None")],
    ],
  },
  {
    ...{ world: "announced", kind: "plain cover", address: named("A plain"), meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", say("plain", "closed")],
      ["open", say("plain", "open")],
      ["closed", say("plain", "closed")],
      ["unknown", say("plain", "None")],
    ],
  },
  {
    ...{ world: "announced", kind: "cover", address: named("A cover"), meaning: DOOR },
    states: [
      ["closed", say("cover", "0")],
      ["open", say("cover", "100")],
      ["closed", say("cover", "0")],
    ],
  },
  {
    ...{ world: "announced", kind: "garage", address: named("A garage"), meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", say("garage", "closed")],
      ["open", say("garage", "open")],
      ["closed", say("garage", "closed")],
      ["unknown", say("garage", "None")],
    ],
  },
  {
    ...{ world: "announced", kind: "lock", address: named("A lock"), meaning: BOLT },
    states: [
      ["locked", say("lock", "LOCKED")],
      ["unlocked", say("lock", "UNLOCKED")],
      ["locked", say("lock", "LOCKED")],
      ["jammed", say("lock", "JAMMED")],
    ],
  },
  {
    ...{
      world: "announced",
      kind: "leak",
      address: named("A leak"),
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", say("leak", "OFF")],
      ["wet", say("leak", "ON")],
      ["dry", say("leak", "OFF")],
    ],
  },
  {
    ...{
      world: "announced",
      kind: "smoke",
      address: named("A smoke"),
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", say("smoke", "OFF")],
      ["smoke", say("smoke", "ON")],
      ["quiet", say("smoke", "OFF")],
      ["unknown", say("smoke", "None")],
    ],
  },
  {
    ...{
      world: "Z-Wave",
      kind: "contact",
      address: () => "ZW002_306",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", () => act.openByHand(radioDevice(0), false)],
      ["open", () => act.openByHand(radioDevice(0), true)],
      ["closed", () => act.openByHand(radioDevice(0), false)],
    ],
  },
  {
    ...{ world: "Z-Wave", kind: "cover", address: () => "ZW003_1", meaning: DOOR },
    states: [
      ["closed", level(1, 0)],
      ["open", level(1, 99)],
      ["closed", level(1, 0)],
      ["unknown", level(1, 254)],
    ],
  },
  {
    ...{ world: "Z-Wave", kind: "lock", address: () => "ZW004_1", meaning: BOLT },
    states: [
      ["locked", bolt(0xff)],
      ["unlocked", bolt(0)],
      ["locked", bolt(0xff)],
      ["unknown", bolt(0xfe)],
    ],
  },
  {
    ...{ world: "Z-Wave", kind: "garage", address: () => "ZW005_1", meaning: DOOR, without: { matter: "–" } },
    states: [
      ["closed", barrier(0)],
      ["open", barrier(255)],
      ["closed", barrier(0)],
      ["unknown", barrier(252)],
    ],
  },
  {
    ...{
      world: "Z-Wave",
      kind: "leak",
      address: () => "ZW006_305",
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", () => act.senseLeak(radioDevice(4), false)],
      ["wet", () => act.senseLeak(radioDevice(4), true)],
      ["dry", () => act.senseLeak(radioDevice(4), false)],
    ],
  },
  {
    ...{
      world: "Z-Wave",
      kind: "smoke",
      address: () => "ZW007_301",
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", () => act.senseSmoke(radioDevice(5), false)],
      ["smoke", () => act.senseSmoke(radioDevice(5), true)],
      ["quiet", () => act.senseSmoke(radioDevice(5), false)],
    ],
  },
  {
    ...{
      world: "Matter",
      kind: "contact",
      address: () => matterAddress("contact"),
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", matter("contact", sensed(true))],
      ["open", matter("contact", sensed(false))],
      ["closed", matter("contact", sensed(true))],
    ],
  },
  {
    ...{ world: "Matter", kind: "cover", address: () => matterAddress("cover"), meaning: DOOR },
    states: [
      ["closed", matter("cover", { windowCovering: { currentPositionLiftPercent100ths: 10_000 } })],
      ["open", matter("cover", { windowCovering: { currentPositionLiftPercent100ths: 0 } })],
      ["closed", matter("cover", { windowCovering: { currentPositionLiftPercent100ths: 10_000 } })],
    ],
  },
  {
    ...{ world: "Matter", kind: "lock", address: () => matterAddress("lock"), meaning: BOLT },
    states: [
      ["locked", matter("lock", { doorLock: { lockState: 1 } })],
      ["unlocked", matter("lock", { doorLock: { lockState: 2 } })],
      ["jammed", matter("lock", { doorLock: { lockState: 0 } })],
      ["unknown", matter("lock", { doorLock: { lockState: null } })],
    ],
  },
  {
    ...{
      world: "Matter",
      kind: "leak",
      address: () => matterAddress("leak"),
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", matter("leak", sensed(false))],
      ["wet", matter("leak", sensed(true))],
      ["dry", matter("leak", sensed(false))],
    ],
  },
  {
    ...{
      world: "Matter",
      kind: "smoke",
      address: () => matterAddress("smoke"),
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", matter("smoke", { smokeCoAlarm: { smokeState: 0 } })],
      ["smoke", matter("smoke", { smokeCoAlarm: { smokeState: 2 } })],
      ["quiet", matter("smoke", { smokeCoAlarm: { smokeState: 0 } })],
    ],
  },
  {
    ...{
      world: "Insteon",
      kind: "contact",
      address: () => "22 5 7 1",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", insteon(1, 1, OFF)],
      ["open", insteon(1, 1, ON)],
      ["closed", insteon(1, 1, OFF)],
    ],
  },
  {
    ...{
      world: "Insteon",
      kind: "leak-dry",
      address: () => "22 5 6 1",
      meaning: LEAK,
      without: NO_COMMANDS,
      sends: ["dry"],
      isInverse: true,
    },
    states: [
      ["dry", insteon(0, 1, ON)],
      ["wet", insteon(0, 2, ON)],
      ["dry", insteon(0, 1, ON)],
    ],
  },
  {
    ...{
      world: "virtual",
      kind: "contact",
      address: () => "2C 10 5 1",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", virtual("2C 10 5 1", "CLOSE")],
      ["open", virtual("2C 10 5 1", "OPEN")],
      ["closed", virtual("2C 10 5 1", "CLOSE")],
    ],
  },
  {
    ...{
      world: "virtual",
      kind: "radio contact",
      address: () => "ZY008_1",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", virtual("ZY008_1", "CLOSE")],
      ["open", virtual("ZY008_1", "OPEN")],
      ["closed", virtual("ZY008_1", "CLOSE")],
    ],
  },
  {
    ...{
      world: "virtual",
      kind: "leak-dry",
      address: () => "2C 44 8 1",
      meaning: LEAK,
      without: NO_COMMANDS,
      sends: ["wet", "dry"],
      isInverse: true,
    },
    states: [
      ["dry", virtual("2C 44 8 1", "DRY")],
      ["wet", virtual("2C 44 8 1", "WET")],
      ["dry", virtual("2C 44 8 1", "DRY")],
    ],
  },
  {
    ...{ world: "virtual", kind: "lock", address: () => "ZY010_1", meaning: BOLT },
    states: [
      ["locked", command("ZY010_1", "LOCK")],
      ["unlocked", command("ZY010_1", "UNLOCK")],
      ["locked", command("ZY010_1", "SECMD/1")],
    ],
  },
  {
    ...{ world: "virtual", kind: "cover", address: () => "2C 44 9 1", meaning: DOOR },
    states: [
      ["closed", command("2C 44 9 1", "FDDOWN")],
      ["open", command("2C 44 9 1", "FDUP")],
      ["closed", command("2C 44 9 1", "DOF")],
    ],
  },
  {
    ...{ world: "played", kind: "plain cover", address: () => "n003_plain", meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", command("n003_plain", "FDDOWN")],
      ["open", command("n003_plain", "DON")],
      ["closed", command("n003_plain", "DOF")],
      ["open", command("n003_plain", "FDUP")],
    ],
  },
  {
    ...{ world: "played", kind: "cover", address: () => "n003_cover", meaning: DOOR },
    states: [
      ["closed", command("n003_cover", "FDDOWN")],
      ["open", command("n003_cover", "FDUP")],
      ["closed", command("n003_cover", "DOF")],
    ],
  },
  {
    ...{ world: "played", kind: "lock", address: () => "n003_lock", meaning: BOLT },
    states: [
      ["locked", command("n003_lock", "SECMD/1")],
      ["unlocked", command("n003_lock", "SECMD/0")],
      ["locked", command("n003_lock", "LOCK")],
    ],
  },
  {
    ...{ world: "played", kind: "garage", address: () => "n003_garage", meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", command("n003_garage", "FDDOWN")],
      ["open", command("n003_garage", "DON")],
      ["closed", command("n003_garage", "FDDOWN")],
    ],
  },
];
