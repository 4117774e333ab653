/**
 * The bridge as a node of Matter: an aggregator with a device for each node of the home. Runs in the bridge's own thread, because the
 * library holds its event loop for seconds. Import it after `configureLibrary`.
 */

import { Endpoint, EndpointLifecycle, Environment, ServerNode, VendorId } from "@matter/main";
import { AggregatorEndpoint } from "@matter/main/endpoints/aggregator";
import { DeviceCommissioner, FabricManager } from "@matter/main/protocol";
import { FabricIndex } from "@matter/main/types";
import { messageOf } from "../../util/message-of.ts";
import type {
  Attributes,
  BridgeEvent,
  BridgeOrder,
  BridgeStatus,
  BridgeTask,
  DeviceCommand,
  EndpointState,
  ShownEndpoint,
} from "./bridge-messages.ts";
import { CommandPort, endpointId, makeEndpoint } from "./device-types.ts";

type Shown = {
  readonly address: string;
  readonly endpoint: Endpoint;
  name: string;
  state: EndpointState;
  /** While a cover moves to where it was sent. */
  moving: NodeJS.Timeout | null;
  /** Writes of a controller that belong together. */
  written: { heat?: number; cool?: number; mode?: number } | null;
  /** Commands from its writes that are under way. What the node reports meanwhile may be from before them. */
  underWay: number;
};

/** Of the test range: ecosystems say that the product is not certified. */
const VENDOR = { id: 0xfff1, product: 0x8000 } as const;
const CHARACTERS_MAX = 300;
const CAUSES_MAX = 10;
/** A cover whose node reports nothing stands still for the ecosystem after this time. */
const MOVING_MS = 90_000;
const STOPPED = { global: 0, lift: 0, tilt: 0 } as const;
/** Percent of a fan by the library's number of its mode: off, low, medium, high, on, auto, smart. */
const FAN_PERCENT = [0, 33, 66, 100, 100, 100, 100] as const;

type Root = ServerNode<ServerNode.RootEndpoint>;

export class BridgeNode {
  readonly #root: Root;
  readonly #aggregator: Endpoint;
  readonly #emit: (event: BridgeEvent) => void;
  readonly #shown = new Map<string, Shown>();
  readonly #requests = new Map<number, (failure: string | null) => void>();
  #lastRequest = 0;
  #window: NodeJS.Timeout | null = null;
  #lastStatus = "";
  /** Since the last ecosystem has left: the codes change until it is on the network again. */
  #isResetting = false;

  private constructor(root: Root, aggregator: Endpoint, emit: (event: BridgeEvent) => void) {
    this.#root = root;
    this.#aggregator = aggregator;
    this.#emit = emit;
  }

