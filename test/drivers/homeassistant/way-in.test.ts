/** The translation of automations takes whatever a configuration holds: it throws nothing, and what it makes is whole. */

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SourceAutomation } from "../../../src/drivers/home-source.ts";
import { furnishForWayIn, KINDS } from "../../support/way-in-home.ts";
import { endAll, HomeAssistantHome } from "./home-assistant-home.ts";

let home: HomeAssistantHome;
beforeEach(async () => {
  home = await HomeAssistantHome.made();
  home.simulated.entities.clear();
  furnishForWayIn(home.simulated);
  await home.start();
});
afterEach(endAll);

async function translated(config: unknown): Promise<SourceAutomation | undefined> {
  home.simulated.configs.set("automation.k01_motion", config);
  const { automations } = await home.driver.source.read(new AbortController().signal);
  return automations.find(({ id }) => id === "automation.k01_motion");
}

const at = { trigger: "time", at: "07:00" };
const lamp = { action: "light.turn_on", target: { entity_id: "light.hall" } };
const act = (...actions: readonly unknown[]) => ({ triggers: [at], actions });
const when = (trigger: unknown) => ({ triggers: [trigger], actions: [lamp] });
const asked = (condition: unknown) => ({ triggers: [at], conditions: [condition], actions: [lamp] });

const WORDS = [
  "on",
  "off",
  "light.hall",
  "binary_sensor.motion",
  "sensor.outdoor",
  "sunset",
  "00:01:00",
  "{{ x }}",
  "state",
  "choose",
];
const NAMES = [
  "trigger",
  "triggers",
  "platform",
  "condition",
  "conditions",
  "action",
  "actions",
  "entity_id",
  "to",
  "for",
  "choose",
];
const MORE = [
  "if",
  "then",
  "else",
  "repeat",
  "count",
  "sequence",
  "delay",
  "wait_for_trigger",
  "timeout",
  "target",
  "data",
  "id",
  "state",
];
const KIND_WORDS = [
  "state",
  "numeric_state",
  "time",
  "sun",
  "template",
  "and",
  "or",
  "not",
  "device",
  "time_pattern",
  "light.toggle",
];

const odd = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...WORDS, ...KIND_WORDS),
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES, ...MORE), tie("value"), { maxKeys: 5 }),
  ),
})).value;

