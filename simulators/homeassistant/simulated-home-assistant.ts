/**
 * A Home Assistant that plays its WebSocket interface: login, registries, states and their changes, services. Facts are those of a
 * running 2026.2: answers come after the change, a service succeeds whatever the device does, and everything closes with code 1000.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

type Attributes = Record<string, unknown>;
type Fields = Readonly<Record<string, unknown>>;

type SimulatedEntity = {
  state: string;
  attributes: Attributes;
  /** null: it has no row in the registry. */
  readonly row: Fields | null;
  /** Its id, or all of it. */
  context: string | Fields;
};

type Called = {
  readonly domain: string;
  readonly service: string;
  readonly entity: string;
  readonly data: Fields;
};

type Client = {
  readonly socket: WebSocket;
  isIn: boolean;
  states: number | null;
  readonly events: Map<string, number>;
};

const VERSION = "2026.2.3";

export class SimulatedHomeAssistant {
  token = "token 1";
  /** As `get_config` tells it. */
  state = "RUNNING";
  isRecovering = false;
  temperatureUnit = "°C";
  readonly entities = new Map<string, SimulatedEntity>();
  readonly devices: Fields[] = [];
  readonly areas: Fields[] = [];
  readonly labels: Fields[] = [];
  readonly floors: Fields[] = [];
  /** Of automations and scripts by their entities, and of scenes by their ids. */
  readonly configs = new Map<string, unknown>();
  /** Whether the account of the token is an administrator's. */
  isAdmin = true;
  readonly calls: Called[] = [];
  /** Entities whose devices do nothing. */
  readonly deaf = new Set<string>();
  /** Sentences of those that refuse. */
  readonly refusing = new Map<string, string>();
  /** Those whose services answer only when this is called. */
  readonly blocked = new Map<string, () => void>();
  /** Entities that only the registry knows. */
  readonly withoutState = new Set<string>();
  logins = 0;
  /** Asked for a sign of life, it says nothing. */
  isFrozen = false;
  readonly #server: Server;
  readonly #clients = new Set<Client>();
  #contexts = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => this.#answerRequest(request, response));
    const sockets = new WebSocketServer({ server, path: "/api/websocket" });
    sockets.on("connection", (socket) => this.#welcome(socket));
  }

