/**
 * The composition root: builds the controller, wires it, starts it, stops it. Read this first.
 * Everything that touches the world (clock, randomness, log, directory) comes in as an argument.
 */

import { hostname } from "node:os";
import { join } from "node:path";
import { createAuth } from "./auth/create-auth.ts";
import { ensureFirstAccounts, type FirstAccounts, type GeneratedCredentials } from "./auth/first-accounts.ts";
import { createCommandQueue } from "./commands/command-queue.ts";
import { replaceUnknownZone } from "./commands/edit-place.ts";
import { type StatementPorts, sendStatement } from "./commands/perform-statement.ts";
import type { CommandPorts } from "./commands/ports.ts";
import { SceneControllers } from "./commands/scene-controllers.ts";
import type { Config } from "./config.ts";
import { isAtDefaultPlace, newController } from "./demo/new-controller.ts";
import { seedHome } from "./demo/seed-home.ts";
import { type PluginTypeOptions, pluginRoot } from "./drivers/plugin/integration-type.ts";
import { pluginFolders } from "./drivers/plugin/plugin-folders.ts";
import { DriverRegistry } from "./drivers/registry.ts";
import type { ServiceState } from "./drivers/service.ts";
import { badValue, ControllerError } from "./errors.ts";
import { HistoryWords } from "./history/history-words.ts";
import type { Past } from "./history/past.ts";
import { traceLine } from "./history/trace-words.ts";
import { ChangeFeed } from "./home/change-feed.ts";
import type { Home } from "./home/home.ts";
import { LimitedHomes } from "./home/limited-home.ts";
import { ROOT_PROGRAM_ID } from "./home/programs.ts";
import { type Announcement, announce, announcedHosts } from "./http/announcement.ts";
import { Documents } from "./http/documents.ts";
import { openListener, type RunningServer } from "./http/open-listener.ts";
import { makeDocuments } from "./http/own-documents.ts";
import { openPage } from "./http/page/page.ts";
import { createPluginAuthority, keysOfSession } from "./http/plugin-authority.ts";
import { createRequestLimits } from "./http/request/request-limits.ts";
import { routes } from "./http/routes.ts";
import { ServedCertificate, type ShownCertificate } from "./http/served-certificate.ts";
import type { Services } from "./http/services.ts";
import { ProgramKeys } from "./http/soap/program-keys.ts";
import { prepareIntegrations } from "./integration-types.ts";
import type { Integrations } from "./integrations/integrations.ts";
import { ClockSyncReader, type ReadClockSync } from "./monitoring/clock-sync.ts";
import { DiskSpaceReader } from "./monitoring/disk-space.ts";
import { Health } from "./monitoring/health.ts";
import type { Metrics } from "./monitoring/metrics.ts";
import { RecentLog } from "./monitoring/recent-log.ts";
import { supportReport } from "./monitoring/report.ts";
import { HealthWatch } from "./monitoring/watch.ts";
import { type AlarmLog, createAlarmLog } from "./notifications/alarm-log.ts";
import { Notifier } from "./notifications/notifier.ts";
import { endUnusedPushChannels, pushKeyOf } from "./notifications/push-channel.ts";
import { declareBuiltinProfile } from "./profile/builtin/builtin.ts";
import { Profile } from "./profile/profile.ts";
import { type ProgramPort, ProgramRunner } from "./programs/runner.ts";
import { ProgramTrace } from "./programs/trace/program-trace.ts";
import { turnedPrograms } from "./programs/turned-states.ts";
import { StoredReplays } from "./replays/stored-replays.ts";
import { openStore } from "./store/open-store.ts";
import type { Claim } from "./store/postgres/claim.ts";
import type { Store } from "./store/store.ts";
import type { NumberedHome } from "./store/stored-home.ts";
import { createStreams, type Streams } from "./stream/streams.ts";
import { createHomeCopies } from "./twin/home-copies.ts";
import type { Clock } from "./util/clock.ts";
import type { Log } from "./util/log.ts";
import { parseTargets } from "./util/network-target.ts";
import type { Randomness } from "./util/randomness.ts";
import { XML_PROLOG } from "./util/xml.ts";
import { checkZone } from "./util/zone.ts";
import { productVersion } from "./version.ts";
import { ReceivedDocuments } from "./wire/spelling/received-documents.ts";

