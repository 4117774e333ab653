/**
 * Runs the integrations of the home: adds, configures, starts, stops and removes them while the controller runs. The record is
 * in the home and on disk before anything follows from it; the driver runs in the registry, which starts a failed one again.
 *
 * @see docs/integrations.md
 */

import type { Config } from "../config.ts";
import type { IntegrationSettings, IntegrationType } from "../drivers/integration-type.ts";
import { type DriverRegistry, RESTART_MAX_MS } from "../drivers/registry.ts";
import { removeNodeFromHome } from "../drivers/remove-node.ts";
import type { ServiceState, ServiceStore } from "../drivers/service.ts";
import type { Surroundings } from "../drivers/surroundings.ts";
import { ControllerError, invariant } from "../errors.ts";
import { type Cause, SYSTEM_CAUSE } from "../home/cause.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Durability } from "../home/durability.ts";
import { highestId } from "../home/highest-ids.ts";
import type { Home } from "../home/home.ts";
import type { IntegrationRecord } from "../home/integrations.ts";
import type { Profile } from "../profile/profile.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { messageOf } from "../util/message-of.ts";
import { changedSettings, secretNames, withDefaults } from "./check-settings.ts";
import { type FoundIntegration, findIntegrations } from "./find-integrations.ts";
import { type ControllerSettings, reconcile, wantedBy } from "./reconcile.ts";
import type { IntegrationSecrets } from "./secrets.ts";

type IntegrationPorts = {
  readonly config: Pick<Config, "integrationsMax" | "integrationSettingsBytesMax" | "driverRestartMs">;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly durability: Durability;
  readonly profile: Profile;
  readonly drivers: DriverRegistry;
  readonly clock: Clock;
  readonly log: Log;
  readonly types: readonly IntegrationType[];
  /** See Store. */
  readonly takenOverFrom: string | null;
  readonly surroundings: (searchMs: number) => Surroundings;
  readonly secrets: IntegrationSecrets;
  readonly storeOf: (id: string) => ServiceStore;
  readonly hostOf: (id: string) => Parameters<DriverRegistry["add"]>[1];
};

/** An integration as it is now. */
export type Integration = IntegrationRecord & {
  readonly state: ServiceState;
  /** Why it is in this state: a sentence, or "". */
  readonly reason: string;
  readonly nodes: number;
  /** The setting of the controller that configures it, or null. */
  readonly setting: string | null;
};

type NewIntegration = {
  readonly type: string;
  /** Default: the type, with a number where there are several. */
  readonly id: string | null;
  readonly name: string | null;
  readonly settings: IntegrationSettings;
  readonly enabled: boolean;
};

type IntegrationPatch = {
  readonly name: string | null;
  /** Merged into the present settings; null resets a setting. */
  readonly settings: IntegrationSettings | null;
  readonly enabled: boolean | null;
};

/** A driver that could not be made, and when it is tried again. */
type Failure = { readonly reason: string; readonly timer: Timer; readonly waitMs: number };

/** Nodes that are removed in one turn of the event loop. */
const REMOVED_NODES = 10;

export class Integrations {
  readonly #ports: IntegrationPorts;
  readonly #failures = new Map<string, Failure>();
  /** Integrations with a change under way. */
  readonly #busy = new Set<string>();
  /** Settings of the controller by the id of the integration that they configure. */
  #managed: ReadonlyMap<string, string> = new Map();
  #isStopped = false;

  constructor(ports: IntegrationPorts) {
    this.#ports = ports;
  }

