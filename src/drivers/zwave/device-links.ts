/**
 * Makes devices hold the links of scenes that they can carry out themselves, as associations. The wanted links come from the
 * home and the present ones from the library, so a write that a restart cut short is made again. Only the written ones are
 * stored: an association that somebody else made is never removed.
 */

import type { DeviceLink, DeviceLinkState } from "../../home/device-links.ts";
import { failed, type Outcome } from "../command.ts";
import type { Devices } from "./devices.ts";
import type { ZWaveDevice } from "./library.ts";
import { type Association, type Carrier, findCarrier, isStored, writeAssociation } from "./network/associations.ts";
import { keyText } from "./plan/device-view.ts";
import { deviceAddress, guarded, type RunningRadio } from "./radio.ts";
import type { Bus } from "./sending/bus.ts";
import { ACKED, outcomeOfError } from "./sending/outcome.ts";
import { effectOf, verify } from "./sending/perform.ts";

type LinkPorts = { readonly radio: RunningRadio; readonly devices: Devices; readonly bus: Bus };
type Task = { readonly association: Association; readonly isWanted: boolean };
type Failure = { readonly detail: string; readonly retryable: boolean };
type Wanted = { readonly link: DeviceLink; readonly carrier: Carrier };
type Phase = "pending" | "writing";

const UNKNOWN_NODE: Carrier = { refusal: "The adapter does not know one of the two devices." };
const REFUSED = failed("rejected", "The device did not take the change.");

export class DeviceLinks {
  readonly #ports: LinkPorts;
  /** The wanted links, by `linkText`. */
  #links: ReadonlyMap<string, Wanted> = new Map();
  /** Associations that this driver wrote or adopted, by `textOf`. */
  readonly #written: Map<string, Association>;
  readonly #failures = new Map<string, Failure>();
  /** Devices that are being written, by node id. */
  readonly #busy = new Set<number>();
  readonly #phases = new Map<number, Phase>();

  constructor(ports: LinkPorts) {
    this.#ports = ports;
    this.#written = new Map(readWritten(ports.radio).map((association) => [textOf(association), association]));
  }

