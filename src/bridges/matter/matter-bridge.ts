/**
 * Shows the nodes of the home to Apple Home, Google Home, Alexa and other controllers of Matter, and sends their commands with the
 * rights of an account of its own. It follows the change feed; the library runs in a thread.
 *
 * @see docs/matter.md
 */

import { mkdir, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import type { CommandPorts } from "../../commands/ports.ts";
import type { MatterPort } from "../../drivers/matter-port.ts";
import { type MatterThread, type OpenMatterThread, openMatterThread } from "../../drivers/matter-thread.ts";
import type { Service, ServiceHost } from "../../drivers/service.ts";
import { ControllerError, invariant } from "../../errors.ts";
import { isRecord } from "../../util/is-record.ts";
import { messageOf } from "../../util/message-of.ts";
import { settleWithin } from "../../util/settle-within.ts";
import { BridgeCommands } from "../bridge-commands.ts";
import { Following } from "../following.ts";
import type { Access } from "../shown-nodes.ts";
import type {
  BridgeEvent,
  BridgeOrder,
  BridgeStatus,
  BridgeTask,
  DeviceCommand,
  EndpointSpec,
} from "./bridge-messages.ts";
import { KINDS } from "./device-table.ts";
import { type Choice, factsOf, identityOf, planEndpoints, stateOf } from "./plan-endpoints.ts";

export type MatterBridgeOptions = Choice & {
  readonly name: string;
  /** Directory of the library's storage. */
  readonly storage: string;
  readonly port: number;
  /** null: every network interface. */
  readonly networkInterface: string | null;
  readonly access: Access;
  readonly version: string;
};

export type OpenBridgeThread = OpenMatterThread<BridgeTask, BridgeOrder, BridgeEvent>;

type Running = {
  readonly host: ServiceHost;
  readonly thread: MatterThread<BridgeOrder>;
  readonly lost: AbortController;
  readonly specs: Map<string, EndpointSpec>;
  /** Nodes whose state is to be sent. */
  readonly changed: Set<string>;
  readonly answers: Map<number, (failure: string | null) => void>;
  readonly closed: PromiseWithResolvers<void>;
  /** Whether nodes were added, removed or changed. */
  isPlanOld: boolean;
  isReady: boolean;
  status: BridgeStatus;
  lastRequest: number;
  readonly commands: BridgeCommands;
  readonly following: Following;
};

const ENTRY = new URL(`./matter-worker${extname(import.meta.url)}`, import.meta.url);
/** Values that change several times meanwhile are sent once. */
const GATHER_MS = 50;
const NODES_PER_TURN = 50;
const COMMANDS_PER_SECOND = 50;
const SHOWN = "shown";
/** The thread is ended after this time, whatever it is doing. */
const CLOSE_MS = 3000;
/** Alexa stops answering from about this many devices on. */
const WARNED_ABOVE = 80;
const STARTING = "The Matter bridge is starting.";
const NOTHING: BridgeStatus = { isCommissioned: false, codes: null, fabrics: [] };

export class MatterBridge implements Service, MatterPort {
  readonly name: string;
  readonly #ports: CommandPorts;
  readonly #options: MatterBridgeOptions;
  readonly #open: OpenBridgeThread;
  #running: Running | null = null;

  constructor(ports: CommandPorts, options: MatterBridgeOptions, open: OpenBridgeThread | null = null) {
    this.name = options.name;
    this.#ports = ports;
    this.#options = options;
    this.#open = open ?? ((task, ports) => openMatterThread(ENTRY, task, ports));
  }

  get isCommissioned(): boolean {
    return this.#running?.status.isCommissioned ?? false;
  }

  get codes(): MatterPort["codes"] {
    return this.#running?.status.codes ?? null;
  }

  get fabrics(): MatterPort["fabrics"] {
    return this.#running?.status.fabrics ?? [];
  }

  get nodes(): number {
    return this.#running?.specs.size ?? 0;
  }

  async start(host: ServiceHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A bridge is stopped before it is started again.");
    const { storage, port, networkInterface, version } = this.#options;
    const { home } = this.#ports;
    await mkdir(storage, { recursive: true, mode: 0o700 });
    // The data directory has a lock already. This one, left by a crash, would name another process after a restart of the machine.
    await rm(join(storage, "bridge", "matter.lock"), { force: true });
    signal.throwIfAborted();
    const specs = planEndpoints(this.#ports, this.#options, storedSpecs(host.store.get(SHOWN)));
    const task = {
      ...{ storage, port, networkInterface, version, name: home.controller.name },
      uniqueId: identityOf(home.controller.uuid),
      endpoints: specs.map((spec) => ({ spec, state: stateOf(this.#ports, spec) })),
    };
    // Events come in later turns of the event loop.
    const thread = this.#open(task, {
      event: (event) => void host.guard({ from: `Matter ${event.kind}` }, () => this.#take(running, event)),
      ended: (reason) => this.#lose(running, `The Matter bridge stopped: ${reason}`),
    });
    const running: Running = {
      ...{ host, thread, lost: new AbortController(), specs: bySpec(specs), changed: new Set() },
      ...{ answers: new Map(), closed: Promise.withResolvers(), isPlanOld: false, isReady: false, status: NOTHING },
      lastRequest: 0,
      commands: new BridgeCommands(this.#ports, host, { ...this.#options, perSecondMax: COMMANDS_PER_SECOND }),
      following: this.#follow(host, () => running),
    };
    this.#running = running;
    // The listeners of the controller do not wait for the library, which takes seconds.
    host.status("degraded", STARTING);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    if (running.isReady) {
      running.thread.send({ kind: "close" });
      await settleWithin(running.closed.promise, CLOSE_MS);
    }
    this.#end(running, "The bridge was stopped.");
    await running.thread.end();
  }

  openWindow(seconds: number): Promise<void> {
    return this.#ask((request) => ({ kind: "open-window", request, seconds }));
  }

  async removeFabric(index: number): Promise<void> {
    if (!this.fabrics.some((fabric) => fabric.index === index)) throw new ControllerError("FABRIC_NOT_FOUND");
    await this.#ask((request) => ({ kind: "remove-fabric", request, index }));
  }

  async #ask(orderOf: (request: number) => BridgeOrder): Promise<void> {
    const running = this.#running;
    if (!running?.isReady) throw new ControllerError("DRIVER_UNAVAILABLE", "The Matter bridge is not running.");
    running.lastRequest += 1;
    const request = running.lastRequest;
    const answer = new Promise<string | null>((resolve) => running.answers.set(request, resolve));
    running.thread.send(orderOf(request));
    const failure = await answer;
    running.answers.delete(request);
    if (failure !== null) throw new ControllerError("CONFLICT", failure);
  }

  #lose(running: Running, reason: string): void {
    if (this.#running !== running) return;
    this.#end(running, reason);
    void running.thread.end().catch(() => {});
    running.host.status("failed", reason);
  }

  #end(running: Running, reason: string): void {
    this.#running = null;
    running.following.stop();
    running.lost.abort(new Error(reason));
    running.closed.resolve();
    for (const settle of running.answers.values()) settle(reason);
  }

  #take(running: Running, event: BridgeEvent): void {
    const { host } = running;
    switch (event.kind) {
      case "ready":
        running.isReady = true;
        host.store.set(SHOWN, [...running.specs.values()]);
        this.#showReady(running);
        // Nodes may have changed while it started.
        running.isPlanOld = true;
        for (const address of running.specs.keys()) running.changed.add(address);
        running.following.wake();
        return;
      case "failed":
        this.#lose(running, event.reason);
        return;
      case "closed":
        running.closed.resolve();
        return;
      case "status":
        running.status = event.status;
        return;
      case "command":
        void this.#answer(running, event.request, event.address, event.command);
        return;
      case "done":
        running.answers.get(event.request)?.(event.failure);
        return;
      case "endpoint-failed":
        host.log.warn("A node cannot be shown in Matter.", { node: event.address, reason: event.reason });
        return;
      case "log":
        host.log[event.level]("The Matter library reports something.", { text: event.text });
    }
  }

  #showReady({ host, specs }: Running): void {
    const isMany = specs.size > WARNED_ABOVE;
    if (isMany) host.log.warn("Alexa can fail with so many devices of one bridge.", { nodes: specs.size });
    host.status("ready", isMany ? `It shows ${specs.size} nodes. Alexa can fail above ${WARNED_ABOVE}.` : "");
  }

  /** Nothing is sent before the library is ready. */
  #follow(host: ServiceHost, running: () => Running): Following {
    return new Following(this.#ports.feed, host.clock, GATHER_MS, {
      shape() {
        running().isPlanOld = true;
      },
      reported(change) {
        if (change.type === "control-sent" || !running().specs.has(change.address)) return false;
        running().changed.add(change.address);
        return running().isReady;
      },
      turn: () => running().isReady && this.#turn(running()),
    });
  }

  #turn(running: Running): boolean {
    const { changed, specs, thread } = running;
    if (running.isPlanOld) this.#plan(running);
    for (const address of [...changed].slice(0, NODES_PER_TURN)) {
      changed.delete(address);
      const spec = specs.get(address);
      if (spec) thread.send({ kind: "state", address, state: stateOf(this.#ports, spec) });
    }
    return changed.size > 0;
  }

  #plan(running: Running): void {
    const { specs, thread, host } = running;
    running.isPlanOld = false;
    const planned = bySpec(planEndpoints(this.#ports, this.#options, [...specs.values()]));
    let isChanged = false;
    for (const address of [...specs.keys()].filter((each) => !planned.has(each))) {
      isChanged = true;
      thread.send({ kind: "remove", address, mayReturn: this.#ports.home.nodes.has(address) });
    }
    for (const [address, spec] of planned) {
      const before = specs.get(address);
      if (!before || !isSameDevice(before, spec)) {
        thread.send({ kind: "add", endpoint: { spec, state: stateOf(this.#ports, spec) } });
      } else if (before.name !== spec.name) thread.send({ kind: "rename", address, name: spec.name });
      else continue;
      isChanged = true;
    }
    if (!isChanged) return;
    specs.clear();
    for (const [address, spec] of planned) specs.set(address, spec);
    host.store.set(SHOWN, [...planned.values()]);
    this.#showReady(running);
  }

  async #answer(running: Running, request: number, address: string, command: DeviceCommand): Promise<void> {
    let failure: string | null = null;
    try {
      if (!running.commands.admits()) throw new ControllerError("TOO_MANY_REQUESTS");
      await this.#command(running, address, command);
    } catch (error) {
      failure = messageOf(error);
      running.host.log.info("A command from Matter was refused.", { node: address, command: command.kind, error });
    }
    if (this.#running !== running) return;
    running.thread.send({ kind: "outcome", request, failure });
    // Reports of the node during the command were not shown.
    if (command.kind !== "climate" && command.kind !== "fan") return;
    running.changed.add(address);
    running.following.wake();
  }

  /** @throws ControllerError when it is not allowed, or fails */
  async #command({ commands, lost, specs }: Running, address: string, given: DeviceCommand): Promise<void> {
    const spec = specs.get(address);
    const node = this.#ports.home.nodes.get(address);
    const facts = node ? factsOf(this.#ports.profile, node) : null;
    if (!spec || !facts) throw new ControllerError("NODE_NOT_FOUND");
    const meant = KINDS[spec.kind].command?.(facts, given) ?? null;
    if (meant === null) throw new ControllerError("COMMAND_NOT_ACCEPTED");
    await commands.send(address, meant, lost.signal);
  }
}

function bySpec(specs: readonly EndpointSpec[]): Map<string, EndpointSpec> {
  return new Map(specs.map((spec) => [spec.address, spec]));
}

/** But for its name. */
function isSameDevice(one: EndpointSpec, other: EndpointSpec): boolean {
  const plain = (spec: EndpointSpec) => JSON.stringify({ ...spec, name: "" });
  return plain(one) === plain(other);
}

/** Of an earlier run of this version or another. */
function storedSpecs(stored: unknown): readonly EndpointSpec[] {
  const specs = Array.isArray(stored) ? stored : [];
  return specs.filter(
    (each): each is EndpointSpec => isRecord(each) && typeof each.kind === "string" && each.kind in KINDS,
  );
}