/** Where `npm run build -w web` puts the page. */
const PAGE_DIRECTORY = join(import.meta.dirname, "../web/dist");

type World = {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly firstAccounts: FirstAccounts;
  /** Differs after every boot of the machine; null where that is not known. Default: the machine's. */
  readonly bootId?: string | null;
  /** Default: unknown. */
  readonly readClockSync?: ReadClockSync;
  /** A twin that follows its original: programs run there and not here. */
  readonly isMirror?: boolean;
  /** Stops the controller and starts it again. Left out: it cannot. */
  readonly restart?: () => void;
  /** That this machine writes the home, which a standby has before it starts. */
  readonly claim?: Claim;
  /** Another machine writes the home now: this process must end without another effect. */
  readonly onLost?: () => void;
};

export type Controller = {
  readonly portalUrl: string;
  readonly localUrl: string;
  /** null unless the listener without TLS is on. */
  readonly plainUrl: string | null;
  /** The CA certificate that signed the listeners' certificate, PEM; clients may trust it. */
  readonly caCertificate: string;
  /** Generated credentials of a new data directory, to be shown once; null when nothing was generated. */
  readonly generatedCredentials: GeneratedCredentials | null;
  /** For tests and embedding: the inside of the controller. */
  readonly services: Services;
  /** Settles when the radios, which start behind open doors, are up or have failed for the first time. Never rejects. */
  readonly radiosStarted: Promise<void>;
  /** Reads the owner's certificate again. */
  reloadCertificate(): Promise<void>;
  /** Ends cleanly: no new requests, drivers settled, everything on disk. */
  stop(): Promise<void>;
};

