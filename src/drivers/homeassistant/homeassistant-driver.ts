/**
 * A Home Assistant as a supplier of devices: its entities are nodes, its states their values, its services their commands. That a service
 * succeeded says nothing of the device: a command is confirmed by the state that follows.
 *
 * @see docs/home-assistant.md
 */

import { ControllerError, invariant } from "../../errors.ts";
import { delay, type Timer } from "../../util/clock.ts";
import { foreignText } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { rejectOnAbort } from "../../util/reject-on-abort.ts";
import { inSlices } from "../../util/slices.ts";
import { type DriverCommand, failed, type Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import type { Message } from "../exposed/feature.ts";
import { isNear } from "../exposed/listed-device.ts";
import { NumberedDevices, SUPPLIED_DEVICES } from "../exposed/numbered-devices.ts";
import { BAD_VALUE, UNSUPPORTED } from "../exposed/outcomes.ts";
import type { HomeSource, SourceHome } from "../home-source.ts";
import { CallRefused, HomeAssistantConnection, TokenRefused } from "./connection.ts";
import { isReachable } from "./entity.ts";
import { Registries } from "./registries.ts";
import { type FoundEntity, SuppliedEntities } from "./supplied-entities.ts";

export type HomeAssistantOptions = {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** PEM; "": the machine's trusted authorities. */
  readonly ca: string;
  /** "": every entity. */
  readonly label: string;
  /** Whether locks, doors of garages and sirens are taken. */
  readonly secured: boolean;
  /** Of this controller. */
  readonly uuid: string;
};

/** A command whose effect is waited for. */
type UnderWay = {
  readonly entity: string;
  readonly message: Message;
  readonly commandId: string;
  readonly confirmed: PromiseWithResolvers<void>;
  isConfirmed: boolean;
};
type Running = {
  readonly host: DriverHost;
  readonly connection: HomeAssistantConnection;
  readonly devices: NumberedDevices;
  readonly entities: SuppliedEntities;
  readonly lost: AbortController;
  /** Of temperatures: °C or °F. */
  unit: string;
  isReady: boolean;
  planning: Timer | null;
};

const CONNECTION = { from: "the connection to Home Assistant" };
const REGISTRIES = ["entity", "device", "area", "label"] as const;
const START_LOOK_MS = 1000;
/** New entities and their rows in the registry come one after the other. */
const PLAN_AFTER_MS = 1000;
const ECHO_MS = 1500;
const NOT_READY = failed("not-ready", "Home Assistant is not connected.", true);
const UNKNOWN = failed("unreachable", "Home Assistant does not have this device any more.");
const UNAVAILABLE = failed("unreachable", "Home Assistant cannot reach the device.", true);
const GIVEN_UP = failed("timeout", "The command was given up. Home Assistant may still carry it out.", true);
const JAMMED = failed("rejected", "The lock is jammed.", true);
const UNSEEN: Outcome = { kind: "sent", detail: "Home Assistant took it, and the device did not report its state." };
const SAME: Outcome = { kind: "sent", detail: "The device was so already, as far as Home Assistant knows." };
const ASSUMED: Outcome = { kind: "sent", detail: "Home Assistant only assumes the state of this device." };
const ACKED: Outcome = { kind: "acked" };

export class HomeAssistantDriver implements Driver {
  readonly name: string;
  /** An update there takes minutes, and its devices are wanted back right after it. */
  readonly restartMaxMs = 30_000;
  readonly source: HomeSource = { system: "Home Assistant", read: (signal) => this.#readSource(signal) };
  readonly #options: HomeAssistantOptions;
  readonly #underWay = new Set<UnderWay>();
  #running: Running | null = null;
  #known: { readonly host: DriverHost; readonly devices: NumberedDevices } | null = null;
  /** Another try with the same token would be counted as an attack. */
  #isTokenRefused = false;

  constructor(options: HomeAssistantOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async restore(host: DriverHost): Promise<void> {
    await this.#devicesOf(host);
  }

  /** Planned once, not again at each start. */
  async #devicesOf(host: DriverHost): Promise<NumberedDevices> {
    if (this.#known?.host !== host) {
      const devices = new NumberedDevices(host, SUPPLIED_DEVICES);
      await inSlices(devices.load());
      this.#known = { host, devices };
    }
    return this.#known.devices;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    invariant(!this.#running, "A driver is stopped before it is started again.");
    if (this.#isTokenRefused) throw new TokenRefused();
    const devices = await this.#devicesOf(host);
    const connection = await this.#connect(host, signal);
    const lost = new AbortController();
    const entities = new SuppliedEntities({
      ...{ host, devices, secured: this.#options.secured, isOver: () => lost.signal.aborted },
      planSoon: () => this.#planSoon(running),
      answered: (entity, message) => this.#answered(entity, message),
    });
    const running: Running = {
      ...{ host, connection, devices, entities, lost },
      ...{ unit: "°C", isReady: false, planning: null },
    };
    this.#running = running;
    const first = Promise.withResolvers<void>();
    await connection.subscribe("subscribe_entities", {}, (event) => {
      entities.receive(event);
      first.resolve();
    });
    await Promise.race([first.promise, rejectOnAbort(lost.signal)]);
    const account = await connection.ask("auth/current_user").catch(() => null);
    if (isRecord(account)) entities.ownUser = foreignText(account.id, 100);
    for (const registry of REGISTRIES) {
      const event_type = `${registry}_registry_updated`;
      await connection.subscribe("subscribe_events", { event_type }, (event) => this.#registryMoved(running, event));
    }
    if (await this.#isStarted(running)) await this.#begin(running);
    else {
      void this.#untilStarted(running).catch((error: unknown) => {
        if (!lost.signal.aborted) host.log.warn("Home Assistant did not say how it is.", { error });
      });
    }
  }

  async #connect(host: DriverHost, signal: AbortSignal): Promise<HomeAssistantConnection> {
    const { url, token, ca } = this.#options;
    try {
      return await HomeAssistantConnection.open(
        {
          ...{ url, token, ca, clock: host.clock },
          guard: (read) => void host.guard(CONNECTION, read),
          lost: () => this.#lose(),
        },
        signal,
      );
    } catch (error) {
      this.#isTokenRefused = error instanceof TokenRefused;
      throw error;
    }
  }

  async #registriesOf(connection: HomeAssistantConnection): Promise<Registries> {
    const { label, uuid } = this.#options;
    const [entities, devices, areas, labels] = await Promise.all(
      REGISTRIES.map((each) => connection.ask(`config/${each}_registry/list`)),
    );
    return new Registries({ entities, devices, areas, labels }, { label, uuid });
  }

  /** It takes logins long before everything is there. */
  async #isStarted(running: Running): Promise<boolean> {
    const config = await running.connection.ask("get_config");
    if (!isRecord(config)) return false;
    const isRecovering = config.recovery_mode === true || config.safe_mode === true;
    const units = isRecord(config.unit_system) ? config.unit_system : {};
    running.unit = units.temperature === "°F" ? "°F" : "°C";
    if (config.state === "RUNNING" && !isRecovering) return true;
    const reason = isRecovering ? "Home Assistant runs without its integrations." : "Home Assistant is starting.";
    running.host.status("degraded", reason);
    return false;
  }

  async #untilStarted(running: Running): Promise<void> {
    do await delay(running.host.clock, START_LOOK_MS, running.lost.signal);
    while (!(await this.#isStarted(running)));
    await this.#begin(running);
  }

  async #begin(running: Running): Promise<void> {
    await this.#plan(running);
    running.lost.signal.throwIfAborted();
    running.isReady = true;
    running.entities.begin();
    running.host.status("ready", "");
  }

  async #plan({ connection, entities, unit }: Running): Promise<void> {
    const registries = await this.#registriesOf(connection);
    await inSlices(entities.plan(registries, unit));
  }

  async #readSource(signal: AbortSignal): Promise<SourceHome> {
    const running = this.#running;
    if (!running?.isReady) throw new ControllerError("DRIVER_UNAVAILABLE", "Home Assistant is not connected.");
    const { connection, entities } = running;
    const { url, token, ca } = this.#options;
    const { readSource } = await import("./way-in/source.ts");
    try {
      const registries = await this.#registriesOf(connection);
      const read = readSource({ connection, entities, registries, server: { url, token, ca } }, signal);
      return await Promise.race([read, rejectOnAbort(signal)]);
    } catch (error) {
      if (!running.lost.signal.aborted && !signal.aborted) throw error;
      throw new ControllerError("DRIVER_UNAVAILABLE", "The connection to Home Assistant was lost.");
    }
  }

  async stop(): Promise<void> {
    this.#end("The driver was stopped.")?.host.status("stopped", "");
  }

  #lose(): void {
    this.#end("The connection to Home Assistant was lost.")?.host.status(
      "failed",
      "The connection to Home Assistant was lost.",
    );
  }

  #end(reason: string): Running | null {
    const running = this.#running;
    this.#running = null;
    running?.lost.abort(new Error(reason));
    running?.planning?.cancel();
    running?.connection.end();
    return running;
  }

  async send({ id: commandId, address, command, parameters, signal }: DriverCommand): Promise<Outcome> {
    const running = this.#running;
    if (!running) return NOT_READY;
    const found = running.devices.find(address);
    if (!found) return UNKNOWN;
    if (signal.aborted) return GIVEN_UP;
    const known = found.node.plan.commands.find((each) => each.id === command);
    if (!known) return UNSUPPORTED;
    const message = known.message(parameters);
    if (!message) return BAD_VALUE;
    const meant = running.entities.find(found.device, message);
    if (!meant) return UNKNOWN;
    if (!isReachable(meant.state)) return UNAVAILABLE;
    const { entity } = meant;
    const mine = { entity, message, commandId, confirmed: Promise.withResolvers<void>(), isConfirmed: false };
    this.#underWay.add(mine);
    try {
      return await this.#call(running, meant, mine, signal);
    } catch (error) {
      if (signal.aborted) return GIVEN_UP;
      return error instanceof CallRefused ? failed("rejected", error.message) : NOT_READY;
    } finally {
      this.#underWay.delete(mine);
    }
  }

  /** The state comes before the answer, or with it, where the device has done it by then. */
  async #call(running: Running, meant: FoundEntity, mine: UnderWay, signal: AbortSignal): Promise<Outcome> {
    const { entity, made, state } = meant;
    const call = made.call(mine.message, state);
    if (!call) return BAD_VALUE;
    const { domain, service, data } = call;
    const answer = await askUntil(running, signal, {
      domain,
      service,
      service_data: data,
      target: { entity_id: entity },
    });
    if (state.attributes.assumed_state === true) return ASSUMED;
    const now = running.entities.stateOf(entity) ?? state;
    const isOwn = isRecord(answer) && isRecord(answer.context) && answer.context.id === now.context.id;
    if (mine.isConfirmed || (made.moves && isOwn)) return ACKED;
    if (now.state === "jammed") return JAMMED;
    if (hasAll(made.read(now), mine.message)) return isOwn ? ACKED : SAME;
    await Promise.race([mine.confirmed.promise, delay(running.host.clock, ECHO_MS, running.lost.signal)]);
    if (running.entities.stateOf(entity)?.state === "jammed") return JAMMED;
    return mine.isConfirmed ? ACKED : UNSEEN;
  }

  /** Asks Home Assistant to update the entities, which some integrations read from their devices, and reports its states. */
  async query(address: string, signal: AbortSignal): Promise<Outcome> {
    const running = this.#running;
    if (!running) return NOT_READY;
    const found = running.devices.find(address);
    if (!found) return UNKNOWN;
    const entities = running.entities.of(found.device, found.node);
    const target = { entity_id: entities };
    try {
      await askUntil(running, signal, { domain: "homeassistant", service: "update_entity", service_data: {}, target });
      for (const entity of entities) running.entities.repeat(entity, "query");
      return UNSEEN;
    } catch (error) {
      if (signal.aborted) return GIVEN_UP;
      return error instanceof CallRefused ? failed("rejected", error.message) : NOT_READY;
    }
  }

  #answered(entity: string, message: Message) {
    for (const each of this.#underWay) {
      if (each.entity !== entity || !hasAll(message, each.message)) continue;
      each.isConfirmed = true;
      each.confirmed.resolve();
      return { cause: "ack", commandId: each.commandId } as const;
    }
    return null;
  }

  #registryMoved(running: Running, event: unknown): void {
    const data = isRecord(event) && isRecord(event.data) ? event.data : {};
    const id = data.action === "remove" ? foreignText(data.device_id, 100) : "";
    const device = id === "" ? null : running.devices.ofId(`device ${id}`);
    if (device) running.devices.remove(device);
    this.#planSoon(running);
  }

  #planSoon(running: Running): void {
    if (running.planning || running.lost.signal.aborted) return;
    running.planning = running.host.clock.setTimer(() => {
      running.planning = null;
      if (!running.isReady) return;
      void this.#plan(running).catch((error: unknown) => {
        if (!running.lost.signal.aborted) running.host.log.warn("Home Assistant's lists cannot be read.", { error });
      });
    }, PLAN_AFTER_MS);
  }
}

function askUntil(running: Running, signal: AbortSignal, call: Readonly<Record<string, unknown>>): Promise<unknown> {
  return Promise.race([running.connection.ask("call_service", call), rejectOnAbort(signal)]);
}

/** Whether the state shows what was wanted. */
function hasAll(told: Message, wanted: Message): boolean {
  return Object.entries(wanted).every(([key, value]) => key in told && isNear(value, told[key]));
}
