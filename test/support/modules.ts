/**
 * The modules of the project: what each holds, what it may import besides itself, what it leaves out on purpose.
 * `test/tidy.test.ts` enforces the imports; `npm run docs:modules` writes the tables of ARCHITECTURE.md from here.
 */

type Module = {
  readonly holds: string;
  readonly imports: readonly string[];
  readonly absent?: string;
};

/** Modules that every module of the service may import. They import only one another. */
export const FOUNDATION: readonly string[] = ["errors", "families", "messages", "util"];

/** Keys are folders or files of `src/`; `driver` means the files directly in `src/drivers/`. */
export const SERVICE_MODULES: Readonly<Record<string, Module>> = {
  errors: { holds: "every error code with its status and text", imports: [] },
  families: { holds: "one row per family: number, name, address form, fields of its nodes in documents", imports: [] },
  messages: { holds: "every sentence about programs, causes and findings, by code", imports: [] },
  version: { holds: "the version from package.json", imports: [] },
  config: { holds: "every setting and every limit, with unit, range and default", imports: [] },
  util: { holds: "clock, log, time zones, XML text, randomness", imports: [], absent: "home automation" },
  profile: {
    holds:
      "nodedefs, editors, linkdefs, units, formats; the roles of nodes; built-in definitions as data in `builtin/`",
    imports: ["home"],
    absent: "the home's state",
  },
  home: {
    holds: "the only state of the home, and the closed union of its changes",
    imports: ["profile"],
    absent: "I/O, timers, wire spellings",
  },
  wire: {
    holds:
      "elements, ids and times that documents and frames share ([ADR 3](docs/adr/0003-encoders-that-two-surfaces-share.md))",
    imports: ["home", "profile"],
    absent: "sockets",
  },
  driver: {
    holds:
      "the driver contract, the registry, the host that checks the reports of drivers; what drivers and bridges share: the connection to a message broker, the thread of the Matter library, the search of the surroundings; what a system has that its owner moves in from",
    imports: ["home", "profile", "config"],
    absent: "a driver",
  },
  "drivers/virtual": {
    holds: "simulated devices",
    imports: ["driver", "profile", "home"],
    absent: "the home's state, other drivers",
  },
  "drivers/zwave": {
    holds:
      "Z-Wave adapters: `plan/` maps devices to nodes by tables, `sending/` sends commands, `network/` manages the network",
    imports: ["driver", "profile", "config", "home"],
    absent: "the home's state, other drivers",
  },
  "drivers/insteon": {
    holds:
      "a PowerLinc modem and its Insteon devices: `line/` the serial protocol, `devices/` products, commands and presses, `links/` link databases and scenes, `operations/` pairing and repair",
    imports: ["driver", "profile", "config", "home"],
    absent: "the home's state, other drivers",
  },
  "drivers/matter": {
    holds:
      "Matter devices: the library in a thread commissions and subscribes, tables map clusters to nodes and commands",
    imports: ["driver", "profile", "config", "home"],
    absent: "the home's state, other drivers",
  },
  "drivers/exposed": {
    holds:
      "devices that a bridge lists with what they expose: by tables to nodedefs, their numbers, their nodes; used by the drivers of such bridges",
    imports: ["driver", "profile", "home"],
    absent: "a bridge",
  },
  "drivers/mqtt": {
    holds: "a message broker's devices: Zigbee behind Zigbee2MQTT, `discovery/` those that announce themselves",
    imports: ["driver", "drivers/exposed", "profile", "config", "home"],
    absent: "the home's state, other drivers",
  },
  "drivers/homeassistant": {
    holds:
      "a Home Assistant that supplies its devices: its WebSocket interface, its registries, a table from its domains to what they expose; `way-in/` translates its scenes and automations, for an owner who moves in from it",
    imports: ["driver", "drivers/exposed", "profile", "config", "home"],
    absent: "the home's state, other drivers",
  },
  "drivers/calendar": {
    holds: "calendars in iCalendar form: fetched by address or file, read in a thread; a node for each",
    imports: ["driver", "profile", "home"],
    absent: "the home's state, other drivers",
  },
  "drivers/presence": {
    holds:
      "persons: the rule who is at home, as a pure function; the reader of OwnTracks, which lets no place through; records and nodes",
    imports: ["driver", "profile", "config", "home"],
    absent: "the home's state, other drivers; places of phones",
  },
  "drivers/alerts": {
    holds:
      "alerts that somebody has to answer: the rule of who gets them when, as a pure function; records, open instances and nodes; tokens of answers",
    imports: ["driver", "profile", "config", "home"],
    absent: "the home's state, other drivers; channels and accounts",
  },
  "drivers/plugin": {
    holds: "plugin servers of the Polyglot version 3 kind: their broker, processes, nodes and definitions",
    imports: ["driver", "profile", "config", "home", "wire"],
    absent: "the home's state, other drivers",
  },
  bridges: {
    holds:
      "readers of the home that show it to others, as integration types; `mqtt/` announces nodes on a message broker and takes commands, `matter/` is a Matter bridge in a thread",
    imports: ["driver", "profile", "home", "commands", "auth", "config", "version"],
    absent: "the home's changes: it follows the feed and sends commands",
  },
  integrations: {
    holds:
      "integrations: finds, adds, configures, starts, stops and removes drivers, channels and bridges while the controller runs",
    imports: ["home", "profile", "driver", "config"],
    absent: "any type of integration by name, HTTP",
  },
  notifications: {
    holds:
      "notification channels as integration types, texts with values, deliveries with retries, the controller's own alarms",
    imports: ["home", "profile", "driver", "config"],
    absent: "HTTP of our own surfaces",
  },
  commands: {
    holds: "commands to devices, edits of the home, network resources; `radio/` operations on radio networks",
    imports: ["notifications", "home", "profile", "driver", "programs", "config"],
    absent: "HTTP",
  },
  history: {
    holds: "questions about the past: the reasons for a value, for a program's run or non-run, along the cause chain",
    imports: ["home", "profile", "programs"],
    absent: "I/O: it reads through a port",
  },
  programs: {
    holds:
      "the engine as a pure step (`engine/`, `schedule/`), the runner around it, `trace/`, `text/` (reading and writing program text), `verify/`",
    imports: ["home", "profile", "config"],
    absent: "I/O; timers outside the runner",
  },
  auth: {
    holds: "accounts, tokens, limits on guessing, the policy",
    imports: ["home", "config"],
    absent: "HTTP",
  },
  store: {
    holds:
      "journal, state tables, recovery, accounts, trace; `database/` runs in the worker, `samples/` values for charts, `recording/` reads the past, `backup/` makes, verifies and restores backups",
    imports: ["home", "auth", "driver", "programs", "config", "version"],
    absent: "HTTP",
  },
  stream: {
    holds: "the event streams: hub, ring, clients, replay, `events/`",
    imports: ["home", "auth", "wire", "profile", "config"],
    absent: "commands",
  },
  http: {
    holds:
      "the listeners: `request/` request handling, `api/` JSON, `rest/` XML, `soap/` the SOAP of older clients, `assistant/` the protocol of assistants",
    imports: [
      "assistant",
      "notifications",
      "commands",
      "history",
      "programs",
      "integrations",
      "monitoring",
      "replay",
      "auth",
      "home",
      "profile",
      "wire",
      "driver",
      "config",
      "version",
    ],
    absent: "drivers, store, stream",
  },
  assistant: {
    holds: "the tools of assistants and the Model Context Protocol around them, over the client library",
    imports: [],
    absent: "rights: the controller asks for them at every request",
  },
  monitoring: {
    holds: "health, metrics and the support report",
    imports: ["home", "programs", "driver", "config", "version"],
    absent: "HTTP",
  },
  demo: {
    holds: "the demo home",
    imports: ["home", "profile", "commands", "drivers/virtual", "config"],
  },
  twin: {
    holds:
      "copies of other controllers: reads their documents through the client library, makes a home from them, follows them ([ADR 11](docs/adr/0011-a-twin-merges-the-received-documents-with-its-own.md))",
    imports: ["home", "profile", "wire", "http", "store", "auth", "commands", "driver", "drivers/virtual", "config"],
  },
  replay: {
    holds: "runs a recording through the engine again, with unchanged and changed programs",
    imports: ["home", "profile", "programs", "config"],
    absent: "disk",
  },
  replays: {
    holds: "replays of a data directory: in a thread for the API, in the process of the command line",
    imports: [
      "replay",
      "store",
      "twin",
      "demo",
      "driver",
      "drivers/virtual",
      "drivers/zwave",
      "drivers/plugin",
      "home",
      "profile",
      "config",
    ],
    absent: "HTTP",
  },
  "integration-types": {
    holds: "the table of the types of integrations: a new world of devices is a line here",
    imports: [
      "integrations",
      "notifications",
      "auth",
      "commands",
      "home",
      "demo",
      "store",
      "driver",
      "drivers/alerts",
      "drivers/virtual",
      "drivers/zwave",
      "drivers/insteon",
      "drivers/mqtt",
      "drivers/homeassistant",
      "drivers/matter",
      "drivers/plugin",
      "drivers/calendar",
      "drivers/presence",
      "bridges",
      "twin",
    ],
  },
  standby: {
    holds: "a machine that waits for the writer of the home to be gone, and takes over",
    imports: ["store", "http", "config"],
    absent: "a home",
  },
  cli: {
    holds:
      "the command line: `home/` queries and commands any controller, `radio/` manages radio networks, both through the client library; `connection/` picks controller and account",
    imports: [
      "assistant",
      "main",
      "standby",
      "auth",
      "store",
      "monitoring",
      "replay",
      "replays",
      "twin",
      "demo",
      "home",
      "profile",
      "config",
      "version",
    ],
    absent: "requests of its own",
  },
};

