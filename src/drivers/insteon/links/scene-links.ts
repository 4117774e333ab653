/**
 * Makes modem and devices hold the links of scenes. What is wanted follows from the home, what is there from the link
 * databases, so that a change which a restart cut short is completed. A responder is written before its controller and removed
 * after it, so that no controller addresses a device that does not know it.
 */

import type { DeviceLink, DeviceLinkState } from "../../../home/device-links.ts";
import { atOnce, inSlices, type Slices } from "../../../util/slices.ts";
import type { DriverHost, Links } from "../../driver.ts";
import type { Device, DeviceBook } from "../devices/device-book.ts";
import type { DeviceId } from "../line/messages.ts";
import { ModemLost } from "../line/modem.ts";
import type { HeldRecords } from "./held-records.ts";
import type { LinkKeeper } from "./link-keeper.ts";
import { type HeldRecord, keyOf, type LinkPlan, MODEM, type PlanGround, planLink } from "./link-plan.ts";
import { roleOf } from "./link-records.ts";
import type { ModemLinks } from "./modem-links.ts";
import type { RecordWriter } from "./record-writer.ts";
import type { SceneGroups } from "./scene-groups.ts";
import type { WrittenLinks } from "./written-links.ts";

type SceneLinkPorts = {
  readonly host: DriverHost;
  readonly book: DeviceBook;
  readonly modemLinks: ModemLinks;
  readonly records: HeldRecords;
  readonly keeper: LinkKeeper;
  readonly writer: RecordWriter;
  readonly groups: SceneGroups;
  readonly written: WrittenLinks;
  readonly signal: AbortSignal;
};

type Planned = { readonly link: DeviceLink; readonly plan: LinkPlan };
type Task = { readonly held: HeldRecord; readonly isWanted: boolean };
type Phase = "pending" | "writing";

/** A scene whose responders all have its link, by their addresses, with their levels. */
export type WrittenScene = { readonly group: number; readonly levels: ReadonlyMap<string, number> };

const CARRIED: ReadonlySet<string> = new Set(["DON", "DOF", "DFON", "DFOF", "BRT", "DIM", "FDUP", "FDDOWN", "FDSTOP"]);
const MEMBERS_MIN = 2;
/** Whether a link needs a group of the modem does not depend on which. */
const ANY_GROUP = () => 0;
const CONFLICT = "Another link of the same button sets another level or ramp.";
export const EXCHANGED = 'The modem is another one than before. Replace it with the operation "replace-modem".';

const pending = (detail: string): DeviceLinkState => ({ state: "pending", detail });

export class SceneLinks implements Links {
  readonly #ports: SceneLinkPorts;
  /** By `linkText`. */
  #plans: ReadonlyMap<string, Planned> = new Map();
  #wanted: ReadonlyMap<string, HeldRecord> = new Map();
  readonly #failures = new Map<string, string>();
  readonly #phases = new Map<DeviceId, Phase>();
  readonly #waking = new Set<DeviceId>();
  /** Counts plans; a pass over an old one ends. */
  #version = 0;
  #refreshes = 0;
  #planning: Promise<void> | null = null;
  #isRunning = false;

  constructor(ports: SceneLinkPorts) {
    this.#ports = ports;
  }

  /** A large home is planned in slices, between which other work goes on. Meanwhile the former plan holds. */
  refresh(): void {
    this.#refreshes += 1;
    this.#planning ??= this.#replan();
  }

  async #replan(): Promise<void> {
    const { signal } = this.#ports;
    for (let refreshes = -1; refreshes !== this.#refreshes && !signal.aborted; ) {
      refreshes = this.#refreshes;
      await inSlices(this.#plan());
    }
    this.#planning = null;
    if (!signal.aborted) this.continue();
  }

  /** Something that a change waited for has happened. */
  continue(): void {
    this.#version += 1;
    void this.#run();
  }