describe("whatever it is given", () => {
  test("it throws nothing, and its programs name only one another", async () => {
    await fc.assert(
      fc.asyncProperty(odd, odd, odd, async (triggers, conditions, actions) => {
        const made = await translated({ triggers, conditions, actions });
        const numbers = made?.programs.map(({ number }) => number);
        const called = made?.programs
          .flatMap(({ tree }) => [...tree.then, ...tree.else])
          .filter((each) => each.kind === "program");
        expect(called?.filter(({ id }) => !numbers?.includes(id)) ?? []).toEqual([]);
        expect(made?.verdict === "none").toBe(made?.programs.length === 0);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  test("parts of real ones in the place of others do no harm", async () => {
    const parts = Object.values(KINDS).flatMap((config) => Object.values(config));
    const part = fc.constantFrom(...parts);
    await fc.assert(
      fc.asyncProperty(part, part, part, async (triggers, conditions, actions) => {
        const made = await translated({ triggers, conditions, actions });
        for (const line of made?.lines ?? []) expect(line.fate === "same" || line.notes.length > 0).toBe(true);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});

test("an automation that cannot be read is named, and hides no script and no scene", async () => {
  home.simulated.configs.delete("automation.k01_motion");
  const { automations, scenes, problems } = await home.driver.source.read(new AbortController().signal);
  expect(problems.map(({ text }) => text)).toEqual(["automation.k01_motion could not be read: Entity not found"]);
  expect([automations.some(({ id }) => id === "script.bedtime"), scenes.length]).toEqual([true, 1]);
});

describe("not translated, because the rest would be another one", () => {
  test.for([
    ["a condition on what is no device", asked({ condition: "state", entity_id: "person.ada", state: "home" })],
    ["a condition of another kind", asked({ condition: "zone", entity_id: "person.ada", zone: "zone.home" })],
    [
      "a condition on a limit of an entity",
      asked({ condition: "numeric_state", entity_id: "sensor.outdoor", above: "input_number.evening" }),
    ],
    ["the position of the sun", when({ trigger: "sun", event: "noon" })],
    [
      "a repetition until something",
      act({ repeat: { until: [{ condition: "state", entity_id: "light.hall", state: "on" }], sequence: [lamp] } }),
    ],
    ["a delay by a template", act({ delay: "{{ states('input_number.evening') }}" }, lamp)],
    ["the time of a helper", when({ trigger: "time", at: "input_datetime.wake" })],
    ["a trigger on what cannot be reached", when({ trigger: "state", entity_id: "light.hall", to: "unavailable" })],
    ["nothing but waits", act({ delay: 5 })],
  ] as const)("%s", async ([, config]) => {
    const made = await translated(config);
    expect([made?.verdict, made?.programs]).toEqual(["none", []]);
    expect(made?.lines.some(({ fate, notes }) => fate === "out" && notes.length > 0)).toBe(true);
  });
});

describe("what has a condition of its own here", () => {
  test.for([
    ["the sun's condition alone ends at midnight", asked({ condition: "sun", after: "sunset" }), "from-to"],
    [
      "a condition for a time",
      asked({ condition: "state", entity_id: "light.hall", state: "on", for: "00:05:00" }),
      "held",
    ],
    ["a limit that is crossed", when({ trigger: "numeric_state", entity_id: "sensor.outdoor", above: 28 }), "held"],
    [
      "the sun below the horizon",
      asked({ condition: "state", entity_id: "sun.sun", state: "below_horizon" }),
      "sunset",
    ],
    [
      "the set of the sun",
      when({ trigger: "state", entity_id: "sun.sun", from: "above_horizon", to: "below_horizon" }),
      "sunset",
    ],
    [
      "a negation",
      asked({ condition: "not", conditions: [{ condition: "state", entity_id: "input_boolean.away", state: "on" }] }),
      "ISNOT",
    ],
    [
      "the state of what has levels",
      when({ trigger: "state", entity_id: "light.hall", to: "on", for: "00:00:10" }),
      "held",
    ],
    [
      "a template of a trigger",
      when({ trigger: "template", value_template: "{{ states('sensor.outdoor') | float > 20 }}" }),
      "held",
    ],
  ] as const)("%s", async ([, config, word]) => {
    const made = await translated(config);
    expect(made?.programs.length).toBe(1);
    expect(JSON.stringify(made?.programs[0]?.tree.if)).toContain(word);
  });

  test("what the page there says of devices is what it says of their entities; a person is home or away", async () => {
    home.simulated.add("person.ada", "home", { friendly_name: "Ada" });
    await home.until(() => [...home.host.nodes.values()].some(({ name }) => name === "Ada"));
    const about = { device_id: "d1", entity_id: "id-binary_sensor.door" };
    const trigger = { trigger: "device", domain: "binary_sensor", type: "opened", ...about };
    const condition = {
      condition: "device",
      domain: "light",
      type: "is_off",
      device_id: "d2",
      entity_id: "light.hall",
    };
    const action = {
      domain: "light",
      type: "turn_on",
      device_id: "d2",
      entity_id: "id-light.hall",
      brightness_pct: 20,
    };
    const made = await translated({ triggers: [trigger], conditions: [condition], actions: [action] });
    const entity_id = "binary_sensor.door";
    const same = await translated({
      triggers: [{ trigger: "state", entity_id, to: "on", from: null }],
      conditions: [{ condition: "state", entity_id: "light.hall", state: "off" }],
      actions: [{ ...lamp, data: { brightness_pct: 20 } }],
    });
    expect([made?.verdict, made?.programs]).toEqual(["exact", same?.programs]);
    const verdicts = [];
    for (const state of ["home", "not_home", "Work"])
      verdicts.push((await translated(asked({ condition: "state", entity_id: "person.ada", state })))?.verdict);
    expect(verdicts).toEqual(["exact", "differences", "none"]);
  });

  test("steps of times begin at midnight, whatever their unit", async () => {
    const spans = [];
    for (const pattern of [{ minutes: "/5" }, { hours: "/2" }, { seconds: "/30" }, { minutes: 7 }, { minutes: "/7" }]) {
      const made = await translated(when({ trigger: "time_pattern", ...pattern }));
      const repeat = made?.programs.flatMap(({ tree }) => tree.then).find((each) => each.kind === "repeat-every");
      spans.push(repeat?.kind === "repeat-every" ? repeat.span : null);
    }
    expect(spans).toEqual([
      { hours: 0, minutes: 5, seconds: 0 },
      { hours: 2, minutes: 0, seconds: 0 },
      { hours: 0, minutes: 0, seconds: 30 },
      { hours: 1, minutes: 0, seconds: 0 },
      null,
    ]);
  });

  test("colors and temperatures are commands of their own; what a lamp does not have is told", async () => {
    const data = { brightness_pct: 40, color_temp_kelvin: 2700, transition: 2 };
    const made = await translated(act({ action: "light.turn_on", target: { entity_id: "light.sofa" }, data }));
    const commands = made?.programs[0]?.tree.then.flatMap((each) =>
      each.kind === "command" ? [[each.command, each.parameters]] : [],
    );
    expect(commands).toEqual([
      ["DON", [{ id: "", value: 40, prec: 0, uom: 51 }]],
      ["GV1", [{ id: "", value: 370, prec: 0, uom: 152 }]],
    ]);
    expect(made?.lines.at(-1)?.notes.map(({ text }) => text)).toEqual(["Left out: transition."]);
  });
});
