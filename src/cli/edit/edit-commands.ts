/** The options and the help of the commands that edit the home. Their code is loaded when they are called. */

import type { Command } from "commander";
import { NODE_USES } from "../../profile/node-uses.ts";
import { connectedCommand as command, withConnection, withExamples } from "../connection/connection-options.ts";
import { homeAction, lazy, sessionAction } from "../lazy.ts";

const NAMED = "by name, path (Hall/Hall Ceiling) or address";
const KINDS = "node, scene, folder, program, variable or resource";
const LEVEL = "Percent: 60%.";
const RAMP = "Ramp duration: 2s, 500ms, 1m.";

/** @param domovoi gets the commands */
export function addEditCommands(domovoi: Command): void {
  addFolderCommands(domovoi);
  addSceneCommands(domovoi);
  addTableCommands(domovoi);
  addTreeCommands(domovoi);
  addRemovalCommands(domovoi);
  addHomeCommands(domovoi);
}

function addFolderCommands(domovoi: Command): void {
  const folder = domovoi.command("folder").description("Folders of the tree, and of programs.");
  command(folder, "create", "Creates a folder.", "  domovoi folder create Den\n  domovoi folder create Lamps --in Den")
    .argument("<name>", "Its name.")
    .option("--in <folder>", "The folder that it lies in.")
    .option("--programs", "A program folder instead.")
    .action(homeAction(tree, "addFolder"));
  command(folder, "delete", "Removes a folder.", "  domovoi folder delete Den --with-contents")
    .argument("<folder>", `The folder, ${NAMED}.`)
    .option("--with-contents", "With all that is in it. Without, a folder that holds something is refused.")
    .option("--keep-contents", "Moves its contents to the parent folder.")
    .action(homeAction(tree, "deleteFolder"));
}

const SCENE_EXAMPLES = `  domovoi scene create Reading --folder Den
  domovoi scene add Reading 'Desk Lamp' --level 60% --ramp 2s
  domovoi scene add Reading 'Den Keypad' --controller
  domovoi scene show Reading
  domovoi scene capture Reading
  domovoi send Reading DON`;

function addSceneCommands(domovoi: Command): void {
  const scene = domovoi.command("scene").description("Scenes: members, levels and ramps.");
  const sub = (usage: string, about: string) => command(scene, usage, about, SCENE_EXAMPLES);
  const SCENE = ["<scene>", `The scene, ${NAMED}.`] as const;
  sub("create", "Creates a scene without members.")
    .argument("<name>", "Its name.")
    .option("--folder <folder>", "The folder that it lies in.")
    .action(homeAction(scenes, "addScene"));
  sub("show", "Shows the link of every member.")
    .argument(...SCENE)
    .action(homeAction(scenes, "showScene"));
  const add = scene.command("add").description("Adds a node, or changes the role or level of a member.");
  withExamples(withConnection(add, { controller: "The node controls the scene." }), SCENE_EXAMPLES)
    .argument(...SCENE)
    .argument("<node>", `The node, ${NAMED}.`)
    .option("--level <percent>", LEVEL)
    .option("--ramp <time>", RAMP)
    .option("--controls", "The node controls the scene.")
    .action(lazy(scenes, "addToScene"));
  sub("level", "Sets the link of a member.")
    .argument(...SCENE)
    .argument("<node>", `The node, ${NAMED}.`)
    .option("--level <percent>", LEVEL)
    .option("--ramp <time>", RAMP)
    .option("--when <node>", "Only when this controller of the scene is used.")
    .action(homeAction(scenes, "setLevel"));
  sub("remove", "Removes a node from a scene.")
    .argument(...SCENE)
    .argument("<node>", `The node, ${NAMED}.`)
    .action(homeAction(scenes, "removeFromScene"));
  sub("capture", "Stores the present levels of the members as the levels of the scene.")
    .argument(...SCENE)
    .action(homeAction(scenes, "captureLevels"));
  sub("write", "Writes links into devices again after a failure.")
    .argument(...SCENE)
    .action(homeAction(scenes, "writeScene"));
  sub("test", "Turns the scene on.")
    .argument(...SCENE)
    .action(homeAction(scenes, "turnOnScene"));
  sub("delete", "Removes a scene; its members stay.")
    .argument(...SCENE)
    .option("--yes", "Also when programs name it.")
    .action(homeAction(tree, "deleteThing", "scene"));
}

