/** Says when something moves, and when it has been still since. Ends with Ctrl-C. */

import { connectFromEnvironment, interrupted } from "./connect.ts";

await using home = await connectFromEnvironment();

const sensors = new Set([...home.nodes].filter(({ name }) => /motion/i.test(name)).map(({ address }) => address));

// The stream begins with what is so already: an equal value is no news.
home.on("property", ({ address, property, previous, at }) => {
  if (!sensors.has(address) || property.id !== "ST" || property.value === previous?.value) return;
  console.log(`${at} ${home.node(address).name}: ${Number(property.value) > 0 ? "motion" : "still"}`);
});

console.log(`Watching ${sensors.size} motion sensors.`);
await interrupted();