/** @throws ControllerError with a sentence for the person who starts it: port in use, directory not writable, bad setting. */
export async function startController(config: Config, world: World): Promise<Controller> {
  const recentLog = new RecentLog(world.clock, config.recentLogLinesMax);
  const log = createAlarmLog(recentLog.over(world.log));
  const { bootId, claim, onLost, clock } = world;
  const given = { ...(bootId !== undefined && { bootId }), ...(claim && { claim }), ...(onLost && { onLost }) };
  const store = await openStore({ dir: config.data, config, clock, log, ...given });
  try {
    checkSettings(config);
    const controller = await buildController(config, { ...world, log, recentLog }, store);
    // Only after the start succeeded: a refused start logs its reason and nothing else.
    if (store.takenOverFrom !== null)
      controller.services.notifier.alarm(`${store.status().writer} took over the home from ${store.takenOverFrom}.`);
    if (isAtDefaultPlace(controller.services.home.controller)) log.info(DEFAULT_PLACE);
    return controller;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const DEFAULT_PLACE =
  "The home still has the default place, so sunrise and sunset are those of Berlin. " +
  "Set it with: domovoi place --latitude N --longitude N --zone NAME";

/** @throws ControllerError BAD_VALUE for a wrong zone, also where the home has its own, for a misspelt target, and for an unknown `basicFrom`. */
function checkSettings({ timeZone, networkTargets, basicFrom }: Config): void {
  if (timeZone !== "") checkZone(timeZone);
  parseTargets(networkTargets);
  if (!["auto", "home-network", "anywhere"].includes(basicFrom))
    throw badValue("The setting basicFrom is auto, home-network or anywhere.");
}

async function buildController(
  config: Config,
  world: World & { readonly log: AlarmLog; readonly recentLog: RecentLog },
  store: Store,
): Promise<Controller> {
  const { clock, randomness, log, firstAccounts } = world;
  const { home, lastSeq } = store.loadHome() ?? (await makeHome(config, store, randomness));
  const feed = new ChangeFeed(home, clock, lastSeq);
  feed.record(store.record);
  replaceUnknownZone({ home, feed, log });
  const { profile, received } = await openProfile(store);
  const drivers = new DriverRegistry(clock, log, config, store.mayAct);
  const queue = createCommandQueue({ config, clock });
  const known = { config, home, profile, drivers, durability: store, clock, log };
  const notifier = new Notifier({ ...known, storeOf: store.driverStore });
  log.onError((message) => notifier.alarm(message));
  const ports: StatementPorts = { ...known, feed, queue, notifier, randomness };
  const programs = new ProgramRunner({ ...ports, send: (action, cause) => sendStatement(ports, action, cause) });
  const commands: CommandPorts = { ...ports, programs: world.isMirror ? RUN_ELSEWHERE : programs };
  const parts = { ...commands, accounts: store.accounts, views: new LimitedHomes(home, config.limitedViewsMax) };
  const authority = createPluginAuthority(parts);
  const brokerKeys = (sessionId: string) => keysOfSession(config, { integrations, authority }, sessionId);
  const auth = createAuth({ ...parts, uuid: home.controller.uuid, brokerKeys });
  const servers = new Map<string, RunningServer>();
  const certificate = new ServedCertificate({ ...parts, announcedHosts: announcedHosts(commands) }, servers);
  const given = integrationParts(auth, certificate, config, servers);
  const integrations = await prepareIntegrations(commands, store, received !== null, { authority, ...given });
  const streams = createStreams({ config, home, feed, profile, auth, clock, log });
  const trace = new ProgramTrace(store.trace);
  connectPrograms(programs, { ...ports, store, streams, trace });
  drivers.onState((name, state) => streams.say(() => integrationLine(home, name, state), clock.now()));
  const watched = { ...commands, notifier, store, integrations, programs, servers, streams, auth, world, certificate };
  const services: Services = {
    ...commands,
    ...(await startMonitoring(watched)),
    auth,
    certificate,
    integrations,
    notifier,
    pushKey: () => pushKeyOf(store.accounts),
    pluginFolders: pluginFolders(pluginRoot(config.data), config),
    documents: new Documents(received),
    page: openPage(PAGE_DIRECTORY),
    trace,
    past: pastOf(store, trace, queue),
    backups: store.backups,
    replays: new StoredReplays({ ...commands, saved: () => allSaved(store, feed) }),
    homeCopies: createHomeCopies({
      ...parts,
      newController: () => newController(config, randomness),
      restart: (!world.isMirror && world.restart) || null,
    }),
    history: store.history,
    floorPlan: store.driverStore("floor-plan"),
    turned: turnedPrograms(home, store.driverStore("turned-states")),
    subscribers: () => streams.subscribers(),
    endSubscriber: (accountId, sid) => streams.endSubscriber(accountId, sid),
    logBegins: new Map(),
    programKeys: new ProgramKeys(),
    debugLevels: new Map(),
    productVersion,
  };
  await startDrivers(watched);
  // The root folder is seeded last: a first start that was cut short is taken up again.
  if (!home.programs.has(ROOT_PROGRAM_ID)) await seedHome(commands, config);
  await certificate.current();
  if (!world.isMirror) startActing(programs, commands, store.warmStart);
  if (received) await makeDocuments(services, received.names());
  return startListeners({ config, services, streams, store, drivers, programs, firstAccounts, servers });
}

async function startDrivers({ drivers, programs, auth, integrations, notifier, log }: Watched): Promise<void> {
  await drivers.start(() => programs.watch());
  notifier.start();
  endUnusedPushChannels({ auth, integrations, log });
}

/** From here on reports start programs and scenes. */
function startActing(programs: ProgramRunner, commands: CommandPorts, isWarm: boolean): void {
  programs.start(!isWarm);
  new SceneControllers(commands).start();
}

type Watched = Omit<CommandPorts, "programs" | "notifier"> & {
  readonly notifier: Notifier;
  readonly store: Store;
  readonly integrations: Integrations;
  readonly programs: ProgramRunner;
  readonly servers: ReadonlyMap<string, RunningServer>;
  readonly streams: Streams;
  readonly auth: Services["auth"];
  readonly certificate: ServedCertificate;
  readonly world: Pick<World, "readClockSync"> & { readonly recentLog: RecentLog };
};

async function startMonitoring(watched: Watched): Promise<Pick<Services, "health" | "metrics" | "report">> {
  const { config, clock, store, auth, streams } = watched;
  const { recentLog, readClockSync = async () => null } = watched.world;
  const { backups } = store;
  const disk = new DiskSpaceReader(config.data, clock);
  const health = new Health({
    ...watched,
    disk,
    backups,
    clockSync: new ClockSyncReader(readClockSync, clock),
    memoryBytes: () => process.memoryUsage.rss(),
    isWriting: () => !store.writing().isFailing,
    storeStatus: () => store.status(),
  });
  const subscribers = () => streams.subscribers();
  const accounts = () => [...auth.accounts.list(), ...auth.guests.list().map(({ role }) => ({ kind: "guest", role }))];
  const metrics = await openMetrics({ ...watched, health, disk, subscribers });
  const report = () => supportReport({ ...watched, recentLog, health, metrics, disk, backups, subscribers, accounts });
  return { health, metrics, report };
}

async function openMetrics(
  watched: Watched & Pick<Services, "health" | "subscribers"> & { readonly disk: DiskSpaceReader },
): Promise<Metrics | null> {
  const { config, store, servers } = watched;
  if (config.metricsTokenFile === "") return null;
  const { createMetrics } = await import("./monitoring/metrics.ts");
  return createMetrics({
    ...watched,
    tokenFile: config.metricsTokenFile,
    backups: store.backups,
    connections: () => Object.fromEntries(Array.from(servers, ([name, server]) => [name, server.connections()])),
    backlog: () => store.writing().backlogEntries,
    storeStatus: () => store.status(),
  });
}

/** URL of the listener that takes the accounts of plugins; null while it is closed. */
function pluginUrl({ portalBasic }: Config, servers: ReadonlyMap<string, RunningServer>): string | null {
  return servers.get(portalBasic ? "portal" : "local")?.url ?? null;
}

/** How other machines reach the portal; null while it is closed. */
function ownPortalUrl(config: Config, servers: ReadonlyMap<string, RunningServer>): string | null {
  const url = servers.get("portal")?.url;
  return url === undefined ? null : reachableUrl(url, config);
}

type IntegrationParts = Pick<PluginTypeOptions, "listenerAuthority" | "mayWatch" | "accounts" | "url"> &
  Pick<Parameters<typeof prepareIntegrations>[3], "devices" | "byName" | "portalUrl">;

function integrationParts(
  auth: Services["auth"],
  certificate: ServedCertificate,
  config: Config,
  servers: ReadonlyMap<string, RunningServer>,
): IntegrationParts {
  return {
    listenerAuthority: async () => (await certificate.current()).ca,
    mayWatch: (sessionId) => auth.sessionAllows(sessionId, "administer"),
    accounts: auth.services,
    url: () => pluginUrl(config, servers),
    devices: auth.pushDevices,
    byName: auth.byName,
    portalUrl: () => ownPortalUrl(config, servers),
  };
}

/** Settles when everything until now is on disk. */
async function allSaved(store: Store, feed: ChangeFeed): Promise<void> {
  await store.committed(feed.lastSeq);
  await store.saved();
}

/** The data for questions about the past. */
function pastOf(store: Store, trace: ProgramTrace, queue: CommandPorts["queue"]): Past {
  return {
    homeAt: (atMs) => store.past.homeAt(atMs),
    changes: (query) => store.past.changes(query),
    latest: (query) => store.journal.latest(query),
    trace: (query) => trace.read(query),
    recentCommand: (id) => queue.lives.find(id),
    commandsOf: (causeId) => queue.lives.recent().filter(({ cause }) => cause.id === causeId),
  };
}

/** Written before keys and certificates: a directory with keys but no home counts as damaged. */
async function makeHome(config: Config, store: Store, randomness: Randomness): Promise<NumberedHome> {
  const made = store.createHome(newController(config, randomness));
  await store.committed(made.lastSeq);
  return made;
}

/** For people who follow the stream, and for pages that show integrations. */
function integrationLine({ integrations }: Home, id: string, state: ServiceState): string {
  return `Integration ${integrations.get(id)?.name ?? id}: ${state}`;
}

type AroundPrograms = Pick<CommandPorts, "home" | "profile" | "clock"> & {
  readonly store: Store;
  readonly streams: Streams;
  readonly trace: ProgramTrace;
};

/** Stores and streams the trace, and runs the programs before every commit, so that their consequences share its transaction. */
function connectPrograms(
  programs: ProgramRunner,
  { home, profile, clock, store, streams, trace }: AroundPrograms,
): void {
  programs.listenToTrace(trace.record);
  let words: HistoryWords | null = null;
  const wordsOfStep = () => {
    // A step of the engine makes all its records in one go.
    if (words === null) queueMicrotask(() => (words = null));
    words ??= new HistoryWords(home, profile, clock.now());
    return words;
  };
  programs.listenToTrace((record) => streams.say(() => traceLine(wordsOfStep(), record), record.atMs));
  store.beforeCommit(() => programs.settle());
}

/** The built-in profile; for a twin that of its original, with the received documents. */
async function openProfile({
  receivedDocuments,
}: Store): Promise<{ readonly profile: Profile; readonly received: ReceivedDocuments | null }> {
  const profile = new Profile();
  const isTwin = receivedDocuments.names().length > 0;
  if (isTwin) (await import("./twin/received-profile.ts")).declareReceivedProfile(profile, receivedDocuments);
  else declareBuiltinProfile(profile);
  return { profile, received: isTwin ? new ReceivedDocuments(receivedDocuments, XML_PROLOG) : null };
}

/** The programs of a mirror. */
const RUN_ELSEWHERE: ProgramPort = {
  order() {
    throw new ControllerError(
      "CONFLICT",
      "This home follows another controller. Its programs run there and cannot be commanded here.",
    );
  },
  listenToTrace: () => () => {},
};

type Listeners = {
  readonly config: Config;
  readonly services: Services;
  readonly streams: Streams;
  readonly store: Store;
  readonly drivers: DriverRegistry;
  readonly programs: ProgramRunner;
  readonly firstAccounts: FirstAccounts;
  /** Filled with those that are open, by name. */
  readonly servers: Map<string, RunningServer>;
};

async function startListeners({
  config,
  services,
  streams,
  store,
  drivers,
  programs,
  firstAccounts,
  servers,
}: Listeners): Promise<Controller> {
  const limits = createRequestLimits(config, services.clock, store.writtenKeys);
  const open = async (listener: "portal" | "local", host: string, port: number, tls: ShownCertificate | null) => {
    const server = await openListener({ services, streams, limits, routes, listener, host, port, tls });
    servers.set(tls ? listener : "plain", server);
    return server.url;
  };
  const shown = await services.certificate.current();
  const watch = new HealthWatch(services);
  let announcement: Announcement | null = null;
  const stop = async () => {
    services.certificate.stop();
    await announcement?.end();
    watch.stop();
    streams.stop();
    await Promise.all(Array.from(servers.values(), (server) => server.stop()));
    programs.stop();
    services.auth.guests.stop();
    services.auth.hours.stop();
    services.queue.stop();
    await services.notifier.stop();
    services.integrations.stopAll();
    await services.replays.close();
    await services.homeCopies.close();
    await drivers.stop();
    await store.close();
  };
  try {
    const portalUrl = await open("portal", config.host, config.portalPort, shown);
    const localUrl = await open("local", config.host, config.localPort, shown);
    const plainUrl = config.plainPort >= 0 ? await open("local", config.plainHost, config.plainPort, null) : null;
    if (plainUrl)
      services.log.warn("A listener without TLS is open: passwords can be read on the network.", {
        url: plainUrl,
      });
    // Last, because generated passwords are shown only once: a start that fails must not have made them.
    const generatedCredentials = await ensureFirstAccounts({ ...services, accounts: store.accounts }, firstAccounts);
    void store.reachableAt(reachableUrl(portalUrl, config));
    services.certificate.start();
    watch.start();
    if (config.announce)
      announcement = await announce({ ...services, ...services.home, portalUrl, localUrl, plainUrl });
    const radiosStarted = drivers.startBehindListeners().then(() => services.health.started());
    return {
      portalUrl,
      localUrl,
      plainUrl,
      caCertificate: shown.ca,
      generatedCredentials,
      services,
      radiosStarted,
      reloadCertificate: () => services.certificate.reload(),
      stop,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/** Where other machines reach a listener: by the name of this one, when it binds every address. */
function reachableUrl(url: string, { portalHost }: Config): string {
  const shown = new URL(url);
  if (portalHost !== "") shown.hostname = portalHost;
  else if (["0.0.0.0", "[::]"].includes(shown.hostname)) shown.hostname = hostname();
  return shown.origin;
}