function addTableCommands(domovoi: Command): void {
  const variable = domovoi.command("variable").description("Variables.");
  command(variable, "create", "Creates a variable.", "  domovoi variable create Guests --type state --init 2")
    .argument("<name>", "Its name.")
    .requiredOption("--type <type>", "integer or state; a state variable starts programs when it changes.")
    .option("--init <number>", "Its value after a cold start.")
    .option("--precision <places>", "Decimal places, 0 to 9.")
    .action(homeAction(tables, "addVariable"));
  command(
    variable,
    "change",
    "Changes the decimal places of a variable, or names its values. Its digits stay: 215 with one decimal place is 21.5.",
    "  domovoi variable change 'Comfort Temperature' --precision 1\n  domovoi variable change Mode --values 0=Home 1=Away 2=Night",
  )
    .argument("<variable>", "By name or id.")
    .option("--precision <places>", "Decimal places, 0 to 9.")
    .option("--values <names...>", 'Names of values, in place of all that there are: 0=Home 1=Away. "" removes them.')
    .action(homeAction(tables, "changeVariable"));
  const resource = domovoi.command("resource").description("Network resources.");
  const examples =
    "  domovoi resource create Chime --url http://chime.home.arpa/play?sound=bell\n  domovoi resource test Chime";
  const create = resource
    .command("create")
    .description("Creates a network resource. Its secrets are never shown again.");
  const url =
    "http://, https://, tcp:// or udp:// with host, port, path and query. Of the resource, not of the controller.";
  withFields(withExamples(withConnection(create, { url }), examples).argument("<name>", "Its name.")).action(
    lazy(tables, "addResource"),
  );
  command(resource, "show", "Shows a network resource, without its secrets.", "  domovoi resource show Chime")
    .argument("<resource>", "By name or id.")
    .action(homeAction(tables, "showResource"));
  const change = resource.command("change").description("Changes a network resource; what is left out stays.");
  const changes =
    "  domovoi resource change Chime --timeout 2000\n  domovoi resource change Chime --header 'X-Key: 42'";
  withFields(
    withExamples(withConnection(change, { url, isUrlRequired: false }), changes).argument(
      "<resource>",
      "By name or id.",
    ),
  ).action(lazy(tables, "changeResource"));
  command(resource, "test", "Fires a network resource and shows the answer.", examples)
    .argument("<resource>", "By name or id.")
    .action(homeAction(tables, "testResource"));
  const targets = "  domovoi resource allow printer.local\n  domovoi resource allow 169.254.7.1:8080";
  const TARGET = [
    "[target]",
    "Host, address or range, HOST:PORT for one port, or a network resource. Without it: shows all.",
  ] as const;
  command(resource, "allow", "Allows a target that network resources may not reach by default.", targets)
    .argument(...TARGET)
    .action(homeAction(tables, "allowTarget"));
  command(resource, "disallow", "Takes an allowed target back.", "  domovoi resource disallow printer.local")
    .argument("<target>", "As it was allowed.")
    .action(sessionAction(tables, "disallowTarget"));
  const copies = "  domovoi copy program 'Hall Motion Light' 'Stairs Motion Light'";
  command(domovoi, "copy", "Copies a program or a variable.", copies)
    .argument("<kind>", "program or variable.")
    .argument("<thing>", "Which one, by name or id.")
    .argument("<name>", "Name of the copy.")
    .action(homeAction(tables, "copyThing"));
}

function withFields(made: Command): Command {
  return made
    .option("--method <method>", "GET, POST, PUT, DELETE, PATCH or HEAD. Default: GET.")
    .option("--header <header...>", "'Name: value'.")
    .option("--body <text>", "The body to send.")
    .option("--timeout <ms>", "Timeout in milliseconds. Default: 10000.");
}

