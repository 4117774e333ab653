/**
 * Builds a home through the client library: what `build-a-home.sh` does with the command line. The controller runs already,
 * with the simulated adapter (`npm start -- --demo-radio` without `--demo`). A mail server is the first argument.
 */

import { connectFromEnvironment } from "./connect.ts";

const MOTION_LIGHT = `Program 'Stairs Motion Light'

If
    Control 'Stairs Motion' is switched 'On'

Then
    Set 'Stairs Light' 'On'
    Send notification to 1
    Wait 2 minutes
    Set 'Stairs Light' 'Off'
`;

await using home = await connectFromEnvironment();
const { edits, guests, integrations, programs } = home;

await edits.setPlace({
  name: "Little House",
  latitude: 48.14,
  longitude: 11.58,
  timeZone: "Europe/Berlin",
  units: "metric",
});

// The adapter has to read its network first.
while (home.nodes.find("ZW111_307") === null) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  await home.refresh();
}
const livingRoom = await edits.createFolder("Living Room");
const stairs = await edits.createFolder("Stairs");
const devices = [
  { address: "ZW102_1", name: "Sofa Lamp", folder: livingRoom },
  { address: "ZW103_1", name: "Reading Lamp", folder: livingRoom },
  { address: "ZW101_1", name: "Stairs Light", folder: stairs },
  { address: "ZW111_307", name: "Stairs Motion", folder: null },
];
for (const { address, name, folder } of devices) {
  await home.node(address).rename(name);
  if (folder) await edits.move(address, folder.address);
}

const reading = await edits.createScene("Reading", livingRoom.address);
await edits.addMember(reading.address, "ZW102_1", { level: 20 });
await edits.addMember(reading.address, "ZW103_1", { level: 80 });

const { findings } = await programs.applyText(MOTION_LIGHT);
for (const { sentence } of findings) console.log(sentence);

const [, , mailServer] = process.argv;
if (mailServer !== undefined) {
  const settings = { server: mailServer, to: "owner@example.org", recipient: 1 };
  const { id } = await integrations.add({ type: "email", name: "Mail", settings });
  await integrations.testChannel(id);
}

// A link that lets the cat sitter switch one light for two days, and see nothing else.
const { link } = await guests.create({ name: "Cat sitter", limits: { nodes: ["ZW101_1"] }, seconds: 2 * 86_400 });
console.log(link);

await home.refresh();
await home.group("Reading").send("DON");
await home.node("Stairs Motion").act("DON");
for (const { edit, title } of await edits.history()) console.log(`${edit}  ${title}`);