  /** All known endpoints exist before it is on the network: ecosystems forget those that are missing for a moment. */
  static async start(
    task: BridgeTask,
    emit: (event: BridgeEvent) => void,
    environment: Environment = Environment.default,
  ): Promise<BridgeNode> {
    const { port, networkInterface, name, uniqueId, version } = task;
    if (networkInterface !== null) environment.vars.set("mdns.networkInterface", networkInterface);
    const root = await ServerNode.create({
      ...{ id: "bridge", environment, network: { port } },
      productDescription: { name: "Domovoi", deviceType: AggregatorEndpoint.deviceType },
      basicInformation: {
        ...{ vendorId: VendorId(VENDOR.id), vendorName: "Domovoi", productId: VENDOR.product, productName: "Bridge" },
        ...{ nodeLabel: name.slice(0, 32), productLabel: "Bridge", uniqueId, serialNumber: uniqueId.slice(0, 16) },
        ...{ hardwareVersion: 1, hardwareVersionString: "1", softwareVersion: 1, softwareVersionString: version },
      },
    });
    const aggregator = new Endpoint(AggregatorEndpoint, { id: "home" });
    await root.add(aggregator);
    const node = new BridgeNode(root, aggregator, emit);
    root.env.set(CommandPort, new CommandPort((id, command) => node.#command(id, command)));
    for (const endpoint of task.endpoints) await node.#add(endpoint);
    const { commissioning } = root.events;
    commissioning.fabricsChanged.on((_index, action) => {
      // A window is for one controller.
      if (action === "added") node.#closeWindow();
      node.#report();
    });
    commissioning.commissioned.on(() => node.#report());
    commissioning.decommissioned.on(() => {
      node.#isResetting = true;
      node.#report();
    });
    root.lifecycle.online.on(() => node.#showAgain());
    await root.start();
    node.#report();
    emit({ kind: "ready" });
    return node;
  }

  async obey(order: BridgeOrder): Promise<void> {
    switch (order.kind) {
      case "add":
        return this.#add(order.endpoint);
      case "remove":
        return this.#remove(order.address, order.mayReturn);
      case "rename":
        return this.#rename(order.address, order.name);
      case "state":
        return this.#update(order.address, order.state);
      case "outcome":
        this.#requests.get(order.request)?.(order.failure);
        return;
      case "open-window":
        return this.#answer(order.request, () => this.#openWindow(order.seconds));
      case "remove-fabric":
        return this.#answer(order.request, () => this.#removeFabric(order.index));
      case "close":
        return this.close();
    }
  }

  async close(): Promise<void> {
    this.#closeWindow();
    for (const { moving } of this.#shown.values()) if (moving) clearTimeout(moving);
    for (const settle of [...this.#requests.values()]) settle("The bridge was stopped.");
    await this.#root.close();
  }

  /** One that the library refuses is left out; the others are shown. */
  async #add(shown: ShownEndpoint): Promise<void> {
    const { spec, state } = shown;
    const { address } = spec;
    let endpoint: Endpoint | null = null;
    try {
      await this.#remove(address);
      endpoint = makeEndpoint(shown);
      await this.#aggregator.add(endpoint);
      const added: Shown = { address, endpoint, name: spec.name, state, moving: null, written: null, underWay: 0 };
      this.#shown.set(endpointId(address), added);
      this.#followWrites(added);
      // The library has stored values of an earlier run, which come before those that an endpoint is made with.
      await this.#set(added, { ...spec.fixed, ...merged(spec.fixed, state.attributes) });
      await this.#rename(address, spec.name);
      await this.#set(added, { bridgedDeviceBasicInformation: { reachable: state.isReachable } });
    } catch (error) {
      this.#fail(address, error);
      // The library takes it out of the aggregator, and leaves its number in the list of the node.
      if (endpoint) this.#aggregator.lifecycle.bubble(EndpointLifecycle.Change.Destroyed, endpoint);
    }
  }

  /** @param mayReturn then it has its number again, by which ecosystems know it. */
  async #remove(address: string, mayReturn = false): Promise<void> {
    const shown = this.#find(address);
    if (!shown) return;
    this.#shown.delete(endpointId(address));
    if (shown.moving) clearTimeout(shown.moving);
    await (mayReturn ? shown.endpoint.close() : shown.endpoint.delete());
  }

  /** The home owns the name. */
  async #rename(address: string, name: string): Promise<void> {
    const shown = this.#find(address);
    if (!shown) return;
    shown.name = name;
    await this.#set(shown, { bridgedDeviceBasicInformation: { nodeLabel: name } });
  }

  async #update(address: string, state: EndpointState): Promise<void> {
    const shown = this.#find(address);
    if (!shown) return;
    shown.state = { ...state, attributes: merged(shown.state.attributes, state.attributes) };
    const attributes = shown.underWay > 0 ? withoutWritten(state.attributes) : state.attributes;
    await this.#set(shown, { ...attributes, bridgedDeviceBasicInformation: { reachable: state.isReachable } });
    if (state.attributes.windowCovering) await this.#settleCover(shown);
  }

  /** A report says where the cover is, and not whether it moves: it stands there until it is sent elsewhere. */
  async #settleCover(shown: Shown): Promise<void> {
    if (shown.moving) clearTimeout(shown.moving);
    shown.moving = null;
    const current = shown.state.attributes.windowCovering?.currentPositionLiftPercent100ths;
    if (current === undefined) return;
    await this.#set(shown, {
      windowCovering: { targetPositionLiftPercent100ths: current, operationalStatus: STOPPED },
    });
  }