/** Keys are folders or files of `client/src/`. The client library imports nothing of the service. */
export const CLIENT_MODULES: Readonly<Record<string, Module>> = {
  errors: { holds: "every error of the library", imports: [] },
  clock: { holds: "the clock that is passed in", imports: [] },
  log: { holds: "the log that is passed in", imports: [] },
  model: {
    holds: "a home as plain records, and functions over them: editors, scenes, paths, finding, snapshots",
    imports: ["errors"],
  },
  typed: { holds: "computed numbers, checked against the range that a type requires", imports: ["errors"] },
  api: { holds: "the public types", imports: ["clock", "log", "model"] },
  documents: { holds: "one reader per document: JSON, XML, labels, frames", imports: ["errors", "model"] },
  transport: {
    holds: "the port to the network, for browser and Node; the session: tokens, deadlines, redaction",
    imports: ["api", "clock", "documents", "errors", "log", "model"],
  },
  load: {
    holds: "the documents of a load, and the state made from them",
    imports: ["documents", "errors", "model", "transport"],
  },
  commands: {
    holds: "requests that change something",
    imports: ["api", "documents", "errors", "model", "transport"],
  },
  stream: {
    holds: "the socket that reconnects, applying frames, listeners",
    imports: ["clock", "documents", "errors", "log", "model", "transport"],
  },
  handles: {
    holds: "the objects that a user's program works with: nodes, scenes, programs, variables",
    imports: ["api", "commands", "errors", "model", "transport"],
  },
  home: {
    holds: "the home as one object",
    imports: ["api", "commands", "errors", "handles", "load", "log", "model", "stream", "transport"],
  },
  "open-session": {
    holds: "logs in",
    imports: ["api", "clock", "commands", "errors", "load", "log", "transport"],
  },
  "open-home": {
    holds: "logs in, loads, follows",
    imports: ["api", "clock", "home", "load", "log", "model", "open-session", "transport"],
  },
  index: { holds: "the exports", imports: ["api", "clock", "errors", "log", "model", "transport", "typed"] },
  node: { holds: "the entry for Node", imports: ["api", "index", "model", "open-home", "open-session", "transport"] },
  browser: {
    holds: "the entry for browsers",
    imports: ["api", "index", "model", "open-home", "open-session", "transport"],
  },
};

/** A table of ARCHITECTURE.md, as written between `<!-- modules:NAME -->` and `<!-- end -->`. */
function moduleTable(modules: Readonly<Record<string, Module>>): string {
  const rows = Object.entries(modules).map(([name, { holds, imports, absent }]) => {
    const path = name === "driver" ? "drivers/*.ts" : name;
    return `| \`${path}\` | ${holds} | ${imports.map((other) => (other === "driver" ? "drivers/*.ts" : other)).join(", ") || "–"} | ${absent ?? ""} |`;
  });
  return ["| Module | Holds | May import | Leaves out |", "|---|---|---|---|", ...rows].join("\n");
}

/** The text of ARCHITECTURE.md with its module tables as they follow from this file. */
export function withModuleTables(text: string): string {
  const tables = { service: SERVICE_MODULES, client: CLIENT_MODULES };
  return Object.entries(tables).reduce(
    (result, [name, modules]) =>
      result.replace(
        new RegExp(`(<!-- modules:${name} -->\\n)[\\s\\S]*?(\\n<!-- end -->)`),
        (_whole, begin: string, end: string) => `${begin}${moduleTable(modules)}${end}`,
      ),
    text,
  );
}
