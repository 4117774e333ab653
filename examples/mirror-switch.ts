/** One lamp follows another: node examples/mirror-switch.ts "Hall Ceiling" "Floor Lamp". Ends with Ctrl-C. */

import { connectFromEnvironment, interrupted } from "./connect.ts";

const [leaderName = "Hall Ceiling", followerName = "Floor Lamp"] = process.argv.slice(2);

await using home = await connectFromEnvironment();
const leader = home.node(leaderName);
const follower = home.node(followerName);

home.on("property", ({ address, property, previous }) => {
  if (address !== leader.address || property.id !== "ST" || property.value === previous?.value) return;
  const isOn = Number(property.value) > 0;
  // Sending is not knowing: what became of it comes as an event of the follower.
  follower.send(isOn ? "DON" : "DOF").then(
    () => console.log(`${follower.name} was sent ${isOn ? "DON" : "DOF"}.`),
    (error: Error) => console.error(`${follower.name} did not take it: ${error.message}`),
  );
});

console.log(`${follower.name} follows ${leader.name}.`);
await interrupted();
