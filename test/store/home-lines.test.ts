/** A large home that goes to the main thread. */

import { expect, test } from "vitest";
import { putNode, putProperty } from "../../src/home/nodes.ts";
import { linesOf, readHome } from "../../src/store/recording/home-lines.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { seededHome } from "../support/seeded-home.ts";

const NODES = 10_000;
/** Twice what is read in one go. */
const TURN_BYTES_MAX = 131_072;

test("a home of 10,000 nodes is read as it was, and the event loop turns many times meanwhile", async () => {
  const { home } = await seededHome({ demo: true, demoNodes: 100 });
  const [first] = home.nodes.values();
  if (!first) throw new Error("The demo home has nodes.");
  const { properties, link: _link, version: _version, ...record } = first;
  for (let number = home.nodes.size; number < NODES; number += 1) {
    const address = `n900_${number}`;
    putNode(home, { ...record, address, primary: address, name: `Lampe für ${number}` });
    // One in ten has not reported yet.
    if (number % 10 > 0) for (const property of properties.values()) putProperty(home, address, property);
  }
  const lines = linesOf(home);

  let turns = 0;
  const turn = () => {
    turns += 1;
    handle = setImmediate(turn);
  };
  let handle = setImmediate(turn);
  const read = await readHome(lines);
  clearImmediate(handle);

  // As text: comparing 10,000 records takes seconds.
  expect(read && JSON.stringify(homeSnapshot(read)) === JSON.stringify(homeSnapshot(home))).toBe(true);
  expect(turns).toBeGreaterThan(lines.byteLength / TURN_BYTES_MAX);
});