  state(link: DeviceLink): DeviceLinkState | null {
    if (!this.#ports.modemLinks.records()) return pending("The links of the modem are not read yet.");
    const plan = this.#plans.get(linkText(link))?.plan;
    if (!plan) return this.#planning ? pending("The links are being compared.") : null;
    if ("refusal" in plan) return { state: "software", detail: plan.refusal };
    const missing = plan.records.filter((held) => !this.#ports.records.has(held));
    if (missing.length === 0) return { state: "done", detail: "" };
    const failure = missing.map((held) => this.#failures.get(keyOf(held))).find((detail) => detail !== undefined);
    if (failure) return { state: "failed", detail: failure };
    const waiting = missing.map((held) => this.#waitsFor(held)).find((detail) => detail !== null);
    return pending(waiting ?? "The devices are being written.");
  }

  carries(link: DeviceLink, command: string): boolean {
    return CARRIED.has(command) && this.state(link)?.state === "done";
  }

  retry(scene: string): void {
    for (const { link, plan } of this.#plans.values()) {
      if (link.scene !== scene || "refusal" in plan) continue;
      for (const held of plan.records) this.#failures.delete(keyOf(held));
    }
    // Failures of removed members belong to no link any more.
    for (const key of this.#failures.keys()) if (!this.#wanted.has(key)) this.#failures.delete(key);
    this.refresh();
  }

  /** Writes again what the device did not take. @returns false when nothing waits for it */
  writeDevice(id: DeviceId): boolean {
    const open = atOnce(this.#openTasks(id));
    for (const { held } of open) this.#failures.delete(keyOf(held));
    if (open.length > 0) this.continue();
    return open.length > 0;
  }

  /** A device on a battery sent something: it listens for seconds. */
  async heard(device: Device): Promise<void> {
    const { keeper } = this.#ports;
    if (!device.isOnBattery || keeper.isAwake(device) || this.#waking.has(device.id)) return;
    if (atOnce(this.#openTasks(device.id)).length === 0) return;
    this.#waking.add(device.id);
    const isAwake = await keeper.exclusive(() => keeper.wake(device), true);
    this.#waking.delete(device.id);
    if (isAwake) this.continue();
  }

  /** Scenes that one command to a group of the modem carries out. */
  writtenScenes(): readonly WrittenScene[] {
    const { groups } = this.#ports;
    const scenes = Map.groupBy(
      [...this.#plans.values()].filter(({ link }) => link.controller === link.scene),
      ({ link }) => link.scene,
    );
    return [...scenes].flatMap(([scene, planned]) => {
      const group = groups.of(scene);
      const held = planned.filter(({ plan }) => "records" in plan);
      if (group === null || held.length === 0) return [];
      if (!held.every(({ link }) => this.state(link)?.state === "done")) return [];
      return [{ group, levels: new Map(held.map(({ link, plan }) => [link.responder, levelOf(plan)])) }];
    });
  }

  /** Links of the scene that are there already leave with it. */
  async adopt(scene: string): Promise<void> {
    const { records, written } = this.#ports;
    await this.#planning;
    for (const { link, plan } of this.#plans.values()) {
      if (link.scene !== scene || "refusal" in plan) continue;
      for (const held of plan.records) if (records.has(held)) await written.add(held);
    }
  }

  /** What the scenes of the home need. Two links of the same button cannot ask for different levels: the first one is written. */
  *#plan(): Slices<void> {
    const { modemLinks, host, groups, written, signal } = this.#ports;
    const links = modemLinks.records();
    if (!links || signal.aborted) return;
    const alone: Planned[] = [];
    for (const link of host.deviceLinks()) {
      alone.push({ link, plan: planLink(link, this.#ground(ANY_GROUP)) });
      yield;
    }
    const shared = this.#sharedScenes(alone);
    for (const [scene, { preferred, members }] of shared) {
      groups.assign(scene, preferred, members, links);
      yield;
    }
    const ground = this.#ground((scene) => (shared.has(scene) ? groups.of(scene) : null));
    const wanted = new Map<string, HeldRecord>();
    const plans = new Map<string, Planned>();
    for (const planned of alone) {
      const { link } = planned;
      const plan = link.controller === link.scene ? planLink(link, ground) : planned.plan;
      const records = "records" in plan ? plan.records : [];
      const isConflicting = records.some((held) => {
        const known = wanted.get(keyOf(held));
        return known !== undefined && known.record.data.join() !== held.record.data.join();
      });
      if (!isConflicting) for (const held of records) wanted.set(keyOf(held), held);
      plans.set(linkText(link), { link, plan: isConflicting ? { refusal: CONFLICT } : plan });
      yield;
    }
    this.#wanted = wanted;
    this.#plans = plans;
    this.#version += 1;
    groups.release(
      (scene, group) => shared.has(scene) || written.all().some((held) => isOfGroup(held, group, modemLinks.id)),
    );
    if (this.#failures.size === 0) return;
    const open = new Set((yield* this.#openTasks()).map(({ held }) => keyOf(held)));
    for (const key of this.#failures.keys()) if (!open.has(key)) this.#failures.delete(key);
  }

  /** The groups that scenes need, with the devices of their members. */
  #sharedScenes(planned: readonly Planned[]) {
    const able = planned.filter(({ link, plan }) => link.controller === link.scene && "records" in plan);
    const scenes = [...Map.groupBy(able, ({ link }) => link.scene)].filter(([, own]) => own.length >= MEMBERS_MIN);
    return new Map(
      scenes.map(([scene, own]) => [
        scene,
        {
          preferred: own[0]?.link.deviceGroup ?? 0,
          members: new Set(own.map(({ link }) => this.#ports.book.find(link.responder)?.device.id ?? link.responder)),
        },
      ]),
    );
  }

  #ground(groupOf: PlanGround["groupOf"]): PlanGround {
    const { book, modemLinks } = this.#ports;
    return {
      modem: modemLinks.id,
      find: (address) => book.find(address),
      known: (address, property) => book.known(address, property),
      groupOf,
    };
  }

  /**
   * What is to be written and removed, in the order in which no half of a link is left alone.
   *
   * @param holder only of this device
   */
  *#openTasks(holder: DeviceId | null = null): Slices<readonly Task[]> {
    const { records, written } = this.#ports;
    const isOf = (held: HeldRecord) => holder === null || held.holder === holder;
    const left: HeldRecord[] = [];
    const missing: HeldRecord[] = [];
    for (const held of written.all()) {
      if (isOf(held) && !this.#wanted.has(keyOf(held))) {
        const isGone = records.isKnown(held.holder) && !records.find(held);
        if (isGone) written.drop(held);
        else left.push(held);
      }
      yield;
    }
    for (const held of this.#wanted.values()) {
      if (isOf(held) && !records.has(held)) missing.push(held);
      yield;
    }
    return [
      ...left.filter(isController).map(unwantedTask),
      ...left.filter((held) => !isController(held)).map(unwantedTask),
      ...missing.filter((held) => !isController(held)).map(wantedTask),
      ...missing.filter(isController).map(wantedTask),
    ];
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#passes();
    } catch (error) {
      // The driver hears of it too, and starts again.
      if (!(error instanceof ModemLost)) throw error;
    } finally {
      this.#isRunning = false;
    }
    this.#showAll(await inSlices(this.#openTasks()));
  }

  async #passes(): Promise<void> {
    const { signal, writer } = this.#ports;
    for (let version = -1; version !== this.#version && !signal.aborted; ) {
      version = this.#version;
      await this.#pass(version);
      if (!signal.aborted) await writer.settle();
    }
  }

  async #pass(version: number): Promise<void> {
    const tasks = await inSlices(this.#openTasks());
    this.#showAll(tasks);
    const isUrgent = ({ held }: Task) => this.#ports.book.device(held.holder)?.isOnBattery === true;
    for (const task of [...tasks.filter(isUrgent), ...tasks.filter((each) => !isUrgent(each))]) {
      if (this.#version !== version || this.#ports.signal.aborted) return;
      await this.#perform(task);
    }
  }

  async #perform({ held, isWanted }: Task): Promise<void> {
    const { writer, written, signal, host } = this.#ports;
    const key = keyOf(held);
    if (this.#failures.has(key) || this.#waitsFor(held) !== null) return;
    if (held.holder !== MODEM) this.#show(held.holder, "writing");
    if (isWanted) await written.add(held);
    const failure = isWanted ? await writer.write(held) : await writer.remove(held);
    if (signal.aborted) return;
    if (!failure) {
      if (!isWanted) written.drop(held);
    } else if (failure.isInterrupted) {
      this.#version += 1;
    } else if (!failure.isSilent) {
      this.#failures.set(key, failure.detail);
      host.log.warn("A link of a scene was not written.", { device: held.holder, detail: failure.detail });
    }
  }

  /** null: it can be written now. */
  #waitsFor({ holder }: HeldRecord): string | null {
    const { book, keeper, records, modemLinks } = this.#ports;
    if (modemLinks.formerModems().length > 0) return EXCHANGED;
    if (holder === MODEM) return null;
    const device = book.device(holder);
    if (!device) return "The modem does not know the device.";
    if (device.isOnBattery && !keeper.isAwake(device)) return "The device sleeps; it is written when it wakes.";
    if (book.isUnreachable(holder)) return "The device does not answer; it is written when it is back.";
    if (records.isKnown(holder)) return null;
    return keeper.failureOf(holder)?.detail ?? "The links of the device are not read yet.";
  }

  #showAll(tasks: readonly Task[]): void {
    const { book } = this.#ports;
    const open = new Set(tasks.filter(({ held }) => !this.#failures.has(keyOf(held))).map(({ held }) => held.holder));
    for (const { id } of book.devices()) this.#show(id, open.has(id) ? "pending" : null);
  }

  #show(id: DeviceId, phase: Phase | null): void {
    const { book, host, signal } = this.#ports;
    const before = this.#phases.get(id) ?? null;
    const address = book.device(id)?.nodes[0]?.address;
    if (before === phase || !address || signal.aborted) return;
    if (phase) this.#phases.set(id, phase);
    else this.#phases.delete(id);
    if (before) host.writes(address, before, false);
    if (phase) host.writes(address, phase, true);
  }
}

const wantedTask = (held: HeldRecord): Task => ({ held, isWanted: true });
const unwantedTask = (held: HeldRecord): Task => ({ held, isWanted: false });

function isController({ record }: HeldRecord): boolean {
  return roleOf(record) === "controller";
}

/** Whether it is a half of a link of this group of the modem. */
function isOfGroup({ holder, record }: HeldRecord, group: number, modem: DeviceId): boolean {
  if (record.group !== group) return false;
  return holder === MODEM
    ? isController({ holder, record })
    : record.device === modem && !isController({ holder, record });
}

function levelOf(plan: LinkPlan): number {
  const responder = "records" in plan ? plan.records.find(({ holder }) => holder !== MODEM) : null;
  return responder?.record.data[0] ?? 0;
}

function linkText({ scene, controller, responder }: DeviceLink): string {
  return `${scene} ${controller} ${responder}`;
}