  static async start(port = 0): Promise<SimulatedHomeAssistant> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
    return new SimulatedHomeAssistant(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @param row members of its row in the registry; null: it has none */
  add(name: string, state: string, attributes: Attributes = {}, row: Fields | null = {}): void {
    const id = `id-${name}`;
    const entity = {
      state,
      attributes,
      row: row && { id, entity_id: name, labels: [], ...row },
      context: this.#context(),
    };
    this.entities.set(name, entity);
    this.#tell({ a: { [name]: wholeOf(entity) } });
  }

  /** As after a change of its device, of a person or an automation. */
  set(name: string, state: string, attributes: Attributes = {}, context: string | Fields = this.#context()): void {
    const entity = this.entities.get(name);
    if (!entity) throw new Error(`There is no ${name}.`);
    const isOther = state !== entity.state;
    Object.assign(entity, { state, attributes: { ...entity.attributes, ...attributes }, context });
    this.#tell({ c: { [name]: { "+": { ...(isOther && { s: state }), a: attributes, c: context } } } });
  }

  remove(name: string): void {
    this.entities.delete(name);
    this.#tell({ r: [name] });
  }

  registryMoved(registry: "entity" | "device", data: Fields): void {
    for (const client of this.#clients) {
      const id = client.events.get(`${registry}_registry_updated`);
      if (id !== undefined) send(client, { id, type: "event", event: { data } });
    }
  }

  /** Bytes that its clients have not taken. */
  get unreadBytes(): number {
    return [...this.#clients].reduce((sum, { socket }) => sum + socket.bufferedAmount, 0);
  }

  /** Revokes the token, and closes every connection. */
  revoke(token: string): void {
    this.token = token;
    this.cut();
  }

  cut(): void {
    for (const { socket } of this.#clients) socket.close(1000);
  }

  async stop(): Promise<void> {
    for (const { socket } of this.#clients) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #answerRequest({ url = "", headers }: IncomingMessage, response: ServerResponse): void {
    const isAllowed = this.isAdmin && headers.authorization === `Bearer ${this.token}`;
    const config = this.configs.get(decodeURIComponent(url.replace("/api/config/scene/config/", "")));
    response.writeHead(isAllowed ? (config === undefined ? 404 : 200) : 401, { "Content-Type": "application/json" });
    response.end(JSON.stringify(isAllowed ? (config ?? { message: "Resource not found" }) : null));
  }

  /** A configuration is for administrators. */
  #tellConfig(client: Client, id: number, entity: string): void {
    const refused = (code: string, message: string) => ({
      id,
      type: "result",
      success: false,
      error: { code, message },
    });
    if (!this.isAdmin) send(client, refused("unauthorized", "Unauthorized"));
    else if (!this.configs.has(entity)) send(client, refused("not_found", "Entity not found"));
    else send(client, { id, type: "result", success: true, result: { config: this.configs.get(entity) } });
  }

  #context(): string {
    this.#contexts += 1;
    return `context ${this.#contexts}`;
  }

  #welcome(socket: WebSocket): void {
    const client: Client = { socket, isIn: false, states: null, events: new Map() };
    this.#clients.add(client);
    socket.on("close", () => this.#clients.delete(client));
    socket.on("message", (data) => {
      if (!this.isFrozen) this.#receive(client, JSON.parse(String(data)) as Fields);
    });
    send(client, { type: "auth_required", ha_version: VERSION });
  }

  #receive(client: Client, message: Fields): void {
    if (!client.isIn) {
      this.logins += 1;
      client.isIn = message.access_token === this.token;
      send(client, { type: client.isIn ? "auth_ok" : "auth_invalid", message: "Invalid access token" });
      if (!client.isIn) client.socket.close(1000);
      return;
    }
    const id = Number(message.id);
    const answer = (result: unknown) => send(client, { id, type: "result", success: true, result });
    const rows = [...this.entities.values()].flatMap(({ row }) => row ?? []);
    const unit_system = { temperature: this.temperatureUnit };
    const configuration = { state: this.state, unit_system, recovery_mode: this.isRecovering, safe_mode: false };
    const results: Readonly<Record<string, unknown>> = {
      get_config: configuration,
      "config/entity_registry/list": rows,
      "config/device_registry/list": this.devices,
      "config/area_registry/list": this.areas,
      "config/label_registry/list": this.labels,
      "config/floor_registry/list": this.floors,
    };
    if (message.type === "ping") send(client, { id, type: "pong" });
    else if (message.type === "call_service") this.#call(client, id, message);
    else if (message.type === "automation/config" || message.type === "script/config")
      this.#tellConfig(client, id, String(message.entity_id));
    else if (message.type === "subscribe_entities") {
      client.states = id;
      answer(null);
      const stated = [...this.entities].filter(([name]) => !this.withoutState.has(name));
      const all = Object.fromEntries(stated.map(([name, entity]) => [name, wholeOf(entity)]));
      send(client, { id, type: "event", event: { a: all } });
    } else {
      if (message.type === "subscribe_events") client.events.set(String(message.event_type), id);
      answer(results[String(message.type)] ?? null);
    }
  }

  #call(client: Client, id: number, message: Fields): void {
    const { domain, service, service_data: data = {}, target } = message as Record<string, Fields & string>;
    const names = [(target as Fields | undefined)?.entity_id ?? []].flat().map(String);
    const context = this.#context();
    const [entity = ""] = names;
    this.calls.push({ domain: String(domain), service: String(service), entity, data: data as Fields });
    const refusal = this.refusing.get(entity);
    if (refusal !== undefined) {
      const error = { code: "home_assistant_error", message: refusal };
      send(client, { id, type: "result", success: false, error });
      return;
    }
    const answer = () => {
      const known = this.entities.get(entity);
      if (known && known.state !== "unavailable" && !this.deaf.has(entity))
        this.#play(entity, known, String(service), data as Fields, context);
      send(client, { id, type: "result", success: true, result: { context: { id: context } } });
    };
    if (this.blocked.has(entity)) this.blocked.set(entity, answer);
    else answer();
  }

  /** As the devices of Home Assistant's own demo do. */
  #play(name: string, { state, attributes }: SimulatedEntity, service: string, data: Fields, context: string): void {
    const say = (next: string, more: Attributes = {}) => {
      const isSame = next === state && Object.entries(more).every(([key, value]) => attributes[key] === value);
      if (!isSame) this.set(name, next, more, context);
    };
    if (service === "turn_on")
      say("on", name.startsWith("light.") ? { brightness: attributes.brightness ?? 255, ...data } : {});
    else if (service === "turn_off") say("off", name.startsWith("light.") ? { brightness: null, hs_color: null } : {});
    else if (service === "set_percentage") say(data.percentage === 0 ? "off" : "on", { ...data });
    else if (service === "open_cover") say("open", { current_position: 100 });
    else if (service === "close_cover") say("closed", { current_position: 0 });
    else if (service === "set_cover_position")
      say(data.position === 0 ? "closed" : "open", { current_position: data.position });
    else if (service === "lock" || service === "unlock") {
      this.set(name, `${service}ing`, {}, context);
      say(`${service}ed`);
    } else if (service === "open_valve" || service === "close_valve") say(service === "open_valve" ? "open" : "closed");
    else if (service === "set_hvac_mode") say(String(data.hvac_mode));
    else if (service === "set_temperature" || service === "set_fan_mode") say(state, { ...data });
    else if (service === "set_value") say(String(data.value));
    else if (service === "select_option") say(String(data.option));
  }

  #tell(event: Fields): void {
    for (const client of this.#clients)
      if (client.states !== null) send(client, { id: client.states, type: "event", event });
  }
}

function wholeOf({ state, attributes, context }: SimulatedEntity): Fields {
  return { s: state, a: attributes, c: context, lc: 1_780_000_000 };
}

function send({ socket }: Client, message: Fields): void {
  socket.send(JSON.stringify(message));
}
