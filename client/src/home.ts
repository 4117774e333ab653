/** A home that is loaded and followed. */

import type { Edits, Folder, Group, Home, Node, Radios, Register, Resource, StreamState } from "./api.ts";
import { createAccounts, createBackups } from "./commands/accounts.ts";
import { requirePortal } from "./commands/acknowledge.ts";
import { createAlerts } from "./commands/alerts.ts";
import { createEdits } from "./commands/edits.ts";
import { createGuests } from "./commands/guests.ts";
import { chart, isoOf, nodeEvents, past, trace, whyNode, whyProgram } from "./commands/history.ts";
import { createIntegrations } from "./commands/integrations.ts";
import { requestOf, uploadOf } from "./commands/json-request.ts";
import { createMatter } from "./commands/matter.ts";
import { createPersons } from "./commands/persons.ts";
import { createPlugins } from "./commands/plugins.ts";
import { createProposals } from "./commands/proposals.ts";
import { createRadios } from "./commands/radio-networks.ts";
import { createReplays } from "./commands/replays.ts";
import { query } from "./commands/tree.ts";
import { ClientError } from "./errors.ts";
import type { Keeper } from "./handles/keeper.ts";
import { createNode } from "./handles/node.ts";
import { ProgramRegister } from "./handles/program.ts";
import { HandleRegister } from "./handles/register.ts";
import { ResourceHandle } from "./handles/resource.ts";
import { FolderHandle, GroupHandle } from "./handles/scene.ts";
import { VariableRegister } from "./handles/variable.ts";
import { type Loaded, loadHome, loadVariables } from "./load/load-home.ts";
import type { ClientLog } from "./log.ts";
import type { Accounts, Backups } from "./model/accounts.ts";
import type { Alerts } from "./model/alerts.ts";
import type { EventKind, EventOf, HomeEvent } from "./model/events.ts";
import type { Guests } from "./model/guests.ts";
import type {
  ChartPoint,
  ChartQuery,
  NodeEvent,
  NodeEventsQuery,
  PastMoment,
  PastQuery,
  TraceEntry,
  TraceQuery,
  Why,
  WhyOptions,
} from "./model/history.ts";
import type { Integrations } from "./model/integrations.ts";
import type { Matter } from "./model/matter.ts";
import type { Persons } from "./model/persons.ts";
import { pathOf } from "./model/place.ts";
import type { Plugins } from "./model/plugins.ts";
import type { Proposals } from "./model/proposals.ts";
import type { ControllerConfig } from "./model/records.ts";
import type { Replays } from "./model/replays.ts";
import { snapshotOf } from "./model/snapshot.ts";
import type { HomeState } from "./model/state.ts";
import { applyFrame } from "./stream/apply-frame.ts";
import { EventStream, type StreamParts } from "./stream/event-stream.ts";
import { Feed } from "./stream/feed.ts";
import { Listeners } from "./stream/listeners.ts";
import type { Session } from "./transport/session.ts";

type LiveParts = {
  readonly session: Session;
  readonly config: ControllerConfig;
  readonly loaded: Loaded;
  readonly log: ClientLog;
  readonly keepsDocuments: boolean;
  /** Null: no stream is followed. */
  readonly stream: Pick<StreamParts, "transport" | "clock" | "surface"> | null;
};

const NOTHING_KEPT: ReadonlyMap<string, string> = new Map();