function addTreeCommands(domovoi: Command): void {
  const moves = "  domovoi move 'Desk Lamp' Den\n  domovoi move Den /\n  domovoi move 'Hall Motion Light' Lights";
  command(domovoi, "move", "Moves a node, scene or folder into a folder, a program into a program folder.", moves)
    .argument("<thing>", `The thing to move, ${NAMED}.`)
    .argument("<folder>", "The folder, or / for the top.")
    .action(homeAction(tree, "moveIntoFolder"));
  for (const verb of ["enable", "disable"] as const) {
    const about = verb === "enable" ? "Enables a node or program." : "Disables a node or program.";
    const enabling = command(
      domovoi,
      verb,
      about,
      `  domovoi ${verb} node 'Porch Light'\n  domovoi ${verb} program Dawn`,
    )
      .argument("<kind>", "node or program.")
      .argument("[thing]", "Which one, by name, path or id.");
    if (verb === "disable") enabling.option("--reason <text>", "For a node: the reason, shown to people.");
    enabling.action(homeAction(tree, "setEnabled", verb === "enable"));
  }
  command(domovoi, "mark", "Says what a contact, switch or outlet is used for.", "  domovoi mark 'Bed Left' window")
    .argument("<node>", "The node, by name, path or address.")
    .argument("<use>", `${NODE_USES.join(", ")}, or none.`)
    .action(homeAction(tree, "markUse"));
  command(domovoi, "replace", "Replaces a broken device with a new one.", "  domovoi replace 'Hall Ceiling' ZW009_1")
    .argument("<node>", "First node of the broken device.")
    .argument("<new-node>", "First node of the new device. It gets the name, folder, scenes and programs.")
    .option("--force", "Also where the new device cannot do all that the old one did.")
    .option("--programs-only", "Only programs name the new node; both keep their names, folders and scenes.")
    .option("--dry-run", "Shows what would change, without changing anything.")
    .action(homeAction(tree, "replaceDevice"));
}

function addRemovalCommands(domovoi: Command): void {
  const kind = ["<kind>", `${KINDS}.`] as const;
  const examples = "  domovoi delete node 'Old Lamp'\n  domovoi delete variable Guests --yes";
  command(
    domovoi,
    "delete",
    "Removes a node, scene, folder, program, variable or network resource. Shows first where it is used.",
    examples,
  )
    .argument(...kind)
    .argument("<thing>", "Which one, by name, path, address or id.")
    .option("--yes", "Does not ask.")
    .action(homeAction(tree, "deleteThing"));
  command(domovoi, "uses", "Shows where a thing is used.", "  domovoi uses node 'Hall Ceiling'")
    .argument(...kind)
    .argument("<thing>", "Which one, by name, path, address or id.")
    .action(homeAction(tree, "showUses"));
}

function addHomeCommands(domovoi: Command): void {
  const places = "  domovoi place --latitude 40.7 --longitude -74 --zone America/New_York --units us";
  command(domovoi, "place", "Shows or changes where the home is, its time zone and units.", places)
    .option("--name <name>", "Name of the controller.")
    .option("--latitude <degrees>", "Degrees north.")
    .option("--longitude <degrees>", "Degrees east.")
    .option("--elevation <meters>", "Meters above sea level.")
    .option("--zone <zone>", "IANA time zone: Europe/Berlin.")
    .option("--units <units>", "metric or us.")
    .action(sessionAction(() => import("./place.ts"), "place"));
  const histories = "  domovoi history --limit 20\n  domovoi history 412\n  domovoi undo 412";
  command(domovoi, "history", "Lists edits and who made them, or shows the changes of one edit.", histories)
    .argument("[edit]", "Number of an edit.")
    .option("--limit <count>", "Maximum number of edits. Default: 50.")
    .option("--of <thing>", "Only edits of one thing, by kind and name: 'node Hall Ceiling', 'program Lock Up'.")
    .action(lazy(() => import("./history.ts"), "showHistory"));
  command(domovoi, "undo", "Undoes an edit: the latest, or the one with this number.", histories)
    .argument("[edit]", "Number of an edit.")
    .action(sessionAction(() => import("./history.ts"), "undo"));
}

const tree = () => import("./tree.ts");
const scenes = () => import("./scene.ts");
const tables = () => import("./tables.ts");
