/** A twin that follows: what happens at its original happens in it, and never the other way. */

import { connect, type Home } from "@domovoi/client";
import { expect, test } from "vitest";
import { followOriginal } from "../../src/cli/follow-original.ts";
import type { Services } from "../../src/http/services.ts";
import { fetchOriginal } from "../../src/twin/fetch-original.ts";
import { OWNER, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { startTwin } from "../support/twin.ts";

const CHARS_MAX = 10_000_000;

const LAMP = "1A 2B 3C 1";
const COUNTER = 1;

type Pair = AsyncDisposable & {
  readonly original: TestController;
  readonly twin: TestController;
  readonly client: Home;
};

/** A demo home, and a twin that follows it. */
async function startPair(): Promise<Pair> {
  const original = await startTestController({ portalPort: await freePort() });
  await original.login();
  const fetch = async (path: string) => {
    const answer = await original.portal.get(path);
    return answer.status === 200 ? answer.text : null;
  };
  const running = await startTwin(await fetchOriginal(fetch, CHARS_MAX, () => {}), { isMirror: true });
  const { twin } = running;
  const account = { user: OWNER.username, password: OWNER.password };
  const client = await connect({ url: original.portal.url, ...account, insecure: true, stream: "rest" });
  const leave = followOriginal(client, { ...twin.services });
  return {
    original,
    twin,
    client,
    async [Symbol.asyncDispose]() {
      leave();
      await client.close();
      await running[Symbol.asyncDispose]();
      await original[Symbol.asyncDispose]();
    },
  };
}

/** Settles when the home is so. */
function until({ feed, home }: Services, isSo: (home: Services["home"]) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo(home)) return;
      end();
      resolve();
    };
    const end = feed.listen(look);
    look();
  });
}

const rawOf = (home: Services["home"], address: string, id = "ST") =>
  home.nodes.get(address)?.properties.get(id)?.value;
const counter = (home: Services["home"]) => home.variables[1].get(COUNTER);

test("values, programs, variables and names of the original come to the twin", async () => {
  await using pair = await startPair();
  const { original, twin } = pair;
  await original.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DON/40/51");
  await until(twin.services, (home) => rawOf(home, LAMP) === 102);
  await original.portal.post(`/api/variables/1/${COUNTER}`, { value: 77 });
  await until(twin.services, (home) => counter(home)?.value === 77);
  await Promise.all([original.clock.advance(60_000), twin.clock.advance(60_000)]);
  await original.portal.post(`/api/variables/1/${COUNTER}`, { value: 77 });
  const writtenAtMs = counter(original.services.home)?.writtenAtMs;
  await until(twin.services, (home) => counter(home)?.writtenAtMs === writtenAtMs);
  await original.portal.post(`/api/variables/1/${COUNTER}`, { name: "Openings" });
  await until(twin.services, (home) => counter(home)?.name === "Openings");
  await original.portal.get("/rest/programs/0002/disable");
  await until(twin.services, (home) => Reflect.get(home.programs.get(2) ?? {}, "enabled") === false);
  await original.portal.post("/api/nodes/1A%202B%203C%201", { name: "Lantern", nodeType: "node" });
  await until(twin.services, (home) => home.nodes.get(LAMP)?.name === "Lantern");
  await original.portal.get("/rest/nodes/1A%202B%203C%201/disable");
  await until(twin.services, (home) => home.nodes.get(LAMP)?.enabled === false);
  expect(rawOf(twin.services.home, LAMP)).toBe(102);
});

test("a command to the twin does not reach the original, and the original's next word counts", async () => {
  await using pair = await startPair();
  const { original, twin } = pair;
  const told: string[] = [];
  original.services.feed.listen(({ change }) => void told.push(change.type));
  expect((await twin.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DON/40/51")).status).toBe(200);
  expect(rawOf(twin.services.home, LAMP)).toBe(102);
  expect(told).toEqual([]);
  await original.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DON/80/51");
  await until(twin.services, (home) => rawOf(home, LAMP) === 204);
});

test("its programs do not run by themselves, and cannot be commanded", async () => {
  await using pair = await startPair();
  const { twin } = pair;
  const answer = await twin.portal.get("/rest/programs/0002/runThen");
  expect(answer.status).toBe(409);
  expect(answer.text).toContain("follows another controller");
  await twin.clock.advance(24 * 3_600_000);
  expect(twin.services.home.programs.get(2)?.lastRunAtMs).toBeNull();
});

test("after the original was away the twin is in step again, with what happened meanwhile", async () => {
  await using pair = await startPair();
  const { original, twin } = pair;
  await original.restart();
  await original.login();
  await original.portal.get("/rest/nodes/1A%202B%203C%201/cmd/DON/60/51");
  await original.portal.post(`/api/variables/1/${COUNTER}`, { name: "Meanwhile" });
  await until(twin.services, (home) => rawOf(home, LAMP) === 153 && counter(home)?.name === "Meanwhile");
});

test("things of the original that the twin lacks are named", async () => {
  await using pair = await startPair();
  const { original, twin } = pair;
  const added = await original.portal.put("/api/variables/2", { name: "New" });
  expect(added.status).toBe(200);
  await original.portal.post(`/api/variables/1/${COUNTER}`, { value: 5 });
  await pair.client.refresh();
  await until(twin.services, (home) => counter(home)?.value === 5);
  await original.portal.put("/api/variables/2", { name: "Another" });
  await original.portal.post(`/api/variables/1/${COUNTER}`, { name: "Last" });
  await until(twin.services, (home) => counter(home)?.name === "Last");
  const said = twin.lines.filter(({ message }) => message.startsWith("The original has things that the twin lacks"));
  expect(said.length).toBeGreaterThan(0);
});
