import { expect, test } from "vitest";
import { editPlace, replaceUnknownZone } from "../../src/commands/edit-place.ts";
import { codeOf, createServices, REQUEST, told } from "./command-services.ts";

test.each([
  ["latitude", -90, 90],
  ["longitude", -180, 180],
  ["elevationM", -500, 9000],
] as const)("%s is a number from %d to %d", async (member, min, max) => {
  const services = await createServices();
  const { home } = services;
  const set = (value: number) => codeOf(editPlace(services, { [member]: value }, REQUEST));
  for (const value of [min, max]) expect([await set(value), home.controller[member]]).toEqual(["none", value]);
  for (const value of [min - 0.001, max + 0.001, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect([await set(value), home.controller[member]]).toEqual(["BAD_VALUE", max]);
  }
});

test("a change of several settings is one edit with all of them in its title, or is refused as a whole", async () => {
  const services = await createServices();
  const { home } = services;
  await editPlace(services, { latitude: 48.1, longitude: 11.6, timeZone: "europe/vienna" }, REQUEST);
  expect(home.controller).toMatchObject({ latitude: 48.1, longitude: 11.6, timeZone: "Europe/Vienna" });
  expect([...home.edits.values()].map(({ title }) => title)).toEqual([
    "Change the latitude, the longitude, the time zone",
  ]);
  const before = home.controller;
  expect(await codeOf(editPlace(services, { latitude: 1, timeZone: "Mars/Olympus" }, REQUEST))).toBe("BAD_VALUE");
  expect(await codeOf(editPlace(services, { latitude: 1, name: " " }, REQUEST))).toBe("BAD_NAME");
  expect(home.controller).toEqual(before);
});

test.each([
  ["Europe/Berlin", []],
  ["Mars/Olympus", ["UTC"]],
])("the zone %s, as an older version may have stored it, is replaced by %j", async (timeZone, expected) => {
  const services = await createServices();
  const stored = { ...services.home.controller, timeZone };
  replaceUnknownZone({ ...services, home: Object.create(services.home, { controller: { value: stored } }) });
  expect(told(services, "controller-changed").map(({ controller }) => controller.timeZone)).toEqual(expected);
  expect(services.lines).toHaveLength(expected.length);
});
