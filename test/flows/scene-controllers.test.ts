/** Scenes that are carried out because a node that controls them sends a command, as a keypad does when its button is pressed. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const [KEYPAD_MOVIE, FLOOR_LAMP, DESK_LAMP] = ["1E 4 A0 5", "1A 2F 91 1", "1A 2F A2 1"] as const;
const HALL_CEILING = "1A 2B 3C 1";

let controller: TestController;

beforeEach(async () => {
  controller = await startTestController();
  await controller.login();
});

afterEach(() => controller[Symbol.asyncDispose]());

async function send(method: string, path: string, body: object): Promise<void> {
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  const answer = await controller.portal.request(method, path, { headers, body: JSON.stringify(body) });
  expect([answer.status, path]).toEqual([200, path]);
}

async function press(button: string, control: string, waitMs = 3000): Promise<void> {
  await send("POST", `/api/nodes/${encodeURIComponent(button)}/act`, { control });
  await controller.clock.advance(waitMs);
}

const sceneNamed = (name: string) =>
  [...controller.services.home.groups.values()].find((group) => group.name === name)?.address ?? "";
const percent = (node: string) => {
  const { value } = controller.services.home.nodes.get(node)?.properties.get("ST") ?? {};
  return Math.round((value ?? 0) / 2.55);
};
const links = (controllerAddress: string, link: object) =>
  send("PATCH", `/api/groups/links/${sceneNamed("Movie")}`, { controllerAddress, link });

describe("a press of a button that controls a scene", () => {
  test("makes the responders do what the links of this button say, and a command to the scene what its own links say", async () => {
    await links(KEYPAD_MOVIE, { node: FLOOR_LAMP, level: 35 });
    await press(KEYPAD_MOVIE, "DON");
    expect(percent(FLOOR_LAMP)).toBe(35);
    await press(KEYPAD_MOVIE, "DOF");
    expect(percent(FLOOR_LAMP)).toBe(0);
    await controller.portal.get(`/rest/nodes/${sceneNamed("Movie")}/cmd/DON`);
    await controller.clock.advance(3000);
    expect(percent(FLOOR_LAMP)).toBe(15);
  });

  test("leaves alone what the button has no link to", async () => {
    await send("POST", `/api/groups/members/${sceneNamed("Movie")}`, { nodeAddress: DESK_LAMP, level: 60 });
    const before = percent(DESK_LAMP);
    await send("PATCH", `/api/groups/links/${sceneNamed("Movie")}`, {
      controllerAddress: KEYPAD_MOVIE,
      link: { node: DESK_LAMP, type: "ignore" },
    });
    await press(KEYPAD_MOVIE, "DON");
    expect(percent(DESK_LAMP)).toBe(before);
  });

  test("is in the list of commands with the button as the cause", async () => {
    await press(KEYPAD_MOVIE, "DON");
    const { data } = (await controller.portal.get("/api/commands")).json<{ data: { commands: object[] } }>();
    expect(JSON.stringify(data)).toContain(FLOOR_LAMP);
    expect(JSON.stringify(data)).toContain(KEYPAD_MOVIE);
  });
});

describe("a command of a device that a scene has just commanded", () => {
  test("is taken for an echo for two seconds, and for a press afterwards", async () => {
    // The floor lamp controls the scene Evening, of which the ceiling lamp of the hall is a member.
    await controller.portal.get(`/rest/nodes/${encodeURIComponent(HALL_CEILING)}/cmd/DOF`);
    await controller.clock.advance(3000);
    await press(KEYPAD_MOVIE, "DON", 100);
    await press(FLOOR_LAMP, "DON", 1000);
    expect(percent(HALL_CEILING)).toBe(0);
    await controller.clock.advance(2000);
    await press(FLOOR_LAMP, "DON");
    expect(percent(HALL_CEILING)).toBeGreaterThan(0);
  });
});

test.each([
  ["a button", "1E 4 A0 1", true, 200],
  ["a controller of another scene", FLOOR_LAMP, true, 409],
  ["a lock, which sends no commands", "ZW010_1", true, 400],
  ["a lamp", DESK_LAMP, false, 200],
])(
  "%s is added to a scene (%s, as a controller: %s) with the answer %i",
  async (_what, nodeAddress, isController, status) => {
    const answer = await controller.portal.request("POST", `/api/groups/members/${sceneNamed("Movie")}`, {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify({ nodeAddress, isController }),
    });
    expect(answer.status).toBe(status);
    const group = controller.services.home.groups.get(sceneNamed("Movie"));
    const member = group?.members.find(({ address }) => address === nodeAddress);
    const before = nodeAddress === FLOOR_LAMP ? false : undefined;
    expect(member?.isController).toBe(status === 200 ? isController : before);
  },
);

test("a node that controls a scene cannot become the controller of another", async () => {
  const roles = async (node: string) => {
    const answer = await controller.portal.get(`/api/groups/nodeRoles/${encodeURIComponent(node)}`);
    return answer.json<{ data: { availableAsController: boolean } }>().data.availableAsController;
  };
  expect([await roles(KEYPAD_MOVIE), await roles("1E 4 A0 1")]).toEqual([false, true]);
});