export class LiveHome implements Home {
  readonly config: ControllerConfig;
  readonly nodes: Register<Node>;
  readonly groups: Register<Group>;
  readonly folders: Register<Folder>;
  readonly programs: ProgramRegister;
  readonly variables: VariableRegister;
  readonly resources: Register<Resource>;
  readonly radios: Radios;
  readonly integrations: Integrations;
  readonly matter: Matter;
  readonly persons: Persons;
  readonly alerts: Alerts;
  readonly plugins: Plugins;
  readonly guests: Guests;
  readonly edits: Edits;
  readonly accounts: Accounts;
  readonly backups: Backups;
  readonly replays: Replays;
  readonly proposals: Proposals;
  readonly request: Home["request"];
  readonly upload: Home["upload"];
  readonly #parts: LiveParts;
  readonly #session: Session;
  readonly #listeners: Listeners;
  readonly #feed: Feed;
  readonly #stream: EventStream | null;
  readonly #registers: readonly { changed(): void }[];
  #loaded: Loaded;
  /** Groups by their members; built on demand. */
  #groupsOf: ReadonlyMap<string, readonly string[]> | null = null;
  #refreshing: Promise<void> = Promise.resolve();
  #queued: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.config = parts.config;
    this.#session = parts.session;
    this.#loaded = parts.loaded;
    this.#listeners = new Listeners(parts.log);
    this.#feed = this.#createFeed();
    this.#stream = parts.stream && this.#createStream(parts.stream);
    const keeper: Keeper = { state: () => this.#state, session: this.#session };
    const placed = <T>(what: string, of: () => ReadonlyMap<string, Placed>, make: (key: string) => T) =>
      new HandleRegister<T>({
        what,
        keys: () => of().keys(),
        size: () => of().size,
        has: (key) => of().has(key),
        named: () => Array.from(of().values(), (thing) => this.#nameOf(thing)),
        make,
      });
    const groupsOf = (address: string) => this.#groupsWith(address);
    const nodes = placed<Node>(
      "node",
      () => this.#state.nodes,
      (key) => createNode({ ...keeper, groupsOf }, key),
    );
    const groups = placed<Group>(
      "group",
      () => this.#state.groups,
      (key) => new GroupHandle(keeper, key),
    );
    const folders = placed<Folder>(
      "folder",
      () => this.#state.folders,
      (key) => new FolderHandle(keeper, key),
    );
    const resources = new HandleRegister<Resource>({
      what: "network resource",
      keys: () => this.#state.resources.keys(),
      size: () => this.#state.resources.size,
      has: (key) => this.#state.resources.has(key),
      named: () => Array.from(this.#state.resources.values(), ({ id, name }) => ({ key: id, name, path: name })),
      make: (key) => new ResourceHandle(keeper, key),
    });
    this.programs = new ProgramRegister(keeper);
    this.variables = new VariableRegister(keeper);
    this.#registers = [nodes, groups, folders, resources, this.programs, this.variables];
    this.nodes = nodes;
    this.groups = groups;
    this.folders = folders;
    this.resources = resources;
    this.radios = createRadios(this.#session);
    this.integrations = createIntegrations(this.#session);
    this.matter = createMatter(this.#session);
    this.persons = createPersons(this.#session);
    this.alerts = createAlerts(this.#session);
    this.plugins = createPlugins(this.#session);
    this.guests = createGuests(this.#session);
    this.edits = createEdits(this.#session);
    this.accounts = createAccounts(this.#session);
    this.backups = createBackups(this.#session);
    this.replays = createReplays(this.#session);
    this.proposals = createProposals(this.#session);
    this.request = requestOf(this.#session);
    this.upload = uploadOf(this.#session);
    this.#stream?.start();
  }

  get mode() {
    return this.#session.mode;
  }

  get name(): string {
    return this.#state.controllerName;
  }

  get profile() {
    return this.#state.profile;
  }

  get requests(): number {
    return this.#session.requests;
  }

  get problems(): readonly string[] {
    return this.#loaded.problems;
  }

  get documents(): ReadonlyMap<string, string> {
    return this.#parts.keepsDocuments ? this.#loaded.bodies : NOTHING_KEPT;
  }

  get stream(): StreamState {
    return { status: this.#stream?.status ?? "off", lastEventAtMs: this.#stream?.lastEventAtMs ?? null };
  }

  node(key: string): Node {
    return this.nodes.get(key);
  }

  group(key: string): Group {
    return this.groups.get(key);
  }

  program(key: string) {
    return this.programs.get(key);
  }

  variable(key: string) {
    return this.variables.get(key);
  }

  resource(key: string): Resource {
    return this.resources.get(key);
  }

  async at(time: Date | string): Promise<Home> {
    requirePortal(this.#session, "The home at a past time");
    const session = this.#session.at(isoOf(time));
    return new LiveHome({ ...this.#parts, session, loaded: await loadHome(session), stream: null });
  }

  past(query: PastQuery): Promise<PastMoment> {
    return past(this.#session, query);
  }

  async why(key: string, options: WhyOptions = {}): Promise<Why> {
    const node = this.nodes.find(key);
    const program = this.programs.find(key);
    if (node && program) {
      const both = `a node (${node.address}) and a program (${program.id})`;
      throw new ClientError("AMBIGUOUS", `"${key}" is ${both}. Name it by its address or id.`);
    }
    if (program) return whyProgram(this.#session, program.id, options);
    if (node) return whyNode(this.#session, node.address, options);
    throw new ClientError("NOT_FOUND", `There is no node or program "${key}".`);
  }

  trace(key: string, query: TraceQuery = {}): Promise<readonly TraceEntry[]> {
    return trace(this.#session, this.programs.get(key).id, query);
  }

  nodeEvents(key: string, query: NodeEventsQuery = {}): Promise<readonly NodeEvent[]> {
    return nodeEvents(this.#session, this.nodes.get(key).address, query);
  }

  chart(key: string, property: string, query: ChartQuery = {}): Promise<readonly ChartPoint[]> {
    return chart(this.#session, this.nodes.get(key).address, property, query);
  }

  on<K extends EventKind>(kind: K, listener: (event: EventOf<K>) => unknown): () => void {
    return this.#listeners.on(kind, listener);
  }

  events(): AsyncIterableIterator<HomeEvent> {
    const events = this.#listeners.events();
    if (this.#isClosed) void events.return?.();
    return events;
  }

  /** A call during a reload gets another reload after it, because the running one may have read older documents. */
  refresh(): Promise<void> {
    this.#queued ??= this.#refreshing
      .catch(() => {})
      .then(() => {
        this.#queued = null;
        this.#refreshing = this.#refresh();
        return this.#refreshing;
      });
    return this.#queued;
  }

  reconnect(): void {
    this.#stream?.retryNow();
  }

  query(): Promise<void> {
    return query(this.#session, null);
  }

  snapshot() {
    return snapshotOf(this.config, this.#state);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream?.stop();
    this.#listeners.end();
    if (this.mode === "portal") await this.#session.logout();
    this.#session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #state(): HomeState {
    return this.#loaded.state;
  }

  async #refresh(): Promise<void> {
    if (this.#isClosed) throw new ClientError("CLOSED", "The home was closed.");
    const recording = this.#feed.record();
    try {
      const loaded = await loadHome(this.#session);
      for (const frame of recording.stop()) applyFrame(loaded.state, frame);
      this.#loaded = loaded;
      this.#changed();
    } finally {
      recording.stop();
    }
  }

  #changed(): void {
    this.#groupsOf = null;
    for (const register of this.#registers) register.changed();
  }

  #createFeed(): Feed {
    return new Feed({
      state: () => this.#state,
      tell: (event) => this.#tell(event),
      readVariables: (type) => loadVariables(this.#session, this.#state, type),
      isReplaying: () => this.#stream?.status === "syncing",
      onReplayed: () => this.#stream?.synced(),
      onHeartbeat: (nextS) => this.#stream?.heartbeat(nextS),
      log: this.#parts.log,
    });
  }

  #createStream(stream: NonNullable<LiveParts["stream"]>): EventStream {
    return new EventStream({
      ...stream,
      session: this.#session,
      log: this.#parts.log,
      onMessage: (text) => this.#feed.take(text),
      onStatus: (status, isAgain) => this.#tell({ kind: "stream", status, isAgain }),
    });
  }

  #tell(event: HomeEvent): void {
    if (event.kind === "variables") this.variables.changed();
    this.#listeners.tell(event);
  }

  #nameOf({ address, name, parent }: Placed) {
    return { key: address, name, path: pathOf(this.#state, { address, name, parent }) };
  }

  #groupsWith(address: string): readonly Group[] {
    this.#groupsOf ??= groupsByMember(this.#state);
    return (this.#groupsOf.get(address) ?? []).map((key) => this.groups.get(key));
  }
}

function groupsByMember({ groups }: HomeState): ReadonlyMap<string, readonly string[]> {
  const byMember = new Map<string, string[]>();
  for (const { address, members } of groups.values()) {
    for (const member of members) {
      const known = byMember.get(member);
      if (known) known.push(address);
      else byMember.set(member, [address]);
    }
  }
  return byMember;
}

type Placed = { readonly address: string; readonly name: string; readonly parent: string | null };
