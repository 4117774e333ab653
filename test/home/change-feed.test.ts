import { expect, test } from "vitest";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { CAUSE, CONTROLLER, nodeAdded, START_MS, stateReported } from "../support/test-store.ts";

function setUp() {
  const home = new Home(CONTROLLER);
  return { home, feed: new ChangeFeed(home, new VirtualClock(START_MS), 7) };
}

test("a listener finds the new value in the home, after the recorder, with the next number", () => {
  const { home, feed } = setUp();
  const heard: string[] = [];
  const stateOf = () => home.nodes.get("n1")?.properties.get("ST")?.value;
  feed.listen(({ seq }) => heard.push(`listener ${seq} ${stateOf()}`));
  feed.record(({ seq }) => heard.push(`recorder ${seq} ${stateOf()}`));
  feed.commit(nodeAdded("n1"), CAUSE);
  feed.commit(stateReported("n1", 30), CAUSE);
  expect(heard).toEqual(["recorder 8 undefined", "listener 8 undefined", "recorder 9 30", "listener 9 30"]);
});

test("a listener that commits is refused, and what it heard of stays", () => {
  const { home, feed } = setUp();
  feed.listen(() => feed.commit(nodeAdded("n2"), CAUSE));
  expect(() => feed.commit(nodeAdded("n1"), CAUSE)).toThrow("A listener records; it does not commit.");
  expect([...home.nodes.keys()]).toEqual(["n1"]);
  expect(feed.lastSeq).toBe(8);
});