  /**
   * Called when the controller starts. Makes records match the settings, and registers every driver.
   * @param settings of the controller
   * @throws ControllerError when an integration in the settings is not possible.
   */
  async prepare(settings: ControllerSettings): Promise<void> {
    const { home, feed, types } = this.#ports;
    const wanted = wantedBy(settings, types);
    this.#managed = new Map(wanted.map(({ id, setting }) => [id, setting]));
    for (const change of reconcile(home.integrations, wanted)) feed.commit(change, SYSTEM_CAUSE);
    for (const record of [...home.integrations.values()]) this.#hideSecrets(record);
    for (const { id, enabled } of home.integrations.values()) {
      try {
        await this.#make(id, !enabled);
      } catch (error) {
        if (this.#managed.has(id)) throw error;
        if (enabled) this.#fail(id, error);
      }
    }
  }

  types(): readonly IntegrationType[] {
    return this.#ports.types;
  }

  /** Whether integrations of a type are notification channels. */
  isChannel(type: string): boolean {
    return this.#ports.types.some((each) => each.type === type && each.notifies);
  }

  /** What could be added. @param searchMs how long the network is searched; 0: only this machine */
  found(searchMs: number): Promise<readonly FoundIntegration[]> {
    const { types, surroundings, home } = this.#ports;
    return findIntegrations(types, surroundings(searchMs), () => [...home.integrations.values()]);
  }

  list(): readonly Integration[] {
    return [...this.#ports.home.integrations.values()].map((record) => this.#shown(record));
  }

  /** By id, or by a name that only one has. @throws ControllerError INTEGRATION_NOT_FOUND, CONFLICT */
  idOf(given: string): string {
    const { integrations } = this.#ports.home;
    if (integrations.has(given)) return given;
    const [named, other] = [...integrations.values()].filter(({ name }) => name === given);
    if (!named) throw new ControllerError("INTEGRATION_NOT_FOUND");
    if (other) throw new ControllerError("CONFLICT", `Several integrations are called "${given}". Use the id.`);
    return named.id;
  }

  /** @throws ControllerError INTEGRATION_NOT_FOUND */
  find(id: string): Integration {
    return this.#shown(this.#record(id));
  }

  /** @throws ControllerError SETTINGS_REFUSED, CONFLICT, LIMIT_REACHED, STORE_UNAVAILABLE */
  async add(wanted: NewIntegration, cause: Cause): Promise<Integration> {
    const { home, config, secrets } = this.#ports;
    const type = this.#typeOf(wanted.type);
    const ofType = [...home.integrations.values()].filter((record) => record.type === type.type);
    if (home.integrations.size >= config.integrationsMax || ofType.length >= type.instancesMax) {
      throw new ControllerError(
        "LIMIT_REACHED",
        ofType.length >= type.instancesMax
          ? `There can be ${type.instancesMax} of the type ${type.type}, and there are.`
          : `There can be ${config.integrationsMax} integrations (integrationsMax), and there are.`,
      );
    }
    const id = this.#idFor(type, wanted.id);
    return this.#alone(id, async () => {
      const settings = changedSettings(type, {}, wanted.settings);
      const plain = this.#split(type, settings);
      const record: IntegrationRecord = {
        id,
        type: type.type,
        name: wanted.name ?? (id === type.type ? type.name : `${type.name} ${id.slice(type.type.length)}`),
        settings: plain,
        secrets: secretNames(type.settings).filter((name) => settings[name] !== undefined),
        enabled: wanted.enabled,
        origin: "owner",
      };
      if (record.enabled) this.#requireClaims(record, settings);
      secrets.write(id, pick(settings, record.secrets));
      await this.#commit({ type: "integration-added", integration: record }, cause);
      await this.#launch(id);
    });
  }

