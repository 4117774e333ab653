/** The types of the library: a home, and handles on its contents. A handle always shows the latest state. */

import type { Clock } from "./clock.ts";
import type { ClientLog } from "./log.ts";
import type { Accounts, Backups } from "./model/accounts.ts";
import type { Alerts } from "./model/alerts.ts";
import type {
  ControllerLinks,
  EditDetail,
  Edited,
  EditSummary,
  FolderContents,
  HistoryQuery,
  MeaningEdited,
  MemberLevel,
  NewMember,
  NewResource,
  Place,
  PlaceChange,
  Replacement,
  ReplaceOptions,
  ResourceTest,
  StoredResource,
  Use,
  UsedKind,
} from "./model/edit-records.ts";
import type { EventKind, EventOf, HomeEvent, StreamStatus } from "./model/events.ts";
import type { Finding } from "./model/finding.ts";
import type { Guests } from "./model/guests.ts";
import type { PastQuestions, TraceEntry, TraceQuery } from "./model/history.ts";
import type { IntegrationOperation, Integrations } from "./model/integrations.ts";
import type { Matter } from "./model/matter.ts";
import type { Persons } from "./model/persons.ts";
import type { Plugins } from "./model/plugins.ts";
import type { Nodedef, Profile } from "./model/profile.ts";
import type { Proposals } from "./model/proposals.ts";
import type { NewProvisioned, ProvisionedDevice, Radio, RadioDevice, RadioState } from "./model/radio-network.ts";
import type {
  ControllerConfig,
  DevType,
  FolderRecord,
  GroupRecord,
  NodeRecord,
  NodeUse,
  ProgramRecord,
  Property,
  ResourceRecord,
  TriggerTree,
  VariableRecord,
  VariableType,
} from "./model/records.ts";
import type { Replays } from "./model/replays.ts";
import type { KnownParameter } from "./model/routes.ts";
import type {
  AnyHome,
  AnyNode,
  CommandMethods,
  CommandOf,
  HomeShape,
  LabelOf,
  NodeKey,
  NodeShape,
  PropertyOf,
} from "./model/shape.ts";
import type { HomeSnapshot } from "./model/snapshot.ts";
import type { TokenStore } from "./model/token-store.ts";

/** `portal`: tokens, the whole interface. `local`: basic authentication, `/rest` only. */
export type Mode = "portal" | "local";

export type ConnectOptions = {
  /** Scheme, host and port: `https://controller.home.arpa:9443`. */
  readonly url: string;
  /** Default `portal`. */
  readonly mode?: Mode;
  /** An e-mail address in portal mode, the local account in local mode. Default: none, a login of `tokenStore` goes on. */
  readonly user?: string;
  readonly password?: string;
  /** Portal mode: called when the account has a second factor; returns its six digits, or a recovery code. Default: the login fails. */
  readonly secondFactor?: () => Promise<string>;
  /** Portal mode: the token of a guest link, or an access token until it ends, in place of user and password. */
  readonly token?: string;
  /** Portal mode: keeps the login beyond this program's life. Default: it ends with `close()`. */
  readonly tokenStore?: TokenStore;
  /** Requests of an assistant: returns the name of its tool. @see docs/interface/assistant.md */
  readonly assistant?: () => string;
  /** With `tokenStore`: `close()` leaves the login for the next program. Default false: it ends the login. */
  readonly keepLogin?: boolean;
  /** The event stream to follow. Default `rest` in Node, `api` in browsers; `off`: none, see `refresh()`. */
  readonly stream?: "rest" | "api" | "off";
  /** Timeout of a request, answer included. Default 30,000. */
  readonly deadlineMs?: number;
  /** Keeps the bodies of the documents that were loaded, by path, in `home.documents`. */
  readonly keepDocuments?: boolean;
  readonly log?: ClientLog;
  readonly clock?: Clock;
};

/** Common to a home and a login. */
type Administration = AsyncDisposable & {
  readonly integrations: Integrations;
  readonly matter: Matter;
  readonly persons: Persons;
  readonly alerts: Alerts;
  readonly plugins: Plugins;
  /** Portal mode, owners; so are the next ones. */
  readonly guests: Guests;
  readonly edits: Edits;
  readonly accounts: Accounts;
  readonly backups: Backups;
  readonly replays: Replays;
  readonly proposals: Proposals;
};

