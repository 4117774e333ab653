/** Lists what is on, by folder. */

import { connectFromEnvironment } from "./connect.ts";

await using home = await connectFromEnvironment();

// Nodes that can be switched on. The status of a thermostat is a temperature.
const switches = [...home.nodes].filter(({ nodedef }) => nodedef?.accepts.some(({ id }) => id === "DON"));
const on = switches.filter((node) => (node.value("ST") ?? 0) > 0);
for (const node of on.sort((a, b) => a.path.localeCompare(b.path))) console.log(`${node.path}: ${node.label("ST")}`);
console.log(`${on.length} of ${switches.length} switches and lamps are on.`);