  async #set(shown: Shown, values: Attributes): Promise<void> {
    try {
      // The attributes are those of the table for this device type.
      await shown.endpoint.set(values as Parameters<Endpoint["set"]>[0]);
    } catch (error) {
      this.#fail(shown.address, error);
    }
  }

  /** Set-points, modes and fans are attributes that a controller writes. What the node refuses is set back. */
  #followWrites(shown: Shown): void {
    const events = shown.endpoint.events as Readonly<Record<string, Readonly<Record<string, Observable>> | undefined>>;
    const follow = (behavior: string, attribute: string, take: (value: unknown) => void) =>
      events[behavior]?.[`${attribute}$Changed`]?.on((value, _before, context) => {
        if (isRemote(context)) take(value);
      });
    follow("bridgedDeviceBasicInformation", "nodeLabel", () => void this.#rename(shown.address, shown.name));
    const write = (part: Shown["written"]) => this.#write(shown, part);
    follow("thermostat", "occupiedHeatingSetpoint", (heat) => write({ heat: Number(heat) }));
    follow("thermostat", "occupiedCoolingSetpoint", (cool) => write({ cool: Number(cool) }));
    follow("thermostat", "systemMode", (mode) => write({ mode: Number(mode) }));
    const turn = (percent: number) => void this.#write(shown, null, { kind: "fan", percent });
    follow("fanControl", "percentSetting", (percent) => typeof percent === "number" && turn(percent));
    follow("fanControl", "fanMode", (mode) => turn(FAN_PERCENT[Number(mode)] ?? 0));
  }

  /** Writes of one message come one after another, before the event loop goes on. */
  #write(shown: Shown, part: Shown["written"], command: DeviceCommand | null = null): void {
    if (command) return void this.#carryOut(shown, command);
    const isFirst = shown.written === null;
    shown.written = { ...shown.written, ...part };
    if (!isFirst) return;
    setImmediate(() => {
      const written = shown.written ?? {};
      shown.written = null;
      void this.#carryOut(shown, { kind: "climate", ...written });
    });
  }

  async #carryOut(shown: Shown, command: DeviceCommand): Promise<void> {
    shown.underWay += 1;
    const failure = await this.#command(shown.endpoint.id, command);
    shown.underWay -= 1;
    if (failure === null) return;
    this.#log("warn", `${shown.address}: ${failure}`);
    await this.#set(shown, shown.state.attributes);
  }

  async #command(id: string, command: DeviceCommand): Promise<string | null> {
    const shown = this.#shown.get(id);
    if (!shown) return "The node is not shown any more.";
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const outcome = new Promise<string | null>((resolve) => this.#requests.set(request, resolve));
    this.#emit({ kind: "command", request, address: shown.address, command });
    const failure = await outcome;
    this.#requests.delete(request);
    // Not awaited: the command holds the attributes of the cover until it has its answer.
    if (failure === null && shown.state.attributes.windowCovering) void this.#startCover(shown, command);
    return failure;
  }

  async #startCover(shown: Shown, command: DeviceCommand): Promise<void> {
    const current = shown.state.attributes.windowCovering?.currentPositionLiftPercent100ths;
    const targets = { open: 0, close: 10_000, lift: command.kind === "lift" ? command.closed * 100 : 0 } as const;
    if (command.kind !== "open" && command.kind !== "close" && command.kind !== "lift") return this.#settleCover(shown);
    const target = targets[command.kind];
    if (typeof current !== "number" || target === current) return;
    const lift = target > current ? 2 : 1;
    await this.#set(shown, {
      windowCovering: { targetPositionLiftPercent100ths: target, operationalStatus: { global: lift, lift, tilt: 0 } },
    });
    if (shown.moving) clearTimeout(shown.moving);
    shown.moving = setTimeout(() => void this.#settleCover(shown), MOVING_MS);
  }

  async #answer(request: number, work: () => Promise<void>): Promise<void> {
    let failure: string | null = null;
    try {
      await work();
    } catch (error) {
      failure = messageOf(error).slice(0, CHARACTERS_MAX);
    }
    this.#report();
    this.#emit({ kind: "done", request, failure });
  }

  async #openWindow(seconds: number): Promise<void> {
    const commissioner = this.#root.env.get(DeviceCommissioner);
    await commissioner.allowBasicCommissioning();
    this.#closeWindow();
    const close = async () => {
      this.#closeWindow();
      await commissioner.endCommissioning();
      this.#report();
    };
    this.#window = setTimeout(
      () => void close().catch((error: unknown) => this.#log("warn", messageOf(error))),
      seconds * 1000,
    );
  }

  #closeWindow(): void {
    if (this.#window) clearTimeout(this.#window);
    this.#window = null;
  }

  async #removeFabric(index: number): Promise<void> {
    await this.#root.env.get(FabricManager).for(FabricIndex(index)).leave();
  }

  /** After a reset the library has the values with which the endpoints were made. */
  #showAgain(): void {
    this.#isResetting = false;
    this.#report();
    for (const shown of this.#shown.values()) void this.#update(shown.address, shown.state);
  }

  #report(): void {
    let status: BridgeStatus;
    try {
      status = this.#status();
    } catch {
      // After its last ecosystem has left, the node resets itself; it reports again when it is back.
      return;
    }
    const text = JSON.stringify(status);
    if (text === this.#lastStatus) return;
    this.#lastStatus = text;
    this.#emit({ kind: "status", status });
  }

  #status(): BridgeStatus {
    const { fabrics, pairingCodes } = this.#root.state.commissioning;
    const { isCommissioned } = this.#root.lifecycle;
    const { qrPairingCode: qr, manualPairingCode: manual } = pairingCodes;
    return {
      isCommissioned,
      codes: this.#isResetting || (isCommissioned && !this.#window) ? null : { qr, manual },
      fabrics: Object.values(fabrics).map(({ fabricIndex, label, rootVendorId }) => ({
        ...{ index: fabricIndex, label: label.slice(0, CHARACTERS_MAX), vendorId: rootVendorId },
      })),
    };
  }

  #find(address: string): Shown | undefined {
    return this.#shown.get(endpointId(address));
  }

  #fail(address: string, error: unknown): void {
    this.#emit({ kind: "endpoint-failed", address, reason: reasonOf(error).slice(0, CHARACTERS_MAX) });
  }

  #log(level: "info" | "warn" | "error", text: string): void {
    this.#emit({ kind: "log", level, text: text.slice(0, CHARACTERS_MAX) });
  }
}

type Observable = { on(observer: (value: unknown, before: unknown, context: unknown) => void): void };

function isRemote(context: unknown): boolean {
  return typeof context === "object" && context !== null && "fabric" in context && context.fabric !== undefined;
}

/** The library wraps the reason several times. */
function reasonOf(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < CAUSES_MAX && inner instanceof Error; depth += 1) {
    const next: unknown = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
    if (!(next instanceof Error)) break;
    inner = next;
  }
  return messageOf(inner);
}

/** Behaviors whose attributes a controller writes. */
const WRITTEN: ReadonlySet<string> = new Set(["thermostat", "fanControl"]);

function withoutWritten(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([behavior]) => !WRITTEN.has(behavior)));
}

function merged(before: Attributes, now: Attributes): Attributes {
  const made: Record<string, Attributes[string]> = { ...before };
  for (const [behavior, attributes] of Object.entries(now)) made[behavior] = { ...made[behavior], ...attributes };
  return made;
}
