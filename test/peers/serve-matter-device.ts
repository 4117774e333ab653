/** A plug and a dimmer of Matter in a process of their own. Prints the digits of their code; ends with its input. Argument: a directory. */

import { configureLibrary } from "../../src/drivers/matter-library.ts";

await configureLibrary(process.argv[2] ?? "");
const { Logger, ServerNode } = await import("@matter/main");
const { DimmableLightDevice } = await import("@matter/main/devices/dimmable-light");
const { OnOffPlugInUnitDevice } = await import("@matter/main/devices/on-off-plug-in-unit");

Logger.level = "error";
const device = await ServerNode.create({
  id: "device",
  network: { port: 5541 },
  basicInformation: { productName: "Two devices", uniqueId: "two-devices", nodeLabel: "Two devices" },
});
await device.add(OnOffPlugInUnitDevice, { id: "plug" });
await device.add(DimmableLightDevice, { id: "dimmer", levelControl: { currentLevel: 254 } });
await device.start();
process.stdout.write(`${device.state.commissioning.pairingCodes.manualPairingCode}\n`);
process.stdin.resume().once("end", () => process.exit());
