// An example of a plugin server in Node: a controller node that counts polls, and a lamp that does what it is told.
const { Interface, Node } = require("polyinterface-v3");

class Lamp extends Node {
  constructor(poly, primary, address, name) {
    super("LAMP", poly, primary, address, name);
    this.drivers = { ST: { value: "0", uom: 51 } };
    this.commands = {
      DON: ({ value }) => this.setDriver("ST", value ?? "100"),
      DOF: () => this.setDriver("ST", "0"),
    };
  }

  runCmd({ cmd, ...given }) {
    this.commands[cmd]?.(given);
    this.reportCmd(cmd);
  }
}
Lamp.nodeDefId = "LAMP";

class Controller extends Node {
  constructor(poly, primary, address, name) {
    super("CTL", poly, primary, address, name);
    this.drivers = { ST: { value: "1", uom: 25 }, GV1: { value: "0", uom: 56 } };
    this.commands = { QUERY: () => this.reportDrivers() };
  }

  runCmd({ cmd }) {
    this.commands[cmd]?.();
  }
}
Controller.nodeDefId = "CTL";

const poly = new Interface([Controller, Lamp]);
let polls = 0;

poly.on("config", async ({ isInitialConfig }) => {
  if (!isInitialConfig) return;
  poly.updateProfile();
  await poly.addNode(new Controller(poly, "controller", "controller", "Example controller"));
  await poly.addNode(new Lamp(poly, "controller", "lamp1", `${poly.getCustomParams().room ?? "Attic"} lamp`));
});

poly.on("customParams", ({ room }) => {
  if (room) poly.removeNotice("room");
  else poly.addNotice("room", "Say in which room the lamp is: set the parameter room.");
});

poly.on("poll", (isLong) => {
  if (!isLong) poly.getNode("controller")?.setDriver("GV1", String(++polls));
});

poly.on("stop", () => {
  poly.stop();
  process.exit(0);
});

poly.start();