export type Home<S extends HomeShape = AnyHome> = Administration &
  PastQuestions & {
    readonly mode: Mode;
    readonly config: ControllerConfig;
    /** The controller's name; empty when it has none. */
    readonly name: string;
    readonly nodes: Register<Node>;
    readonly groups: Register<Group>;
    readonly folders: Register<Folder>;
    readonly programs: Programs;
    readonly variables: Variables;
    readonly resources: Register<Resource>;
    readonly radios: Radios;
    readonly profile: Profile;
    readonly stream: StreamState;
    /** Requests that were sent, logins and retries included. */
    readonly requests: number;
    /** Problems with optional documents in the last load. */
    readonly problems: readonly string[];
    /** Bodies by path, when they are kept. */
    readonly documents: ReadonlyMap<string, string>;

    /** By name, path or address. @throws ClientError `NOT_FOUND`, `AMBIGUOUS` */
    node<K extends NodeKey<S>>(key: K): Node<S["nodes"][K]>;
    group(key: S["groups"]): Group;
    /** By name, path or id. */
    program(key: S["programs"]): Program;
    /** By name or `<type>.<id>`. */
    variable(key: S["variables"]): Variable;
    /** By name or id. */
    resource(key: S["resources"]): Resource;

    /**
     * The home as it was. Nothing can be sent to it, and it does not change. Portal mode; only Domovoi has it.
     * @throws ClientError `HTTP_STATUS` before the journal begins, and in the future
     */
    at(time: Date | string): Promise<Home>;
    /** The trace of a program, newest first. Portal mode. @param key by name, path or id */
    trace(key: S["programs"], query?: TraceQuery): Promise<readonly TraceEntry[]>;

    /** Calls back after every event of this kind; what a listener throws or rejects with is logged. @returns what ends it. */
    on<K extends EventKind>(kind: K, listener: (event: EventOf<K>) => unknown): () => void;
    /** Every event from now on, until the loop is left or the home is closed. */
    events(): AsyncIterableIterator<HomeEvent>;
    /** Loads everything but the configuration again; handles stay good. */
    refresh(): Promise<void>;
    /** Opens a lost event stream now instead of at its next try: the network is back, or the token store has another login. */
    reconnect(): void;
    /** Asks every device for its state. */
    query(): Promise<void>;
    /** Requests and files for paths of the JSON surface without a method here; as in `ControllerSession`. Portal mode. */
    readonly request: ControllerSession["request"];
    readonly upload: ControllerSession["upload"];
    /** All that was loaded, as plain data in a fixed order. */
    snapshot(): HomeSnapshot;
    /** Closes the stream, then logs out. Never throws. */
    close(): Promise<void>;
  };