  /** @throws ControllerError INTEGRATION_NOT_FOUND, SETTINGS_REFUSED, CONFLICT, STORE_UNAVAILABLE */
  async change(id: string, patch: IntegrationPatch, cause: Cause): Promise<Integration> {
    const { secrets } = this.#ports;
    return this.#alone(id, async () => {
      const before = this.#record(id);
      if (patch.settings) this.#requireUnmanaged(id);
      const type = this.#typeOf(before.type);
      const known = { ...before.settings, ...secrets.read(id, before.secrets) };
      const settings = patch.settings ? changedSettings(type, known, patch.settings) : known;
      const record: IntegrationRecord = {
        ...before,
        name: patch.name ?? before.name,
        settings: patch.settings ? this.#split(type, settings) : before.settings,
        secrets: patch.settings
          ? secretNames(type.settings).filter((name) => settings[name] !== undefined)
          : before.secrets,
        enabled: patch.enabled ?? before.enabled,
        origin: this.#managed.has(id) ? before.origin : "owner",
      };
      if (record.enabled) this.#requireClaims(record, settings);
      if (patch.settings) secrets.write(id, pick(settings, record.secrets));
      await this.#commit({ type: "integration-changed", integration: record, before }, cause);
      if (patch.settings)
        secrets.remove(
          id,
          before.secrets.filter((name) => !record.secrets.includes(name)),
        );
      if (patch.settings || record.enabled !== before.enabled) await this.#launch(id);
    });
  }

  /** @throws ControllerError INTEGRATION_NOT_FOUND, CONFLICT, STORE_UNAVAILABLE */
  async start(id: string, cause: Cause): Promise<Integration> {
    const { enabled, state } = this.find(id);
    if (enabled && state !== "failed" && state !== "stopped") return this.find(id);
    return enabled ? this.restart(id, cause) : this.change(id, { ...UNCHANGED, enabled: true }, cause);
  }

  /** It stays stopped, also after a restart of the controller. Its nodes keep their last values. */
  async stop(id: string, cause: Cause): Promise<Integration> {
    if (!this.#record(id).enabled) return this.find(id);
    return this.change(id, { ...UNCHANGED, enabled: false }, cause);
  }

  async restart(id: string, cause: Cause): Promise<Integration> {
    const { enabled } = this.#record(id);
    if (!enabled) return this.change(id, { ...UNCHANGED, enabled: true }, cause);
    return this.#alone(id, () => this.#launch(id));
  }

  /** Does something while it does not run, and starts it again. @throws ControllerError CONFLICT while another change is under way */
  async whileStopped(id: string, work: () => Promise<void>): Promise<Integration> {
    return this.#alone(id, async () => {
      await this.#ports.drivers.halt(id, "");
      try {
        await work();
      } finally {
        await this.#launch(id);
      }
    });
  }

  /**
   * @param nodes what becomes of its nodes; kept ones stay with their last values and definitions, unreachable. null: it is
   *   refused when there are nodes.
   * @throws ControllerError INTEGRATION_NOT_FOUND, CONFLICT, STORE_UNAVAILABLE
   */
  async remove(id: string, nodes: "remove" | "keep" | null, cause: Cause): Promise<void> {
    const { drivers, profile, secrets, storeOf, log } = this.#ports;
    await this.#locked(id, async () => {
      const before = this.#record(id);
      this.#requireUnmanaged(id);
      const count = this.#nodesOf(id).length;
      if (count > 0 && nodes === null) {
        const sentence = `It has ${count === 1 ? "one node" : `${count} nodes`}: remove or keep them with ?nodes=remove or ?nodes=keep.`;
        throw new ControllerError("CONFLICT", sentence);
      }
      this.#forgetFailure(id);
      await drivers.leave(id);
      await drivers.drop(id);
      if (nodes !== "keep") {
        await this.#removeNodes(id, cause);
        profile.retract(id);
        const store = storeOf(id);
        for (const key of store.keys()) store.delete(key);
      }
      await this.#commit({ type: "integration-removed", id, before }, cause);
      secrets.remove(id, before.secrets);
      log.info("An integration was removed.", { integration: id, nodes: nodes ?? "none", by: cause.by });
    });
  }

  /** Ends with the controller; the registry stops the drivers. */
  stopAll(): void {
    this.#isStopped = true;
    for (const id of [...this.#failures.keys()]) this.#forgetFailure(id);
  }

  /** Stops what runs of it and starts it again, if it is enabled. Resolves when the old one has stopped. */
  async #launch(id: string): Promise<void> {
    const { drivers, home } = this.#ports;
    this.#forgetFailure(id);
    await drivers.drop(id);
    const record = home.integrations.get(id);
    if (!record || this.#isStopped) return;
    try {
      await this.#make(id, true);
      if (record.enabled) void drivers.run(id);
    } catch (error) {
      if (record.enabled) this.#fail(id, error);
    }
  }

  async #make(id: string, isHeld: boolean): Promise<void> {
    const { drivers, hostOf, secrets, storeOf } = this.#ports;
    const record = this.#record(id);
    const type = this.#typeOf(record.type);
    const secret = secrets.read(id, record.secrets);
    const lost = record.secrets.find((name) => secret[name] === undefined);
    if (lost !== undefined) {
      const sentence = `The secret setting ${lost} is missing in the data directory. Set it again.`;
      throw new ControllerError("SETTINGS_REFUSED", sentence);
    }
    const settings = { ...withDefaults(type.settings, record.settings), ...secret };
    const runner = await type.create({ id, settings, store: storeOf(id) });
    const host = hostOf(id);
    drivers.add(runner, host, isHeld);
    invariant(drivers.find(id) !== null, "What runs for an integration has its id as name.");
    if (isHeld && !record.enabled) host.lose();
  }

  #fail(id: string, error: unknown): void {
    const { log, clock, config } = this.#ports;
    const reason = messageOf(error);
    const before = this.#failures.get(id);
    const waitMs = before ? Math.min(before.waitMs * 2, RESTART_MAX_MS) : config.driverRestartMs;
    if (!before) log.error("An integration cannot be started.", { integration: id, reason });
    const timer = clock.setTimer(() => void this.#retry(id), waitMs);
    this.#failures.set(id, { reason, timer, waitMs });
  }

  async #retry(id: string): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.#locked(id, async () => {
        await this.#make(id, true);
        this.#forgetFailure(id);
      });
      await this.#ports.drivers.run(id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #forgetFailure(id: string): void {
    this.#failures.get(id)?.timer.cancel();
    this.#failures.delete(id);
  }

  /** With the marks of nodes that an owner removed: the next integration under these addresses begins anew. */
  async #removeNodes(id: string, cause: Cause): Promise<void> {
    const { home, feed } = this.#ports;
    for (const { address, driver } of [...home.hiddenNodes.values()]) {
      if (driver === id) feed.commit({ type: "node-removed", address }, cause);
    }
    let removed = 0;
    for (const address of this.#nodesOf(id)) {
      removeNodeFromHome(this.#ports, address, cause);
      removed += 1;
      if (removed % REMOVED_NODES === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** Further nodes of a device go before its first one. */
  #nodesOf(id: string): readonly string[] {
    const own = [...this.#ports.home.nodes.values()].filter(({ driver }) => driver === id);
    return own.map(({ address }) => address).reverse();
  }

  #shown(record: IntegrationRecord): Integration {
    const { id } = record;
    const failure = this.#failures.get(id);
    const running = this.#ports.drivers.find(id);
    const { state, detail } = failure
      ? { state: "failed" as const, detail: failure.reason }
      : (running ?? { state: "stopped" as const, detail: "" });
    const reason = state === "failed" && running?.fence === "local" ? this.#staying(detail) : detail;
    const isOrphaned = !record.enabled && record.origin === "settings" && !this.#managed.has(id);
    return {
      ...record,
      state,
      reason: isOrphaned ? "The controller's setting that created it is no longer set." : reason,
      nodes: this.#nodesOf(id).length,
      setting: this.#managed.get(id) ?? null,
    };
  }

  /** What is plugged into a machine does not move with the home. */
  #staying(detail: string): string {
    const { takenOverFrom } = this.#ports;
    if (takenOverFrom === null) return detail;
    return `${detail} It stays with ${takenOverFrom}: plug its device into this machine, or let that machine run the home.`.trim();
  }

  #record(id: string): IntegrationRecord {
    const record = this.#ports.home.integrations.get(id);
    if (!record) throw new ControllerError("INTEGRATION_NOT_FOUND");
    return record;
  }

  #typeOf(name: string): IntegrationType {
    const { types } = this.#ports;
    const found = types.find(({ type }) => type === name);
    if (found) return found;
    const names = types.map(({ type }) => type).join(", ");
    throw new ControllerError("SETTINGS_REFUSED", `There is no type ${name}. The types are ${names}.`);
  }

  #idFor({ type, notifies: isChannel }: IntegrationType, wanted: string | null): string {
    const { home } = this.#ports;
    const isTaken = (id: string) => home.integrations.has(id) || this.#busy.has(id);
    if (wanted !== null) {
      if (!new RegExp(`^${type}\\d{0,4}$`).test(wanted)) {
        throw new ControllerError("SETTINGS_REFUSED", `The id is ${type}, or ${type} and a number.`);
      }
      if (isTaken(wanted)) throw new ControllerError("CONFLICT", `There is an integration ${wanted} already.`);
      return wanted;
    }
    // One that was removed and left its nodes behind would find them again under its id; that is for the owner to choose.
    const left = new Set([...home.nodes.values()].map(({ driver }) => driver));
    // Programs name channels: another channel must not get the id of one that was removed.
    const above = isChannel ? highestId(home, `integration ${type}`) : 0;
    for (let number = above + 1; ; number += 1) {
      const id = number === 1 ? type : `${type}${number}`;
      if (!isTaken(id) && !left.has(id)) return id;
    }
  }

  #requireUnmanaged(id: string): void {
    const setting = this.#managed.get(id);
    if (setting === undefined) return;
    throw new ControllerError(
      "CONFLICT",
      `The setting ${setting} of the controller configures this integration. Change it there.`,
    );
  }

  #requireClaims(record: IntegrationRecord, settings: IntegrationSettings): void {
    const claims = this.#claimsOf(record, settings);
    for (const other of this.#ports.home.integrations.values()) {
      if (other.id === record.id || !other.enabled) continue;
      const both = this.#claimsOf(other, other.settings).find((claim) => claims.includes(claim));
      if (both !== undefined) {
        throw new ControllerError("CONFLICT", `The integration ${other.id} uses the ${both} already.`);
      }
    }
  }

  #claimsOf({ type }: IntegrationRecord, settings: IntegrationSettings): readonly string[] {
    const known = this.#typeOf(type);
    return known.claims?.(withDefaults(known.settings, settings)) ?? [];
  }

  /** A setting that is a secret since this version. Neither the home nor the journal holds it from now on. */
  #hideSecrets(record: IntegrationRecord): void {
    const { secrets, feed } = this.#ports;
    const type = this.#ports.types.find((each) => each.type === record.type);
    const hidden = (type ? secretNames(type.settings) : []).filter((name) => record.settings[name] !== undefined);
    if (hidden.length === 0) return;
    const { id, settings } = record;
    secrets.write(id, { ...secrets.read(id, record.secrets), ...pick(settings, hidden) });
    const plain = Object.keys(settings).filter((name) => !hidden.includes(name));
    const integration = { ...record, settings: pick(settings, plain), secrets: [...record.secrets, ...hidden] };
    feed.commit({ type: "integration-changed", integration, before: integration }, SYSTEM_CAUSE);
  }

  /** The settings that the home and the journal may hold. @throws ControllerError SETTINGS_REFUSED when they are too long. */
  #split(type: IntegrationType, settings: IntegrationSettings): IntegrationSettings {
    const secret = secretNames(type.settings);
    const { integrationSettingsBytesMax: bytesMax } = this.#ports.config;
    if (Buffer.byteLength(JSON.stringify(settings)) > bytesMax) {
      throw new ControllerError("SETTINGS_REFUSED", `The settings are longer than ${bytesMax} bytes.`);
    }
    return pick(
      settings,
      Object.keys(settings).filter((name) => !secret.includes(name)),
    );
  }

  async #commit(change: Parameters<ChangeFeed["commit"]>[0], cause: Cause): Promise<void> {
    const { seq } = this.#ports.feed.commit(change, cause);
    await this.#ports.durability.committed(seq);
  }

  async #alone(id: string, work: () => Promise<void>): Promise<Integration> {
    await this.#locked(id, work);
    return this.find(id);
  }

  async #locked(id: string, work: () => Promise<void>): Promise<void> {
    if (this.#busy.has(id)) {
      throw new ControllerError("CONFLICT", "The integration is being changed. Try again in a moment.");
    }
    this.#busy.add(id);
    try {
      await work();
    } finally {
      this.#busy.delete(id);
    }
  }
}

const UNCHANGED: IntegrationPatch = { name: null, settings: null, enabled: null };

function pick(settings: IntegrationSettings, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}
