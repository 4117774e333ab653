/**
 * The driver of Matter devices: those of other makers, which a phone has commissioned and shares, and those behind their bridges. The
 * library runs in a thread. A command succeeds when the device confirms it; its effect comes by the subscription.
 *
 * @see docs/matter.md
 */

import { mkdir, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { invariant } from "../../errors.ts";
import { delay } from "../../util/clock.ts";
import { isRecord } from "../../util/is-record.ts";
import { rejectOnAbort } from "../../util/reject-on-abort.ts";
import { settleWithin } from "../../util/settle-within.ts";
import { type DriverCommand, type FailureReason, failed, type Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import type { Input } from "../failed-input.ts";
import { type OpenMatterThread, openMatterThread } from "../matter-thread.ts";
import { givenValue } from "../node-parts.ts";
import { type SleepingCommand, SleepingCommands } from "../sleeping-commands.ts";
import type {
  ClusterAction,
  ControllerEvent,
  ControllerFailure,
  ControllerOrder,
  ControllerTask,
} from "./controller-messages.ts";
import type { EndpointValues } from "./feature.ts";
import { createLockCodes } from "./lock-codes.ts";
import { MatterCommissioning } from "./matter-commissioning.ts";
import { type Found, MatterDevices } from "./matter-devices.ts";
import { createMatterNetwork } from "./matter-network.ts";
import type { PeerDescription } from "./peer-description.ts";
import { RecentCommands } from "./recent-commands.ts";
import type { Running } from "./running.ts";
import { type Done, ThreadRequests } from "./thread-requests.ts";

export type MatterOptions = {
  readonly name: string;
  /** Directory of the library's storage. */
  readonly storage: string;
  /** null: every network interface. */
  readonly networkInterface: string | null;
  /** Name of the home, which devices show as that of their controller. */
  readonly homeName: string;
  /** Code for locks that require one for every command; "": none. */
  readonly lockCode: string;
};

export type OpenControllerThread = OpenMatterThread<ControllerTask, ControllerOrder, ControllerEvent>;

type Reached = Found & { readonly running: Running };
type Answered = { readonly outcome: Outcome; readonly answers: readonly unknown[] };
type ValuesEvent = ControllerEvent & { readonly kind: "values" };

const ENTRY = new URL(`./matter-controller-worker${extname(import.meta.url)}`, import.meta.url);
/** The thread is ended after this time, whatever it is doing. */
const CLOSE_MS = 3000;
const FIRST_MS = 2000;
/** A slow machine needs longer for the library; the driver goes on starting then. */
const START_MS = 10_000;
const STARTING = "The Matter controller is starting.";
const NOT_READY = failed("not-ready", "The Matter controller is not running.", true);
const UNKNOWN = failed("unreachable", "No such device is commissioned.", false);
const UNSUPPORTED = failed("unsupported", "The device does not take this command.", false);
const GIVEN_UP = failed("timeout", "The command was given up.", true);
const STOPPED = failed("not-ready", "The driver was stopped.", true);
const ACKED: Outcome = { kind: "acked" };
/** What the keys of waiting commands begin with. */
const WAITING = "waiting ";
const SLEEPING_MAX = 20;
const SLEEPING_MS = 7 * 86_400_000;
/** Commands whose effect depends on where the device is. */
const ONLY_ONCE: ReadonlySet<string> = new Set(["BRT", "DIM", "FDUP", "FDDOWN", "FDSTOP"]);
const ASLEEP: Outcome = { kind: "sent", detail: "The device is asleep and reports when it wakes." };

export class MatterDriver implements Driver {
  readonly name: string;
  readonly commissioning = new MatterCommissioning(() => this.#running);
  readonly network = createMatterNetwork(
    () => this.#running,
    (address, signal) => this.query(address, signal),
  );
  readonly codes = createLockCodes({
    values: (address) => this.#valuesOf(address).doorLock ?? null,
    act: async (address, actions, signal) => {
      const found = this.#reachable(address, signal);
      if ("kind" in found) return { outcome: found, answers: [] };
      return this.#answer(found.running, this.#ask(found, actions, signal), signal);
    },
  });
  readonly #options: MatterOptions;
  readonly #open: OpenControllerThread;
  readonly #recent = new RecentCommands();
  #running: Running | null = null;
  #known: { readonly host: DriverHost; readonly devices: MatterDevices } | null = null;

  constructor(options: MatterOptions, open: OpenControllerThread | null = null) {
    this.name = options.name;
    this.#options = options;
    this.#open = open ?? ((task, ports) => openMatterThread(ENTRY, task, ports));
  }

  restore(host: DriverHost): void {
    this.#devicesOf(host);
  }

  /** Planned once, not again at each start. */
  #devicesOf(host: DriverHost): MatterDevices {
    if (this.#known?.host !== host) {
      const leave = (address: string) => this.#running?.sleepers.removed((each) => each === address);
      this.#known = { host, devices: new MatterDevices(host, leave) };
      endStoredActions(host);
    }
    return this.#known.devices;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    const { storage, networkInterface, homeName } = this.#options;
    const devices = this.#devicesOf(host);
    await mkdir(storage, { recursive: true, mode: 0o700 });
    // The data directory has a lock already. This one, left by a crash, would name another process after a restart of the machine.
    await rm(join(storage, "controller", "matter.lock"), { force: true });
    signal.throwIfAborted();
    // Events come in later turns of the event loop.
    const thread = this.#open(
      { storage, networkInterface, name: homeName },
      {
        event: (event) => void host.guard(inputOf(event), () => this.#take(running, event)),
        ended: (reason) => this.#lose(running, `The Matter controller stopped: ${reason}`),
      },
    );
    const running: Running = {
      ...{ host, thread, devices, requests: new ThreadRequests(thread) },
      sleepers: new SleepingCommands({
        ...{ host, stored: WAITING, max: SLEEPING_MAX, keepMs: SLEEPING_MS },
        perform: (waiting) => this.#perform(running, waiting),
      }),
      ...{ lost: new AbortController(), ready: Promise.withResolvers(), closed: Promise.withResolvers() },
      ...{
        heard: Promise.withResolvers(),
        peers: new Set<string>(),
        isReady: false,
        isStarted: false,
        sent: 0,
        received: 0,
      },
    };
    running.ready.promise.catch(() => {});
    this.#running = running;
    running.sleepers.restore();
    try {
      await Promise.race([running.ready.promise, delay(host.clock, START_MS, signal)]);
      // Devices that are there report within a moment.
      if (running.isReady) await Promise.race([running.heard.promise, delay(host.clock, FIRST_MS, signal)]);
    } catch (error) {
      if (this.#running === running) await this.stop();
      throw error;
    }
    running.isStarted = true;
    if (this.#running === running) host.status(running.isReady ? "ready" : "degraded", running.isReady ? "" : STARTING);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    if (running.isReady) running.thread.send({ kind: "close" });
    this.#end(running, "The driver was stopped.");
    if (running.isReady) await settleWithin(running.closed.promise, CLOSE_MS);
    await running.thread.end();
    running.host.status("stopped", "");
  }

  async send(given: DriverCommand): Promise<Outcome> {
    const { id, address, command, parameters, signal } = given;
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    // What is impossible is refused now, not when the device wakes.
    const actions = this.#actionsOf(found, command, parameters);
    if ("kind" in actions) return actions;
    if (found.device.link !== "asleep") return this.#act(found, { id, actions }, signal);
    const { host, sleepers } = found.running;
    const request = { kind: "command", command, parameters } as const;
    const isRepeatable = !ONLY_ONCE.has(command);
    return sleepers.queue({ id, address, request, atMs: host.clock.now(), isRepeatable, mayBeOut: false });
  }

  /** The device of a waiting command is awake. */
  async #perform(running: Running, { id, address, request }: SleepingCommand): Promise<Outcome> {
    const { signal } = running.lost;
    if (this.#running !== running) return STOPPED;
    const found = running.devices.find(address);
    if (!found || request.kind !== "command") return UNKNOWN;
    const reached = { running, ...found };
    const actions = this.#actionsOf(reached, request.command, request.parameters);
    return "kind" in actions ? actions : this.#act(reached, { id, actions }, signal);
  }

  #actionsOf(
    { device, node }: Found,
    command: string,
    parameters: DriverCommand["parameters"],
  ): readonly ClusterAction[] | Outcome {
    const known = node.plan.commands.find((each) => each.id === command);
    if (!known) return UNSUPPORTED;
    const actions = known.actions({
      ...{ given: givenValue(parameters), values: device.values.get(node.plan.endpoint) ?? {} },
      lockCode: this.#options.lockCode,
    });
    if (actions === null) return failed("bad-parameter", "The device does not take this value.", false);
    return "refusal" in actions ? failed("rejected", actions.refusal, false) : actions;
  }

  async query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome> {
    const found = this.#reachable(address, signal);
    if ("kind" in found) return found;
    const { running, device, node } = found;
    if (device.link === "asleep") return ASLEEP;
    const { peer } = device.description;
    const { endpoints } = node.plan;
    const asked = running.requests.ask((request) => ({ kind: "read", request, peer, endpoints }), signal);
    const { outcome } = await this.#answer(running, asked, signal);
    const occasion = { cause: "query", ...(commandId === undefined ? {} : { commandId }) } as const;
    if (outcome.kind === "acked" && this.#running === running) running.devices.repeat(found, occasion);
    return outcome;
  }

  #valuesOf(address: string): EndpointValues {
    const found = this.#known?.devices.find(address);
    return found?.device.values.get(found.node.plan.endpoint) ?? {};
  }

  async #act(
    found: Reached,
    { id, actions }: { readonly id: string; readonly actions: readonly ClusterAction[] },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { running, device, node } = found;
    const clusters = actions.map(({ cluster }) => cluster);
    const { peer } = device.description;
    const forget = this.#recent.add({ peer, endpoint: node.plan.endpoint, id, clusters });
    const { outcome } = await this.#answer(running, this.#ask(found, actions, signal), signal);
    forget(running.host.clock, outcome.kind === "acked");
    return outcome;
  }

  #ask({ running, device, node }: Reached, actions: readonly ClusterAction[], signal: AbortSignal): Promise<Done> {
    const { peer } = device.description;
    const { endpoint } = node.plan;
    running.sent += 1;
    return running.requests.ask((request) => ({ kind: "act", request, peer, endpoint, actions }), signal);
  }

  async #answer(running: Running, asked: Promise<Done>, signal: AbortSignal): Promise<Answered> {
    const done = await Promise.race([asked, rejectOnAbort(signal).catch(() => null)]);
    if (running.lost.signal.aborted) return { outcome: STOPPED, answers: [] };
    if (done === null) return { outcome: GIVEN_UP, answers: [] };
    const { failure, answers = [] } = done;
    if (failure === null) return { outcome: ACKED, answers };
    return { outcome: failed(REASONS[failure.reason], failure.detail, failure.reason !== "rejected"), answers };
  }

  #reachable(address: string, signal: AbortSignal): Outcome | Reached {
    const running = this.#running;
    if (!running?.isReady) return NOT_READY;
    const found = running.devices.find(address);
    if (!found) return UNKNOWN;
    return signal.aborted ? GIVEN_UP : { running, ...found };
  }

  #lose(running: Running, reason: string): void {
    if (this.#running !== running) return;
    this.#end(running, reason);
    void running.thread.end().catch(() => {});
    if (running.isStarted) running.host.status("failed", reason);
  }

  #end(running: Running, reason: string): void {
    this.#running = null;
    const error = new Error(reason);
    running.ready.reject(error);
    running.lost.abort(error);
    running.requests.end();
    running.sleepers.stop();
    for (const device of running.devices.all()) device.link = null;
  }

  #take(running: Running, event: ControllerEvent): void {
    if (event.kind === "closed") running.closed.resolve();
    if (this.#running !== running) return;
    const { host, devices, requests } = running;
    switch (event.kind) {
      case "closed":
        return;
      case "ready":
        this.#showReady(running);
        return;
      case "failed":
        this.#lose(running, event.reason);
        return;
      case "log":
        host.log[event.level]("The Matter library reports something.", { text: event.text });
        return;
      case "peer":
        this.#put(running, event.description, event.isFresh);
        return;
      case "peer-gone":
        this.#miss(running, event.peer);
        return;
      case "link":
        this.#follow(running, event.peer, event.link);
        return;
      case "values":
        this.#receive(running, event);
        return;
      case "occurred":
        devices.occurred(event);
        return;
      case "progress":
      case "asked":
        requests.tell(event);
        return;
      case "done":
        requests.settle(event);
    }
  }

  /** A device that was reset and is commissioned anew is forgotten under its former id. */
  #put(running: Running, description: PeerDescription, isFresh: boolean): void {
    const { devices, peers, requests, lost } = running;
    const former = devices.formerPeer(description);
    peers.add(description.peer);
    devices.put(description, isFresh ? "query" : "restore");
    if (former === null || !peers.delete(former)) return;
    void requests.ask((request) => ({ kind: "remove", request, peer: former, force: true }), lost.signal);
  }

  #showReady(running: Running): void {
    running.isReady = true;
    running.ready.resolve();
    this.#missAbsent(running);
    if (running.isStarted) running.host.status("ready", "");
  }

  /** The answer to a query is reported as a whole. */
  #receive(running: Running, event: ValuesEvent): void {
    running.received += 1;
    if (event.isAnswer) {
      running.devices.keep(event);
      return;
    }
    const commandId = this.#recent.of(running.host.clock, event);
    running.devices.receive(event, commandId === null ? { cause: "report" } : { cause: "ack", commandId });
  }

  #follow(running: Running, peer: string, link: "online" | "asleep" | "lost"): void {
    const device = running.devices.ofPeer(peer);
    if (!device) return;
    running.devices.link(device, link);
    if (running.devices.all().every((each) => each.link !== null)) running.heard.resolve();
    if (link !== "online") return;
    void running.sleepers.awake((address) => running.devices.find(address)?.device === device);
  }

  /** A device that has removed the controller stays as unreachable nodes until a person removes it. */
  #miss(running: Running, peer: string): void {
    running.peers.delete(peer);
    const device = running.devices.ofPeer(peer);
    if (!device || running.devices.isRemoving(device)) return;
    running.host.log.warn("A device has left. Remove it, or include it again.", { device: device.description.name });
    running.devices.link(device, "lost");
  }

  /** Devices that the library does not know any more, such as after its storage was lost. */
  #missAbsent(running: Running): void {
    for (const device of running.devices.all()) {
      if (!running.peers.has(device.description.peer)) running.devices.link(device, "lost");
    }
    if (running.devices.all().every(({ link }) => link !== null)) running.heard.resolve();
  }
}