/** A login without a home. @see docs/interface/README.md for the paths */
export type ControllerSession = Administration & {
  readonly mode: Mode;
  readonly config: ControllerConfig;
  /**
   * A request of the JSON surface, for paths without a method here. A 401 logs in again, once.
   * @param path with its query, quoted
   * @returns the whole answer, unchecked: `data` and all other members
   * @throws ClientError
   */
  request(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** A document of either surface, as it came. @throws ClientError */
  document(path: string): Promise<string>;
  /**
   * A file in pieces, as they come; the deadline holds for each piece.
   * @throws ClientError also from the iteration, when it is cut off
   */
  download(path: string): Promise<AsyncIterable<Uint8Array>>;
  /**
   * An operation of `/services`, which older controllers have beside `/rest`: the answer, as it came.
   * @param content elements of the operation, in XML; left out: none.
   * @throws ClientError; also where the controller has no such operation
   */
  service(operation: string, content?: string): Promise<string>;
  /**
   * Sends a file, and gives the whole answer as `request` does.
   * @throws ClientError
   */
  upload(
    method: "PUT" | "POST",
    path: string,
    file: Uint8Array<ArrayBuffer>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Logs out. Never throws. */
  close(): Promise<void>;
};

/** What it says about what it will send. */
export type SavedResource = Edited & {
  /** False: requests to its target are refused until the owner allows it. */
  readonly allowed: boolean;
  /** Values in its texts that name nothing of the home. */
  readonly unknownValues: readonly string[];
};

/**
 * Edits of the home, in portal mode, for owners; only Domovoi has all of them. Each resolves when it is on disk, and can be taken
 * back by its number. Things are named by address; `refresh()` brings them into the home.
 */
export type Edits = {
  createFolder(name: string, parent?: string): Promise<Edited>;
  /** Without members. */
  createScene(name: string, folder?: string): Promise<Edited>;
  /** @param folder null: the top of the tree */
  move(address: string, folder: string | null): Promise<MeaningEdited>;
  disable(address: string, reason?: string): Promise<Edited>;
  /** What a contact, switch or outlet is used for; programs by room and role find it by that. @param use null: not said */
  setUse(address: string, use: NodeUse | null): Promise<MeaningEdited>;
  /** A node goes with its device, a scene without its members. @param options for folders; default `refuse` */
  remove(address: string, options?: { readonly contents?: FolderContents }): Promise<Edited>;
  /** A node that was removed while its device is still there. */
  addAgain(address: string): Promise<Edited>;
  /**
   * Another device takes name, folder, scenes and programs; with `programsOnly` only the place in programs.
   * @param options force: also where it cannot do everything
   */
  replace(old: string, by: string, options?: ReplaceOptions): Promise<Replacement>;
  /** Also gives a member another role or level. */
  addMember(scene: string, node: string, member?: MemberLevel & { readonly isController?: boolean }): Promise<Edited>;
  /** Several members, as one edit. */
  addMembers(scene: string, members: readonly NewMember[]): Promise<Edited>;
  removeMember(scene: string, node: string): Promise<Edited>;
  /** @param target controller: for one controller of the scene instead of for commands to it */
  setLevel(scene: string, node: string, target: MemberLevel & { readonly controller?: string }): Promise<Edited>;
  /** The links of every controller of a scene to every member; the block of the scene itself is the last. */
  links(scene: string): Promise<readonly ControllerLinks[]>;
  /** The members keep the levels that they have now. @returns those that have none */
  capture(scene: string): Promise<readonly string[]>;
  /** Writes again the links that devices did not take. */
  writeLinks(scene: string): Promise<void>;
  /** Turns the scene on. */
  test(scene: string): Promise<void>;
  place(): Promise<Place>;
  setPlace(change: PlaceChange): Promise<Place>;
  /** Without what may be secret. */
  resource(id: string): Promise<StoredResource>;
  /** @returns with its id in `address` */
  createResource(resource: NewResource): Promise<SavedResource>;
  changeResource(id: string, change: Partial<NewResource>): Promise<Edited>;
  removeResource(id: string): Promise<Edited>;
  /** Targets that the owner allows beyond the default. */
  resourceTargets(): Promise<readonly string[]>;
  setResourceTargets(targets: readonly string[]): Promise<readonly string[]>;
  /** Fires it and waits for the end. */
  testResource(id: string): Promise<ResourceTest>;
  /** @param key an address, the id of a program in hex, `2/7` of a variable */
  uses(kind: UsedKind, key: string): Promise<readonly Use[]>;
  /** The newest first. */
  history(query?: HistoryQuery): Promise<readonly EditSummary[]>;
  edit(edit: number): Promise<EditDetail>;
  /** @param edit absent: the latest that is not undone. @returns the edit that undid it */
  undo(edit?: number): Promise<EditSummary>;
};

/** Things of one kind. */
export type Register<T> = Iterable<T> & {
  readonly size: number;
  /** @throws ClientError `NOT_FOUND`, or `AMBIGUOUS` when a name fits several */
  get(key: string): T;
  /** Null where `get` throws `NOT_FOUND`. */
  find(key: string): T | null;
};

export type Node<N extends NodeShape = AnyNode> = OwnNode<N> & CommandMethods<N, OwnNode<N>>;

type OwnNode<N extends NodeShape> = NodeFacts & {
  /** Folder names down to it, and its own, joined by slashes. */
  readonly path: string;
  /** Null when neither the profile nor the radio knows it. */
  readonly nodedef: Nodedef | null;
  readonly groups: readonly Group[];
  /**
   * The displayed value, raw / 10^precision; null without a value. A byte is shown in percent when the editor is in
   * percent, as `send` takes it.
   */
  value(id: PropertyOf<N>): number | null;
  /** The value in words: the editor's label, else the controller's text. */
  label<P extends PropertyOf<N>>(id: P): LabelOf<N["properties"][P]> | null;
  /**
   * Values in displayed units, or labels of choices. They are checked against the nodedef before anything is sent.
   * Resolves when the device has taken it; the new value comes as an event.
   * @throws ClientError `COMMAND_NOT_ACCEPTED`, `BAD_PARAMETER`, and what the controller refuses
   */
  send<C extends CommandOf<N>>(command: C, ...values: N["commands"][C]): Promise<void>;
  query(): Promise<void>;
  rename(name: string): Promise<void>;
  enable(): Promise<void>;
  disable(): Promise<void>;
  /** The possible actions at a simulated device. @throws ClientError `REFUSED` for the node of a real device */
  actions(): Promise<readonly string[]>;
  /**
   * Does what a person at a simulated device does: in a demo, a twin, or a simulated radio. Portal mode only.
   * @param value for actions that take one
   * @throws ClientError `REFUSED` for the node of a real device
   */
  act(action: string, value?: number): Promise<void>;
  /** Configuration parameters that its device is known to have; it may have others. Portal mode only. */
  parameters(): Promise<readonly KnownParameter[]>;
  /** Raw. Portal mode only. */
  readParameter(number: number): Promise<{ readonly size: number; readonly value: number }>;
  /** @param value raw, of a parameter that its device is known to have. Portal mode only. */
  writeParameter(number: number, value: number): Promise<void>;
  /** Configuration and lock codes of radio devices; null for others. */
  readonly radio: Radio | null;
};

type NodeFacts = Readonly<Omit<NodeRecord, "properties" | "devtype">> & {
  readonly properties: ReadonlyMap<string, Property>;
  readonly devtype: DevType | null;
};

export type Group = Readonly<GroupRecord> & {
  readonly path: string;
  /** A counted member is on: those that the scene switches on, or all with a state while its links are unknown. */
  readonly anyOn: boolean;
  /** Every counted member is on; false without any. */
  readonly allOn: boolean;
  /** How many of the counted members are on. */
  readonly membersOn: { readonly on: number; readonly counted: number };
  readonly hasStateTarget: boolean;
  readonly hasDimmableMembers: boolean;
  /** `DON` (level 0–100, optional), `DOF`, `DFON`, `DFOF`, `BRT`, `DIM` … Levels are clamped; nothing else is checked. */
  send(command: string, ...values: readonly number[]): Promise<void>;
  rename(name: string): Promise<void>;
};

export type Folder = FolderRecord & { readonly path: string; rename(name: string): Promise<void> };

export const PROGRAM_COMMANDS = [
  ...(["run", "runIf", "runThen", "runElse", "stop"] as const),
  ...(["enable", "disable", "enableRunAtStartup", "disableRunAtStartup"] as const),
] as const;
export type ProgramCommand = (typeof PROGRAM_COMMANDS)[number];

/** The nine commands, and what portal mode can do besides. Each resolves when the controller has taken it. */
export type Program = Readonly<ProgramRecord> & { readonly [C in ProgramCommand]: () => Promise<void> } & {
  command(command: ProgramCommand): Promise<void>;
  /** The syntax tree. Portal mode. */
  tree(): Promise<TriggerTree>;
  /** The text form. Portal mode. */
  text(): Promise<string>;
  /** Writes members. @param changes with `version`: refused when the program is another one by now. Portal mode. */
  update(changes: ProgramChanges): Promise<void>;
  remove(): Promise<void>;
};

export type ProgramChanges = {
  readonly name?: string;
  readonly parentId?: string;
  readonly enabled?: boolean;
  readonly runAtStartup?: boolean;
  readonly comment?: string;
  readonly if?: readonly unknown[];
  readonly version?: number;
};

/** The stored program, and the findings of verification. */
export type WrittenTree = { readonly tree: TriggerTree; readonly findings: readonly Finding[] };

export type AppliedText = {
  /** Null in a dry run of a program that would be new. */
  readonly id: string | null;
  readonly text: string;
  /** The text of the program that was replaced; null when it is a new one. */
  readonly before: string | null;
  readonly findings: readonly Finding[];
};

export type NewFolder = { readonly name: string; readonly parentId?: string; readonly if?: readonly unknown[] };

/** Finding and running works in both modes, the rest needs portal mode. */
export type Programs = Register<Program> & {
  /** The trees that came with the load; empty in local mode. */
  readonly trees: readonly TriggerTree[];
  /** @returns its id */
  addFolder(folder: NewFolder): Promise<string>;
  /** Makes a program from a tree without `id`. */
  addTree(tree: object): Promise<WrittenTree>;
  /** Replaces the program `tree.id`. */
  replaceTree(tree: object): Promise<WrittenTree>;
  /** Makes or replaces the program that the text names. */
  applyText(text: string, options?: { readonly dryRun?: boolean }): Promise<AppliedText>;
  /** @param what default: all programs */
  verify(what?: { readonly ids?: readonly string[]; readonly text?: string }): Promise<readonly Finding[]>;
};

export type Variable = Readonly<Omit<VariableRecord, "value" | "init">> & {
  /** Displayed: raw / 10^prec. */
  readonly value: number;
  readonly init: number;
  readonly raw: number;
  readonly rawInit: number;
  /** The name of its value; null when it has none. */
  readonly valueName: string | null;
  /** @param value displayed, rounded to the precision; or the name of a value, in portal mode */
  set(value: number | string): Promise<void>;
  setInit(value: number): Promise<void>;
  /** Portal mode, as the next three. */
  rename(name: string): Promise<void>;
  /** Replaces all names of values. @param names by raw value: `{"0": "Home", "1": "Away"}` */
  nameValues(names: Readonly<Record<string, string>>): Promise<void>;
  setPrecision(prec: number): Promise<void>;
  remove(): Promise<void>;
};

export type Variables = Register<Variable> & {
  /** Makes one with the value 0. @param init displayed, 0 by default. @returns its key, `<type>.<id>`. Portal mode. */
  create(type: VariableType, name: string, prec?: number, init?: number): Promise<string>;
};

export type Resource = ResourceRecord & {
  /** Resolves when the controller has accepted it; its outcome comes with the stream. */
  fire(): Promise<void>;
};

/** Radio networks, in portal mode; only Domovoi has them. */
export type Radios = {
  list(): Promise<readonly RadioState[]>;
  /** The network of this name; it is not looked whether there is one. */
  network(name: string): RadioNetwork;
};

/**
 * An adapter with its devices. Devices are named by the address of their first node. Its operations are those of the
 * integration of the same name; two of them take a file and begin here.
 */
export type RadioNetwork = {
  readonly name: string;
  state(): Promise<RadioState>;
  devices(): Promise<readonly RadioDevice[]>;
  health(address: string): Promise<RadioDevice>;
  /** Pings the device, then returns its state. */
  ping(address: string): Promise<RadioDevice>;
  /** @param fileName by its ending the kind of the file is known */
  updateFirmware(address: string, file: Uint8Array<ArrayBuffer>, fileName: string): Promise<IntegrationOperation>;
  /** The content of the latest `backup`, in pieces. */
  memory(): Promise<AsyncIterable<Uint8Array>>;
  /** @param homeId of the network that the adapter has now, and is to forget */
  restoreMemory(file: Uint8Array<ArrayBuffer>, homeId: string): Promise<IntegrationOperation>;
  provisioned(): Promise<readonly ProvisionedDevice[]>;
  /** Adds a device that may join by itself, or changes the one with this key. */
  provision(device: NewProvisioned): Promise<ProvisionedDevice>;
  unprovision(dsk: string): Promise<void>;
  /** One document for a bug report, without secrets. */
  diagnostics(options?: { readonly names?: boolean }): Promise<Readonly<Record<string, unknown>>>;
};

export type StreamState = {
  readonly status: StreamStatus;
  /** When the last frame came, milliseconds since 1970; null before the first. */
  readonly lastEventAtMs: number | null;
};
