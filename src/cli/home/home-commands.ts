/** The options and the help of the commands about the contents of a home. Their code is loaded when they are called. */

import type { Command } from "commander";
import { connectedCommand } from "../connection/connection-options.ts";
import { homeAction, lazy } from "../lazy.ts";
import { TIME_HELP } from "../time-help.ts";

const NAMES = "by name, path (Hall/Hall Ceiling) or address";

/** @param domovoi gets the commands */
export function addHomeCommands(domovoi: Command): void {
  const command = (name: string, about: string, examples: string) => connectedCommand(domovoi, name, about, examples);
  domovoi.commandsGroup("See the home:");
  addLists(command);
  addPast(command);
  addWatch(command);
  domovoi.commandsGroup("Command the home:");
  addDevices(command);
  addActions(command);
}

type AddCommand = (name: string, about: string, examples: string) => Command;

function addLists(command: AddCommand): void {
  command("nodes", "Lists the nodes.", "  domovoi nodes --folder Kitchen --on\n  domovoi nodes motion --json")
    .argument("[text]", "Part of a name or an address.")
    .option("--folder <folder>", "Only what is in this folder, or in one below it.")
    .option("--family <id>", "Only this family: 1, 4, 10, 12 …")
    .option("--on", "Only what is on.")
    .option("--disabled", "Only what is disabled.")
    .option("--sort <key>", "path, name, address or status.", "path")
    .action(homeAction(() => import("./nodes.ts"), "listNodes"));
  command(
    "status",
    "Shows the last reported values of the nodes.",
    "  domovoi status 'Hall Ceiling'\n  domovoi status --property BATLVL",
  )
    .argument("[node]", `One node, ${NAMES}.`)
    .option("--property <id>", "Only this property.")
    .action(homeAction(() => import("./status.ts"), "showStatus"));
  command("groups", "Lists the groups (scenes), or the members of one.", "  domovoi groups\n  domovoi groups Evening")
    .argument("[group]", `One group, ${NAMES}.`)
    .action(homeAction(() => import("./groups.ts"), "listGroups"));
  command(
    "programs",
    "Lists the programs with their states.",
    "  domovoi programs --sort next\n  domovoi programs --folder Lights",
  )
    .option("--folder <program-folder>", "Only what is in this program folder, or in one below it.")
    .option("--folders", "The program folders too.")
    .option("--sort <key>", "path, name, id, state, last or next.", "path")
    .action(homeAction(() => import("./programs.ts"), "listPrograms"));
  command(
    "variables",
    "Lists the variables.",
    "  domovoi variables --type state\n  domovoi variables --sort written --json",
  )
    .option("--type <type>", "integer or state.")
    .option("--sort <key>", "name, id or written.", "name")
    .action(homeAction(() => import("./variables.ts"), "listVariables"));
  command("resources", "Lists the network resources.", "  domovoi resources").action(
    homeAction(() => import("./variables.ts"), "listResources"),
  );
}

function addPast(command: AddCommand): void {
  command(
    "why",
    "Shows why a node has its state, or why a program ran or did not.",
    `  domovoi why 'Hall Ceiling'\n  domovoi why 'Hall Motion Light' --at 'yesterday 22:30'\n${TIME_HELP}`,
  )
    .argument("<explained>", "The node or program, by name, path, address or id.")
    .option("--at <time>", "Shows the state at this time. Default: now.")
    .option("--property <property>", "Of a node, by id or name. Default: its status.")
    .action(homeAction(() => import("./why.ts"), "showWhy"));
  command(
    "trace",
    "Shows the runs of a program with conditions, statements and outcomes, the newest last.",
    `  domovoi trace 'Hall Motion Light'\n  domovoi trace 0008 --limit 50 --until 14:00\n${TIME_HELP}`,
  )
    .argument("<program>", "By name, path or id.")
    .option("--limit <count>", "Number of runs, 1 to 200. Default: 10.")
    .option("--until <time>", "Only runs that began at this time or before.")
    .action(homeAction(() => import("./why.ts"), "showTrace"));
  command(
    "events",
    "Shows what a node reported and was sent, the newest last.",
    `  domovoi events 'Hall Motion'\n  domovoi events 'Front Door Lock' --limit 100 --csv > lock.csv\n${TIME_HELP}`,
  )
    .argument("<node>", `The node, ${NAMES}.`)
    .option("--limit <count>", "Number of events, 1 to 200. Default: 50.")
    .option("--until <time>", "Only events at this time or before.")
    .option("--csv", CSV)
    .action(homeAction(() => import("./node-events.ts"), "showNodeEvents"));
  command(
    "chart",
    "Shows the history of a property: the lowest, mean and highest value in equal parts of a span.",
    `  domovoi chart 'Living Room Thermostat' ST --from -24h\n${TIME_HELP}`,
  )
    .argument("<node>", `The node, ${NAMES}.`)
    .argument("<property>", "By id or name.")
    .option("--from <time>", "Begin. Default: 24 hours before the end.")
    .option("--to <time>", "End. Default: now.")
    .option("--points <count>", "Parts of the span, 1 to 1000. Default: 24.")
    .option("--csv", CSV)
    .action(homeAction(() => import("./chart.ts"), "showChart"));
}

