/** The options and the help of `domovoi radio`. Its code is loaded when it is called. */

import type { Command } from "commander";
import { CONNECTION_HELP, withConnection } from "../connection/connection-options.ts";
import { lazy } from "../lazy.ts";

const HELP = `
A device is named by its number in the network (5), or by one of its nodes: name, path or address. Owners only, at the
portal. Long operations print every step. Ctrl+C cancels them on the controller; the network stays in order.

Examples:
  domovoi radio status
  domovoi radio nodes
  domovoi radio include                          # asks which keys to grant, and for the PIN
  domovoi radio include --grant all --pin 34028  # from a script
  domovoi radio include --replace 'Hall Plug'    # in the place of one that is broken
  domovoi radio include --radio matter 34970112332   # the code that a phone shows when it shares its device
  domovoi radio exclude
  domovoi radio smartstart add 9001…             # the digits of the printed code
  domovoi radio firmware 5 plug-2.1.gbl
  domovoi radio nvm save adapter.bin
  domovoi radio rebuild-routes --all --radio zwave2
  domovoi radio diagnostics report.json --no-names
${CONNECTION_HELP}`;
const SEE_HELP = '\n"domovoi radio --help" has examples.';
const DEVICE = "Its number in the network, or one of its nodes.";

type Add = (command: Command, usage: string, about: string) => Command;

/** @param domovoi gets the command `radio`. */
export function addRadioCommand(domovoi: Command): void {
  const radio = domovoi
    .command("radio")
    .description("Radio networks: inclusion, exclusion, repair, firmware, backups of the adapter.");
  radio.addHelpText("after", HELP);
  const add: Add = (command, usage, about) =>
    withConnection(command.command(usage).description(about))
      .option("--radio <radio>", "Which network, where there are several: zwave, zwave2.")
      .option("--json", "Prints JSON; for operations one object per step.")
      .addHelpText("after", SEE_HELP);
  addViews(radio, add);
  addMembership(radio, add);
  addSmartStart(radio, add);
  addCare(radio, add);
  addFiles(radio, add);
}

function addViews(radio: Command, add: Add): void {
  add(radio, "status", "Shows the adapters and the current operation.").action(
    lazy(() => import("./status.ts"), "showRadios"),
  );
  add(radio, "nodes", "Lists the devices of a network with their health.").action(
    lazy(() => import("./status.ts"), "listDevices"),
  );
  add(radio, "health", "Shows the health of a device.")
    .argument("<node>", DEVICE)
    .option("--ping", "Asks it first whether it is there.")
    .action(lazy(() => import("./status.ts"), "showHealth"));
}

const SECURITY_HELP = `
--security s2    S2 where the device can; S0 only where its kind demands encryption; else none, which is said
--security s0    S0, for old devices
--security none  no encryption: everything the device says can be heard and imitated`;

function addMembership(radio: Command, add: Add): void {
  add(radio, "include", "Includes a device. Press its button when asked to.")
    .argument("[code]", "Of a Matter device: its 11 or 21 digits, or the text of its QR code.")
    .option("--security <kind>", "s2, s0 or none.", "s2")
    .option("--replace <node>", "In the place of this device, which does not answer any more.")
    .option("--grant <keys>", "Grants these keys: all, none, or names separated by commas.")
    .option("--pin <digits>", "Answers with the first five digits of the key printed on it.")
    .option("--yes", "Adds a Matter device whatever its certificates show.")
    .addHelpText("after", SECURITY_HELP)
    .action(lazy(() => import("./membership.ts"), "include"));
  add(radio, "exclude", "Excludes a device, also one of another network. Press its button when asked to.")
    .argument("[node]", `Of Matter and Zigbee: ${DEVICE}`)
    .option("--force", "Of Matter and Zigbee: also when the device does not answer.")
    .action(lazy(() => import("./membership.ts"), "exclude"));
  add(radio, "remove-failed", "Removes a device that no longer answers.")
    .argument("<node>", DEVICE)
    .action(lazy(() => import("./membership.ts"), "removeFailed"));
}

function addSmartStart(radio: Command, add: Add): void {
  const smartStart = radio
    .command("smartstart")
    .description("SmartStart: devices that are included when they have power.");
  smartStart.addHelpText("after", SEE_HELP);
  add(smartStart, "list", "Which may, and which have.").action(
    lazy(() => import("./smart-start.ts"), "listProvisioned"),
  );
  add(smartStart, "add", "Adds a device, which joins as soon as it has power.")
    .argument("<key>", "The key (eight groups of five digits) or the digits of the code that is printed on it.")
    .option(
      "--security <keys>",
      "Security classes to grant, separated by commas. Default: those that its code requests, else S2.",
    )
    .option("--inactive", "Keeps it on the list without letting it in.")
    .action(lazy(() => import("./smart-start.ts"), "addProvisioned"));
  add(smartStart, "remove", "Takes one off the list; a device that has joined stays.")
    .argument("<key>", "The key, or its beginning.")
    .action(lazy(() => import("./smart-start.ts"), "removeProvisioned"));
}

function addCare(radio: Command, add: Add): void {
  add(radio, "interview", "Interviews a device again.")
    .argument("<node>", DEVICE)
    .action(lazy(() => import("./care.ts"), "interview"));
  add(radio, "rebuild-routes", "Rebuilds neighbors and routes of one device, or of all devices that are awake.")
    .argument("[node]", DEVICE)
    .option("--all", "All devices.")
    .action(lazy(() => import("./care.ts"), "rebuildRoutes"));
  add(radio, "firmware", "Updates the firmware of a device from a file.")
    .argument("<node>", DEVICE)
    .argument("<file>", "As the maker gives it: .hex, .ota, .otz, .gbl, .zip …")
    .action(lazy(() => import("./care.ts"), "updateFirmware"));
  add(radio, "cancel", "Cancels the current operation, also one that another client started.").action(
    lazy(() => import("./care.ts"), "cancel"),
  );
}

function addFiles(radio: Command, add: Add): void {
  const memory = radio
    .command("nvm")
    .description("Saves and restores the memory of an adapter: its network, without the keys.");
  memory.addHelpText("after", SEE_HELP);
  add(memory, "save", "Reads it into a file.")
    .argument("<file>", "File to write. An existing file is not replaced.")
    .action(lazy(() => import("./files.ts"), "saveMemory"));
  add(memory, "restore", "Writes it back; the adapter forgets the network that it has.")
    .argument("<file>", "File of `nvm save`, also from another adapter of the family.")
    .option("--confirm <home-id>", "The home id of the adapter's present network. Without it, the command asks for it.")
    .action(lazy(() => import("./files.ts"), "restoreMemory"));
  add(radio, "diagnostics", "Saves everything about a network for a bug report, without keys and codes.")
    .argument("<file>", "File to be made, - for the standard output.")
    .option("--no-names", "Without the names of nodes.")
    .action(lazy(() => import("./files.ts"), "saveDiagnostics"));
}