  /** Compares the wanted links with those of the devices, and begins to write the difference. */
  refresh(): void {
    const known = this.#links;
    const links = this.#ports.radio.host.deviceLinks().filter(({ controller, scene }) => controller !== scene);
    this.#links = new Map(
      links.map((link) => {
        const before = known.get(linkText(link))?.carrier;
        // A refusal may be over, for example that of a full group.
        const carrier = before && "association" in before ? before : this.#carrierOf(link);
        return [linkText(link), { link, carrier }];
      }),
    );
    this.#adopt();
    const tasks = this.#tasks();
    const open = new Set(tasks.map(({ association }) => textOf(association)));
    for (const text of this.#failures.keys()) if (!open.has(text)) this.#failures.delete(text);
    const sources = new Set([...tasks.map(({ association }) => association.source.nodeId), ...this.#phases.keys()]);
    for (const nodeId of sources) void this.#settle(nodeId);
  }

  state(link: DeviceLink): DeviceLinkState | null {
    const carrier = this.#links.get(linkText(link))?.carrier ?? null;
    const isRefused = carrier !== null && "refusal" in carrier;
    const association = carrier === null || isRefused ? this.#leftover(link) : carrier.association;
    if (!association) return isRefused ? { state: "software", detail: carrier.refusal } : null;
    if (carrier && !isRefused && isStored(this.#ports.radio, association)) return { state: "done", detail: "" };
    const failure = this.#failures.get(textOf(association));
    if (failure) return { state: "failed", detail: failure.detail };
    return { state: "pending", detail: this.#waitsFor(association) };
  }

  carries(link: DeviceLink, command: string): boolean {
    const carrier = this.#links.get(linkText(link))?.carrier;
    if (!carrier || "refusal" in carrier || !carrier.carries.includes(command)) return false;
    return isStored(this.#ports.radio, carrier.association);
  }

  retry(scene: string): void {
    const links = this.#ports.radio.host.deviceLinks().filter((link) => link.scene === scene);
    for (const { controller } of links) {
      const nodeId = this.#ports.devices.find(controller)?.device.id;
      if (nodeId !== undefined) this.#forgive(nodeId, () => true);
    }
    this.refresh();
  }

  /** The responders that the device commands itself: their reports are the effect of it, and the silent ones are queried. */
  pressed(address: string, control: string): void {
    const { devices } = this.#ports;
    for (const { link } of this.#links.values()) {
      const found = link.controller === address && this.carries(link, control) ? devices.find(link.responder) : null;
      const planned = found?.plan.commands.find(({ id }) => id === control);
      if (!found || !planned) continue;
      const { device } = found;
      const act = planned.act({ parameters: [], current: (value) => device.getValue(value) });
      const effect = effectOf(act);
      if (!effect) continue;
      devices.attribution.expect(device.id, keyText(effect.value), null, effect.expected);
      verify(device, act);
    }
  }

  /** The device is there: failures of the connection are tried again. */
  reached(nodeId: number): void {
    this.#forgive(nodeId, ({ retryable }) => retryable);
    void this.#settle(nodeId);
  }

  /** The device was interviewed: its groups and members may be others. */
  learned(): void {
    this.#links = new Map();
    this.refresh();
  }

  /** The device has left, and its associations with it. */
  removed(nodeId: number): void {
    for (const [text, { source }] of this.#written) if (source.nodeId === nodeId) this.#written.delete(text);
    this.#store();
    this.#phases.delete(nodeId);
    this.learned();
  }

  #carrierOf(link: DeviceLink): Carrier {
    if (!isPlain(link)) return { refusal: "The link has a level, a ramp or a command of its own." };
    const { controller, responder } = link;
    const { radio, devices } = this.#ports;
    const [from, to] = [devices.find(controller), devices.find(responder)];
    if (!from || !to) return UNKNOWN_NODE;
    const senders = devices
      .nodesAt(from.device.id, from.plan.endpoint)
      .filter(({ plan }) => plan.sends.includes("DON") && !plan.sends.includes("DON3"));
    try {
      return findCarrier(radio, from, to, senders);
    } catch (error) {
      radio.host.log.debug("The association groups of a device could not be read.", { node: controller, error });
      return UNKNOWN_NODE;
    }
  }

  /** A wanted association that exists already is removed with its link, even if another tool made it. */
  #adopt(): void {
    const present = this.#wanted().filter((each) => isStored(this.#ports.radio, each));
    const fresh = present.filter((each) => !this.#written.has(textOf(each)));
    for (const association of fresh) this.#written.set(textOf(association), association);
    if (fresh.length > 0) this.#store();
  }

  #wanted(): readonly Association[] {
    return [...this.#links.values()].flatMap(({ carrier }) => ("association" in carrier ? [carrier.association] : []));
  }

  #tasks(): readonly Task[] {
    const { radio } = this.#ports;
    const wanted = new Map(this.#wanted().map((association) => [textOf(association), association]));
    const missing = [...wanted.values()].filter((association) => !isStored(radio, association));
    // Also where the library knows none: a write that failed may have arrived.
    const left = [...this.#written].filter(([text]) => !wanted.has(text));
    return [
      // First, because a full group has no place for a new member.
      ...left.map(([, association]) => ({ association, isWanted: false })),
      ...missing.map((association) => ({ association, isWanted: true })),
    ];
  }

  #next(nodeId: number): Task | undefined {
    const isOpen = ({ association }: Task) =>
      association.source.nodeId === nodeId && !this.#failures.has(textOf(association));
    return this.#tasks().find(isOpen);
  }

  async #settle(nodeId: number): Promise<void> {
    if (this.#busy.has(nodeId)) return;
    this.#busy.add(nodeId);
    for (let task = this.#next(nodeId); task && this.#isUp(nodeId); task = this.#next(nodeId)) {
      this.#show(nodeId, "writing");
      await this.#write(task);
    }
    this.#busy.delete(nodeId);
    this.#show(nodeId, this.#next(nodeId) ? "pending" : null);
  }

  async #write({ association, isWanted }: Task): Promise<void> {
    const { radio, bus } = this.#ports;
    const text = textOf(association);
    // Before it is written: a write that a restart cuts short is then removed with its link.
    if (isWanted && !this.#written.has(text)) {
      this.#written.set(text, association);
      this.#store();
    }
    const { nodeId } = association.source;
    const outcome = await bus.run(nodeId, radio.signal, () => attempt(radio, association, isWanted));
    if (radio.signal.aborted) return;
    if (outcome.kind === "failed") {
      const { detail, retryable } = outcome;
      this.#failures.set(text, { detail, retryable });
      const node = deviceAddress(radio, nodeId);
      radio.host.log.warn("A device did not take a link of a scene.", { node, detail });
    } else if (!isWanted) {
      this.#written.delete(text);
      this.#store();
      // A link that found the group full has a place now.
      queueMicrotask(() => this.refresh());
    }
  }

  /** An association that the home does not want any more and the device still has. */
  #leftover({ controller, responder }: DeviceLink): Association | null {
    const { radio, devices } = this.#ports;
    const [from, to] = [devices.find(controller), devices.find(responder)];
    const isBetween = ({ source, target }: Association) =>
      source.nodeId === from?.device.id &&
      source.endpoint === from.plan.endpoint &&
      target.nodeId === to?.device.id &&
      target.endpoint === to.plan.endpoint;
    return [...this.#written.values()].find((each) => isBetween(each) && isStored(radio, each)) ?? null;
  }

  #isUp(nodeId: number): boolean {
    const { library, stack, signal } = this.#ports.radio;
    const device = stack.controller.nodes.get(nodeId);
    const isThere = device?.status === library.NodeStatus.Alive || device?.status === library.NodeStatus.Awake;
    return isThere && !signal.aborted && device.interviewStage === library.InterviewStage.Complete;
  }

  #waitsFor({ source: { nodeId } }: Association): string {
    const { library, stack } = this.#ports.radio;
    if (this.#busy.has(nodeId)) return "The device is being written.";
    const device = stack.controller.nodes.get(nodeId);
    if (device?.status === library.NodeStatus.Asleep) return "The device sleeps; it is written when it wakes.";
    if (device?.status === library.NodeStatus.Dead) return "The device does not answer; it is written when it is back.";
    return "The device is not interviewed yet.";
  }

  #forgive(nodeId: number, isForgiven: (failure: Failure) => boolean): void {
    for (const { association } of this.#tasks()) {
      const failure = this.#failures.get(textOf(association));
      const isOwn = association.source.nodeId === nodeId;
      if (failure && isOwn && isForgiven(failure)) this.#failures.delete(textOf(association));
    }
  }

  #show(nodeId: number, phase: Phase | null): void {
    const { radio } = this.#ports;
    const before = this.#phases.get(nodeId) ?? null;
    const address = deviceAddress(radio, nodeId);
    if (before === phase || radio.signal.aborted) return;
    if (phase) this.#phases.set(nodeId, phase);
    else this.#phases.delete(nodeId);
    if (!radio.host.seen(address)) return;
    if (before) radio.host.writes(address, before, false);
    if (phase) radio.host.writes(address, phase, true);
  }

  #store(): void {
    this.#ports.radio.host.store.set(storeKey(this.#ports.radio), [...this.#written.values()]);
  }
}

/** Devices are written when they are there, and again when they are other devices. */
export function followLinkEvents(radio: RunningRadio, links: DeviceLinks): void {
  const { stack } = radio;
  const reached = guarded(radio, ({ id }: ZWaveDevice) => links.reached(id));
  const learned = (_device: ZWaveDevice) => links.learned();
  const removed = ({ id }: ZWaveDevice) => links.removed(id);
  stack.on("node ready", reached);
  stack.on("node alive", reached);
  stack.on("node wake up", reached);
  stack.on("node interview completed", guarded(radio, learned));
  stack.controller.on("node removed", guarded(radio, removed));
  links.refresh();
}

/** Never rejects. */
async function attempt(radio: RunningRadio, association: Association, isWanted: boolean): Promise<Outcome> {
  try {
    await writeAssociation(radio, association, isWanted);
  } catch (error) {
    if (isStored(radio, association) !== isWanted) return outcomeOfError(radio.library, error);
    radio.host.log.debug("A device took a link, but not its route.", { error });
  }
  return isStored(radio, association) === isWanted ? ACKED : REFUSED;
}

/** An association makes the responder do what the controller does, and nothing else. */
function isPlain({ level, ramp, command }: DeviceLink): boolean {
  return level === null && ramp === null && command === null;
}

/** The link, for all scenes that have it. */
function linkText(link: DeviceLink): string {
  return `${link.controller} ${link.responder} ${isPlain(link)}`;
}

function textOf({ source, group, target }: Association): string {
  return [source.nodeId, source.endpoint, group, target.nodeId, target.endpoint].join("/");
}

function storeKey({ stack }: RunningRadio): string {
  return `links ${(stack.controller.homeId ?? 0).toString(16)}`;
}

function readWritten(radio: RunningRadio): readonly Association[] {
  const stored = radio.host.store.get(storeKey(radio));
  return Array.isArray(stored) ? stored.filter(isAssociation) : [];
}

function isAssociation(value: unknown): value is Association {
  const { source, group, target } = (value ?? {}) as { readonly [K in keyof Association]?: unknown };
  return isEndpoint(source) && Number.isInteger(group) && isEndpoint(target);
}

function isEndpoint(value: unknown): value is Association["source"] {
  const { nodeId, endpoint } = (value ?? {}) as { readonly nodeId?: unknown; readonly endpoint?: unknown };
  return Number.isInteger(nodeId) && Number.isInteger(endpoint);
}