const CSV = "As comma-separated values, for spreadsheets.";

const SEND_EXAMPLES = `  domovoi send 'Hall Ceiling' DON 75%
  domovoi send 'Living Room Thermostat' CLISPH 70°
  domovoi send 'Living Room Thermostat' 'Thermostat Mode' heat --wait
  domovoi send Evening DON`;

function addWatch(command: AddCommand): void {
  command(
    "watch",
    "Shows events as they happen, one per line, until Ctrl+C.",
    "  domovoi watch\n  domovoi watch 'Hall Motion' --json\n  domovoi watch --why\n  domovoi watch --kind program,variable --count 10",
  )
    .argument("[node...]", `Only these nodes or groups, ${NAMES}.`)
    .option("--kind <kind...>", "Only property, control, program, variable, lifecycle, parameter, operation, system.")
    .option("--count <number>", "Ends after this number of events.")
    .option("--why", "Shows the cause of each event.")
    .action(lazy(() => import("./watch.ts"), "watch"));
}

function addDevices(command: AddCommand): void {
  command("send", "Sends a command to a node or a group.", SEND_EXAMPLES)
    .argument("<node>", `The node or group, ${NAMES}.`)
    .argument("<command>", "By id or name: DON, 'Fast On'.")
    .argument(
      "[value...]",
      "Parameters of the command: a number, a number with its unit (75%, 21.5°C), or a label (on, heat).",
    )
    .option("--wait [seconds]", "Waits until a report shows the effect. Default: 10 seconds.")
    .action(lazy(() => import("./send.ts"), "send"));
  command(
    "parameters",
    "Lists what a device has stored in itself, reads or writes it.",
    "  domovoi parameters 'Hall Plug'\n  domovoi parameters 'Hall Plug' 'Power on behavior'\n  domovoi parameters 'Hall Plug' 3 120",
  )
    .argument("<node>", `The node, ${NAMES}.`)
    .argument("[parameter]", "By number or name. Default: lists those that are known.")
    .argument("[value]", "The new value, displayed: a number or a label. Write -- before a negative one.")
    .action(homeAction(() => import("./parameters.ts"), "parameters"));
  command(
    "act",
    "Operates a simulated device like a person, for example presses a button (demo, twin, simulated radio).",
    "  domovoi act 'Hall Motion' DON\n  domovoi act 'Front Door' OPEN\n  domovoi act 'Hall Motion'    # lists the actions",
  )
    .argument("<node>", `The node, ${NAMES}.`)
    .argument("[action]", "DON, DOF, OPEN, CLOSE … Default: lists the actions of the node.")
    .argument("[value]", "For actions with a value, such as the slot of a typed lock code.")
    .action(homeAction(() => import("./act.ts"), "actAt"));
}

function addActions(command: AddCommand): void {
  command(
    "run",
    "Commands a program or a program folder.",
    "  domovoi run 'Hall Motion Light' then\n  domovoi run Lights stop",
  )
    .argument("<program>", "By name, path or id.")
    .argument("[what]", "run, if, then, else, stop, enable, disable, enableRunAtStartup, disableRunAtStartup.", "run")
    .action(homeAction(() => import("./act.ts"), "commandProgram"));
  command("set", "Sets a variable.", "  domovoi set Guests 2\n  domovoi set 'Comfort Temperature' 21.5 --init")
    .argument("<variable>", "By name or id: Guests, 2.4.")
    .argument("<value>", "Displayed value, with the decimals of the variable. Write -- before a negative one.")
    .option("--init", "Sets the value after a cold start (init) instead.")
    .action(homeAction(() => import("./act.ts"), "writeVariable"));
  command(
    "rename",
    "Renames a node, scene, folder, program, variable or network resource.",
    "  domovoi rename 'Hall Ceiling' 'Hall Lamp'",
  )
    .argument("<thing>", `The node, scene, folder, program, variable or network resource, ${NAMES}.`)
    .argument("<name>", "Its new name.")
    .action(homeAction(() => import("./act.ts"), "rename"));
  command("fire", "Fires a network resource.", "  domovoi fire 'Wake Workstation'")
    .argument("<resource>", "By name or id.")
    .action(homeAction(() => import("./act.ts"), "fireByName"));
}
