/** Lines of programs in the language of the page: every line of the demo programs, and every shape that the grammar has. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lineTranslator } from "../../web/src/programs/line-translator.ts";
import { programLines } from "../../web/src/programs/program-lines.ts";
import { startTestController, type TestController } from "../support/controller.ts";

const read = (language: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`../../web/src/text/languages/${language}.json`, import.meta.url), "utf8")).sentences;

const asItIs = lineTranslator(read("en"), read("en"));
const inGerman = lineTranslator(read("en"), read("de"));

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

async function demoLines(): Promise<readonly string[]> {
  const { data } = (await controller.portal.get("/api/programs")).json<{ data: readonly { id: string }[] }>();
  const texts = data.map(async ({ id }) => {
    const answer = await controller.portal.get(`/api/programs/${id}/text`);
    return answer.json<{ data: { text: string } }>().data.text;
  });
  const lines = (await Promise.all(texts)).flatMap((text) => programLines(text).map((line) => line.text));
  return lines.filter((line) => !/^(\)|((And|Or) )?\()$/.test(line));
}

describe("the lines of the demo programs", () => {
  test("are shapes of the message files: with the English one they stay as they are", async () => {
    const lines = await demoLines();
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.map(asItIs)).toEqual(lines);
  });

  test("are German with the German one, outside of names", async () => {
    const outside = (line: string) => line.replace(/'(\\.|[^'\\])*'( \[[^\]]*\])?/g, "…");
    const english =
      /\b(and|or|if|then|else|is|not|from|to|on|set|wait|repeat|every|times?|while|run|enable|disable|stop|send|control|hours?|minutes?|seconds?|sunrise|sunset|variable)\b/i;
    const left = (await demoLines()).map(inGerman).filter((line) => english.test(outside(line)));
    expect(left).toEqual([]);
  });
});

test.each([
  [
    "Status of any window in 'In' [17] or 'Or' [12] except 'On' [n4] is Open for 10 minutes",
    "Mindestens ein Fenster in 'In' [17] oder 'Or' [12] außer 'On' [n4] ist offen, seit 10 Minuten",
  ],
  ["And Status of all lamps are Off", "Und Alle Lampen sind aus"],
  ["Or Number of leak sensors that are Wet >= 2", "Oder Anzahl Wassermelder mit Zustand nass >= 2"],
  ["Average temperature in 'Bed' [21] < 19°C", "Durchschnitt Temperatur in 'Bed' [21] < 19°C"],
  ["Control any motion sensor is switched 'On' [DON]", "Ein Bewegungsmelder wird geschaltet: 'On' [DON]"],
  ["Set all lamps in 'Bed' [21] On 40%", "Setze alle Lampen in 'Bed' [21]: ein 40%"],
  [
    "Status 'Door' [1 1] 'Status' [ST] is 'Open' [0] for 5 minutes",
    "Status 'Door' [1 1] 'Status' [ST] ist 'Open' [0], seit 5 Minuten",
  ],
  ["Control 'Lamp' [1 1] is not switched 'On' [DON]", "'Lamp' [1 1] wird nicht geschaltet: 'On' [DON]"],
  [
    "And State variable 'Wait' [1] is not Integer variable 'is' [2]",
    "Und Zustandsvariable 'Wait' [1] ist nicht Ganzzahlvariable 'is' [2]",
  ],
  ["Program 'Winter' [0016] is False", "Programm 'Winter' [0016] ist falsch"],
  [
    "On Mon, Sun From sunset - 10 minutes to 06:30:00 (next day)",
    "An Mo, So: Von Sonnenuntergang - 10 Minuten bis 06:30:00 (am nächsten Tag)",
  ],
  [
    "From last run of 'A to B' [0002] + 1 hour daily for 1 hour 30 minutes",
    "Ab letzter Lauf von 'A to B' [0002] + 1 Stunde täglich für 1 Stunde 30 Minuten",
  ],
  ["Time is 06:30:00 on 2026/12/24", "Es ist 06:30:00 am 2026/12/24"],
  [
    "Set 'Lamp' [1 1] 'On' [DON] 60%, 'Ramp' [RR] = 2 seconds",
    "'Lamp' [1 1] schalten: 'On' [DON] 60%, 'Ramp' [RR] = 2 Sekunden",
  ],
  ["Wait 15 minutes (random)", "Zufällig lange warten, höchstens 15 Minuten"],
  ["Repeat 3 times", "3-mal wiederholen"],
  ["Repeat while State variable 'Away' [1] is 0", "Wiederholen, solange gilt: Zustandsvariable 'Away' [1] ist 0"],
  ["State variable 'Dice' [3] = random 6", "Zustandsvariable 'Dice' [3] = zufällig bis 6"],
  ["Integer variable 'Hour' [3] init to System hour", "Ganzzahlvariable 'Hour' [3] Anfangswert System Stunde"],
  ["Run program 'Dusk' [0009] (Then path)", "Programm 'Dusk' [0009] ausführen (Dann)"],
  ["Set program 'Dusk' [0009] to not run at startup", "Programm 'Dusk' [0009] beim Start nicht ausführen"],
  ["Send notification to 2 content 1", "Benachrichtigung an 2 senden, Inhalt 1"],
  ["Send notification 'It\\'s on' to 'Jane' [hook]", "Benachrichtigung 'It\\'s on' an 'Jane' [hook] senden"],
  [
    "Set 'Lamp' [1 1] 'On' [DON] State variable 'Level' [1]",
    "'Lamp' [1 1] schalten: 'On' [DON] Zustandsvariable 'Level' [1]",
  ],
  [
    "In scene 'S' [5] of 'Keypad' [1 2] ignore 'Lamp' [1 1]",
    "In der Szene 'S' [5] von 'Keypad' [1 2]: 'Lamp' [1 1] tut nichts",
  ],
  ['Foreign {"type":"is"}', 'Fremde Anweisung {"type":"is"}'],
  ["Something that no message knows", "Something that no message knows"],
])("%s", (line, german) => {
  expect(asItIs(line)).toBe(line);
  expect(inGerman(line)).toBe(german);
});
