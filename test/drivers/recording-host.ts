/**
 * A host for one driver that records its calls and lists violations of the contract: reports of nodes that were not
 * declared, properties that the nodedef does not have, numbers that are not integers, unknown units, the property ERR, which
 * follows the link of a node.
 */

import type { Outcome } from "../../src/drivers/command.ts";
import type { DriverHost, NodeSpec, ProposedScene, QueuedCommand, SeenNode } from "../../src/drivers/driver.ts";
import type { Input } from "../../src/drivers/failed-input.ts";
import type { PropertyReport } from "../../src/drivers/report.ts";
import { violationOfControl, violationOfReport, violationOfSpec } from "../../src/drivers/report-checks.ts";
import type { ServiceState, ServiceStore } from "../../src/drivers/service.ts";
import { familyOf, isOfPlugin } from "../../src/families.ts";
import type { DeviceLink } from "../../src/home/device-links.ts";
import type { LinkState } from "../../src/home/nodes.ts";
import type { Operation } from "../../src/home/operation.ts";
import type { Property } from "../../src/home/property.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import type { Nodedef } from "../../src/profile/nodedef.ts";
import { type Definitions, Profile } from "../../src/profile/profile.ts";
import { allUoms } from "../../src/profile/uom.ts";
import type { Clock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";
import { messageOf } from "../../src/util/message-of.ts";
import { seededRandomness } from "../../src/util/randomness.ts";

type ControlSeen = { readonly address: string; readonly control: string; readonly value: number };
type WritesSeen = { readonly address: string; readonly phase: "pending" | "writing"; readonly active: boolean };

const HOMES = new WeakMap<ServiceStore, Map<string, Map<string, Property>>>();

export class RecordingHost implements DriverHost {
  readonly profile = new Profile();
  readonly nodes = new Map<string, NodeSpec>();
  readonly links = new Map<string, LinkState>();
  readonly reports: PropertyReport[] = [];
  readonly controls: ControlSeen[] = [];
  readonly written: WritesSeen[] = [];
  readonly settlements: (QueuedCommand & { readonly outcome: Outcome })[] = [];
  readonly states: ServiceState[] = [];
  /** Of the last state. */
  detail = "";
  readonly operations: Operation[] = [];
  readonly violations: string[] = [];
  readonly logLines: string[] = [];
  /** What becomes of a proposed scene. */
  takeScene: (scene: ProposedScene) => string | null = () => null;
  /** What `deviceLinks` answers. */
  wantedLinks: readonly DeviceLink[] = [];
  readonly randomness = seededRandomness(7);
  readonly log = createLog("debug", { write: (line: string) => void this.logLines.push(line) });
  readonly clock: Clock;
  readonly store: ServiceStore;

  constructor(clock: Clock, store: ServiceStore = memoryStore()) {
    this.clock = clock;
    this.store = store;
    declareBuiltinProfile(this.profile);
  }

  define(family: number, instance: number, definitions: Definitions, dynamic: boolean): void {
    this.profile.declare(family, instance, definitions, dynamic);
  }

  retract(family: number, instance: number): void {
    this.profile.retract("builtin", { family, instance });
  }

  node(spec: NodeSpec): null {
    this.#complainOf(spec.address, violationOfSpec(spec));
    if (!this.profile.nodedef(spec.nodeDefId, spec.family, spec.instance)) {
      this.violations.push(`${spec.address}: its nodedef ${spec.nodeDefId} was not declared`);
    }
    if (spec.primary !== spec.address && !this.nodes.has(spec.primary)) {
      this.violations.push(`${spec.address}: its first node ${spec.primary} comes later or never`);
    }
    this.nodes.set(spec.address, spec);
    this.#showHealth(spec.address, "unknown");
    return null;
  }

  seen(address: string): SeenNode | null {
    const spec = this.nodes.get(address);
    if (!spec) return null;
    return { name: spec.name, enabled: true, properties: new Map(this.#valuesOf(address)) };
  }

  /** As the home, which outlives a driver and belongs to its store. */
  #valuesOf(address: string): Map<string, Property> {
    const home = HOMES.get(this.store) ?? new Map<string, Map<string, Property>>();
    HOMES.set(this.store, home);
    const values = home.get(address) ?? new Map<string, Property>();
    home.set(address, values);
    return values;
  }

  gone(address: string): void {
    HOMES.get(this.store)?.delete(address);
    if (!this.nodes.delete(address)) this.violations.push(`${address}: gone before it came`);
  }

  report(reports: readonly PropertyReport[]): void {
    for (const report of reports) {
      this.#complainOf(report.address, violationOfReport(report));
      const declared = this.nodedefOf(report.address)?.properties.some((property) => property.id === report.id);
      if (!declared) this.violations.push(`${report.address}: reports ${report.id}, which its nodedef does not have`);
      if (report.uom >= allUoms().length) this.violations.push(`${report.address}: unknown unit ${report.uom}`);
      const spec = this.nodes.get(report.address);
      if (report.id === "ERR" && spec && !isOfPlugin(spec)) this.violations.push(`${report.address}: reports ERR`);
      this.#take(report);
    }
  }

  #take(report: PropertyReport): void {
    this.reports.push(report);
    const { id, value, uom, prec, text = null } = report;
    this.#valuesOf(report.address).set(id, { id, value, uom, prec, text, changedAtMs: 0 });
  }

  /** As the home does, which has it for every driver. */
  #showHealth(address: string, link: LinkState): void {
    if (!this.nodedefOf(address)?.properties.some(({ id }) => id === "ERR")) return;
    const known = this.#valuesOf(address).get("ERR")?.value;
    const value = link === "unreachable" ? 1 : 0;
    if (known === value || (known !== undefined && link === "unknown")) return;
    const uom = familyOf(this.nodes.get(address)?.family ?? 0).healthUnit;
    this.#take({ address, id: "ERR", value, uom, prec: 0, cause: "restore" });
  }

  control(address: string, control: string, value: number): void {
    this.#complainOf(address, violationOfControl(control, value));
    const declared = this.nodedefOf(address)?.sends.some((command) => command.id === control);
    if (!declared) this.violations.push(`${address}: sends ${control}, which its nodedef does not`);
    this.controls.push({ address, control, value });
  }

  link(address: string, link: LinkState): void {
    this.#requireNode(address);
    this.links.set(address, link);
    this.#showHealth(address, link);
  }

  settled(command: QueuedCommand, outcome: Outcome): void {
    this.settlements.push({ ...command, outcome });
  }

  deviceLinks(): readonly DeviceLink[] {
    return this.wantedLinks;
  }

  proposeScene(scene: ProposedScene): string | null {
    for (const { address } of scene.members) this.#requireNode(address);
    return this.takeScene(scene);
  }

  writes(address: string, phase: "pending" | "writing", active: boolean): void {
    this.#requireNode(address);
    this.written.push({ address, phase, active });
  }

  status(state: ServiceState, detail: string): void {
    this.states.push(state);
    this.detail = detail;
  }

  guard(input: Input, read: () => void | Promise<void>): void | Promise<void> {
    const fail = (error: unknown) => void this.violations.push(`${input.from}: ${messageOf(error)}`);
    try {
      const reading = read();
      return reading instanceof Promise ? reading.catch(fail) : undefined;
    } catch (error) {
      fail(error);
    }
  }

  operation(_family: number, operation: Operation): void {
    this.operations.push(operation);
  }

  /** The last report of a property, or null. */
  last(address: string, id: string): PropertyReport | null {
    return this.reports.findLast((report) => report.address === address && report.id === id) ?? null;
  }

  /** Last reported raw value; null without one. */
  value(address: string, id = "ST"): number | null {
    return this.last(address, id)?.value ?? null;
  }

  /** Raw value as the home has it, also from before a restart; null without one. */
  known(address: string, id = "ST"): number | null {
    return this.#valuesOf(address).get(id)?.value ?? null;
  }

  nodedefOf(address: string): Nodedef | null {
    const spec = this.nodes.get(address);
    return spec ? this.profile.nodedef(spec.nodeDefId, spec.family, spec.instance) : null;
  }

  /** Clears the recorded reports, keeps the nodes. */
  forget(): void {
    this.reports.length = 0;
    this.controls.length = 0;
    this.written.length = 0;
  }

  #requireNode(address: string): void {
    if (!this.nodes.has(address)) this.violations.push(`${address}: was not introduced`);
  }

  #complainOf(address: string, violation: string | null): void {
    if (violation) this.violations.push(`${address}: ${violation}`);
  }
}

/** Keeps JSON, as the real store does, so that nothing live can hide in it. */
export function memoryStore(): ServiceStore {
  const kept = new Map<string, string>();
  return {
    get: (key) => JSON.parse(kept.get(key) ?? "null"),
    set: (key, value) => void kept.set(key, JSON.stringify(value)),
    delete: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
    saved: async () => {},
  };
}