const REASONS: Readonly<Record<ControllerFailure["reason"], FailureReason>> = {
  rejected: "rejected",
  unreachable: "no-ack",
  asleep: "timeout",
  "not-found": "unreachable",
  cancelled: "timeout",
  internal: "internal",
};

/** Versions before stored what a waiting command does at its device, the code of a lock included. It is not kept any longer. */
function endStoredActions(host: DriverHost): void {
  const { store } = host;
  const key = WAITING.trim();
  const stored = store.get(key);
  if (stored === undefined) return;
  const detail = "It waited when the controller was updated. Send it again.";
  for (const { id, address, command } of Array.isArray(stored) ? stored.filter(isRecord) : []) {
    host.settled(
      { id: String(id), address: String(address), command: String(command) },
      failed("internal", detail, true),
    );
  }
  store.delete(key);
}

/** Of devices. The others only say how a request or the library itself goes on. */
function inputOf(event: ControllerEvent): Input {
  const from = `Matter ${event.kind}`;
  switch (event.kind) {
    case "peer":
      return { from: `${from} of ${event.description.peer}`, content: event, isOfDevice: true };
    case "values":
    case "occurred": {
      const { peer, endpoint, cluster } = event;
      return { from: `${from} of ${peer}, endpoint ${endpoint}, ${cluster}`, content: event, isOfDevice: true };
    }
    default:
      return { from };
  }
}
