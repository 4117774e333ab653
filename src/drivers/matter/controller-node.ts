/**
 * The controller as a node of Matter: commissions devices, keeps a subscription with each, sends commands. Runs in a thread of its
 * own. Import it after `configureLibrary`.
 */

import {
  ChangeNotificationService,
  ClientNode,
  ControllerBehavior,
  causedBy,
  type Duration,
  type Endpoint,
  Environment,
  IcdPeerAsleepError,
  ServerNode,
} from "@matter/main";
import { Peer } from "@matter/main/protocol";
import { StatusResponseError } from "@matter/main/types";
import { messageOf } from "../../util/message-of.ts";
import { rejectOnAbort } from "../../util/reject-on-abort.ts";
import type {
  AttestationFinding,
  ClusterAction,
  ControllerEvent,
  ControllerFailure,
  ControllerOrder,
  ControllerTask,
  PairingCode,
} from "./controller-messages.ts";
import { describePeer, plainValue, plainValues, stateOf } from "./describe-peer.ts";
import { PeerWatch, WATCH_TIMES, type WatchTimes } from "./peer-watch.ts";

type Root = ServerNode<typeof CONTROLLER>;
type Change = ChangeNotificationService.Change;
type Emit = (event: ControllerEvent) => void;
type Answers = { readonly peer?: string; readonly answers?: readonly unknown[] };
type Options = { readonly environment?: Environment; readonly times?: WatchTimes };

const CONTROLLER = ServerNode.RootEndpoint.with(ControllerBehavior);
/** Attributes that say what the device is: its name, and whether it sleeps. */
const DESCRIBED: ReadonlySet<string> = new Set(["nodeLabel", "operatingMode"]);
/** Changes of a device's endpoints come one after another. */
const STRUCTURE_MS = 200;
/** A device that does not answer for so long is lost. */
const CONNECT_MS = 8000;
const CANCELED: ControllerFailure = { reason: "cancelled", detail: "It was canceled." };
const NOT_FOUND: ControllerFailure = { reason: "not-found", detail: "The device is not known." };

export class ControllerNode {
  readonly #root: Root;
  readonly #emit: Emit;
  readonly #times: WatchTimes;
  readonly #watches = new Map<string, PeerWatch>();
  readonly #underWay = new Map<number, AbortController>();
  readonly #questions = new Map<number, (isAccepted: boolean) => void>();
  readonly #restructured = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  private constructor(root: Root, emit: Emit, times: WatchTimes) {
    this.#root = root;
    this.#emit = emit;
    this.#times = times;
  }

  static async start(
    { networkInterface, name }: ControllerTask,
    emit: Emit,
    { environment = Environment.default, times = WATCH_TIMES }: Options = {},
  ): Promise<ControllerNode> {
    if (networkInterface !== null) environment.vars.set("mdns.networkInterface", networkInterface);
    const root = await ServerNode.create(CONTROLLER, {
      ...{ id: "controller", environment, network: { port: 0 } },
      // It commissions others and is not commissioned itself.
      commissioning: { enabled: false },
      controller: { adminFabricLabel: name.slice(0, 32) || "Domovoi" },
    });
    const node = new ControllerNode(root, emit, times);
    root.env.get(ChangeNotificationService).change.on((change) => node.#follow(change));
    for (const peer of root.peers) if (peer.lifecycle.isCommissioned) node.#tell(peer, false);
    await root.start();
    for (const peer of root.peers) if (peer.lifecycle.isCommissioned) node.#watch(peer);
    emit({ kind: "ready" });
    return node;
  }

  obey(order: ControllerOrder): Promise<void> {
    switch (order.kind) {
      case "commission":
        return this.#answer(order.request, null, (signal) => this.#commission(order.request, order.code, signal));
      case "accept":
        this.#questions.get(order.request)?.(order.isAccepted);
        return Promise.resolve();
      case "cancel":
        this.#underWay.get(order.request)?.abort(new Error("It was canceled."));
        return Promise.resolve();
      case "remove":
        return this.#answer(order.request, order.peer, () => this.#remove(order.peer, order.force));
      case "act":
        return this.#answer(order.request, order.peer, (signal) =>
          this.#act(order.peer, order.endpoint, order.actions, signal),
        );
      case "read":
        return this.#answer(order.request, order.peer, (signal) => this.#read(order.peer, order.endpoints, signal));
      case "close":
        return this.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#restructured.values()) clearTimeout(timer);
    for (const watch of this.#watches.values()) watch.stop();
    for (const each of this.#underWay.values()) each.abort(new Error("It was stopped."));
    await this.#root.close();
  }

  /** @param peer the device that is asked; null: none that is known */
  async #answer(
    request: number,
    peer: string | null,
    work: (signal: AbortSignal) => Promise<Answers | ControllerFailure>,
  ): Promise<void> {
    const canceled = new AbortController();
    this.#underWay.set(request, canceled);
    let end: Answers | ControllerFailure;
    try {
      end = await work(canceled.signal);
    } catch (error) {
      end = canceled.signal.aborted ? CANCELED : failureOf(error);
    }
    this.#underWay.delete(request);
    if ("reason" in end && end.reason === "unreachable" && peer !== null) this.#watches.get(peer)?.doubt();
    if (this.#isClosed) return;
    this.#emit({ kind: "done", request, ...("reason" in end ? { failure: end } : { failure: null, ...end }) });
  }

  async #commission(request: number, code: PairingCode, signal: AbortSignal): Promise<Answers> {
    const accepts = (findings: readonly AttestationFinding[]): Promise<boolean> => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.#questions.set(request, resolve);
      this.#emit({ kind: "asked", request, findings });
      return Promise.race([promise, rejectOnAbort(signal)]);
    };
    const step = (name: "found" | "securing" | "interviewing") => this.#emit({ kind: "progress", request, step: name });
    try {
      const peer = await commissionPeer(this.#root, code, { accepts, step, signal });
      this.#tell(peer, true);
      this.#watch(peer);
      return { peer: peer.id };
    } finally {
      this.#questions.delete(request);
    }
  }

  async #remove(id: string, force: boolean): Promise<Answers | ControllerFailure> {
    const peer = this.#find(id);
    if (!peer) return NOT_FOUND;
    if (force) await peer.delete();
    else await peer.decommission();
    this.#lose(id);
    return {};
  }

  async #act(
    id: string,
    number: number,
    actions: readonly ClusterAction[],
    signal: AbortSignal,
  ): Promise<Answers | ControllerFailure> {
    const endpoint = this.#endpoint(id, number);
    if (!endpoint) return NOT_FOUND;
    const answers: unknown[] = [];
    for (const action of actions) {
      await this.#reach(id, signal);
      answers.push(plainValue(await carryOut(endpoint, action, signal)));
    }
    return { answers };
  }

  /** Also so that nothing is done at a device much later, which was lost when it was asked. */
  async #reach(id: string, signal: AbortSignal): Promise<void> {
    const peer = this.#find(id)?.env.maybeGet(Peer);
    await peer?.connect({ connectionTimeout: CONNECT_MS as Duration, abort: signal });
    signal.throwIfAborted();
  }

  async #read(id: string, numbers: readonly number[], signal: AbortSignal): Promise<Answers | ControllerFailure> {
    const peer = this.#find(id);
    if (!peer) return NOT_FOUND;
    await this.#reach(id, signal);
    for (const number of numbers) {
      const endpoint = this.#endpoint(id, number);
      const clusters = describePeer(peer).endpoints.find((each) => each.number === number)?.clusters ?? {};
      const wanted = Object.entries(clusters).map(([cluster, { values }]) => [cluster, Object.keys(values)] as const);
      const read = await endpoint?.get(Object.fromEntries(wanted) as never);
      // Answers of the device come from the library's copy of it, which it has just brought up to date.
      if (read) for (const [cluster, names] of wanted) this.#tellValues(endpoint as Endpoint, cluster, names, true);
    }
    return {};
  }

  #find(id: string): ClientNode | null {
    return [...this.#root.peers].find((peer) => peer.id === id && peer.lifecycle.isCommissioned) ?? null;
  }

  #endpoint(id: string, number: number): Endpoint | null {
    return [...(this.#find(id)?.endpoints ?? [])].find((each) => each.number === number) ?? null;
  }

  #watch(peer: ClientNode): void {
    const { id } = peer;
    this.#watches.get(id)?.stop();
    const watch = new PeerWatch(
      peer,
      {
        link: (link) => this.#emit({ kind: "link", peer: id, link }),
        subscribed: () => this.#tell(peer, true),
        restructured: () => this.#restructure(peer),
        log: (text) => this.#emit({ kind: "log", level: "warn", text }),
      },
      this.#times,
    );
    this.#watches.set(id, watch);
    watch.start();
  }

  #tell(peer: ClientNode, isFresh: boolean): void {
    this.#emit({ kind: "peer", description: describePeer(peer), isFresh });
  }

  #lose(id: string): void {
    this.#watches.get(id)?.stop();
    if (this.#watches.delete(id)) this.#emit({ kind: "peer-gone", peer: id });
  }

  #follow(change: Change): void {
    const peer = peerOf(change.endpoint);
    if (!peer || this.#isClosed || !this.#watches.has(peer.id)) return;
    if (change.kind === "delete") {
      if (change.endpoint === peer) this.#lose(peer.id);
      else this.#restructure(peer);
    } else if (change.kind === "event") {
      this.#tellEvent(peer, change);
    } else if (change.behavior.id === "descriptor") {
      this.#restructure(peer);
    } else {
      this.#tellValues(change.endpoint, change.behavior.id, change.properties ?? null, false);
      if (change.properties?.some((each) => DESCRIBED.has(each))) this.#restructure(peer);
    }
  }

  /** Its endpoints are others now. */
  #restructure(peer: ClientNode): void {
    clearTimeout(this.#restructured.get(peer.id));
    const timer = setTimeout(() => {
      this.#restructured.delete(peer.id);
      const watch = this.#watches.get(peer.id);
      if (watch) this.#tell(peer, watch.isSubscribed);
    }, STRUCTURE_MS);
    this.#restructured.set(peer.id, timer);
  }

  #tellValues(endpoint: Endpoint, cluster: string, names: readonly string[] | null, isAnswer: boolean): void {
    const peer = peerOf(endpoint);
    const state = stateOf(endpoint, cluster);
    const values = plainValues(cluster, state, names ?? Object.keys(state));
    if (!peer || Object.keys(values).length === 0) return;
    this.#emit({ kind: "values", peer: peer.id, endpoint: endpoint.number, cluster, values, isAnswer });
  }

  /** The device has removed the controller, or was reset. */
  #followLeave(peer: ClientNode, { fabricIndex }: Readonly<Record<string, unknown>>): void {
    if (fabricIndex !== stateOf(peer, "commissioning").fabricIndexOnPeer) return;
    this.#lose(peer.id);
    peer.delete().catch((error: unknown) => this.#emit({ kind: "log", level: "warn", text: messageOf(error) }));
  }

  /** Events from before the subscription are old. */
  #tellEvent(peer: ClientNode, change: Change & { readonly kind: "event" }): void {
    const watch = this.#watches.get(peer.id);
    if (!watch?.isSubscribed) return;
    const { endpoint, behavior, event, payload } = change;
    if (behavior.id === "basicInformation" && event.propertyName === "shutDown") watch.leave();
    const fields = plainValue(payload ?? {}) as Readonly<Record<string, unknown>>;
    if (behavior.id === "basicInformation" && event.propertyName === "leave") this.#followLeave(peer, fields);
    this.#emit({
      ...{ kind: "occurred", peer: peer.id, endpoint: endpoint.number, cluster: behavior.id },
      ...{ event: event.propertyName, fields },
    });
  }
}

function peerOf(endpoint: Endpoint): ClientNode | null {
  for (let each: Endpoint | undefined = endpoint; each; each = each.owner) if (each instanceof ClientNode) return each;
  return null;
}

async function carryOut(endpoint: Endpoint, action: ClusterAction, signal: AbortSignal): Promise<unknown> {
  if (action.kind === "write") {
    // The attributes are those of the table for this cluster.
    await endpoint.set({ [action.cluster]: action.values } as Parameters<Endpoint["set"]>[0]);
    return null;
  }
  return endpoint.commandsOf(action.cluster)[action.command]?.(action.fields, { abort: signal });
}

const DETAIL_MAX = 300;

/** Errors of the library as failures for people. Import it after `configureLibrary`. */
function failureOf(error: unknown): ControllerFailure {
  const detail = messageOf(error).slice(0, DETAIL_MAX);
  if (causedBy(error, IcdPeerAsleepError)) return { reason: "asleep", detail: "The device is asleep." };
  if (causedBy(error, StatusResponseError)) return { reason: "rejected", detail: `The device refused: ${detail}` };
  return { reason: "unreachable", detail };
}

type Ports = {
  /** Whether it continues in spite of what its certificates show. */
  accepts(findings: readonly AttestationFinding[]): Promise<boolean>;
  step(name: "found" | "securing" | "interviewing"): void;
  readonly signal: AbortSignal;
};

const DISCOVERY_MS = 120_000;
/** Nothing is said about these: the controller asks no server of the certificates' owner. */
const EXPECTED = new Set(["DclServiceUnavailable", "CdSignerVerificationSkipped"]);
const FINDINGS_MAX = 20;

/** Commissions one device. Import it after `configureLibrary`. */
async function commissionPeer(root: ServerNode, code: PairingCode, ports: Ports): Promise<ClientNode> {
  const { passcode, discriminator, shortDiscriminator } = code;
  const discovery = root.peers.commission({
    passcode,
    ...(discriminator === null ? { shortDiscriminator } : { discriminator }),
    timeout: DISCOVERY_MS as never,
    onAttestationFailure: async (findings) => {
      const told = findings.filter(({ type }) => !EXPECTED.has(type)).slice(0, FINDINGS_MAX);
      return told.length === 0 || ports.accepts(told.map(({ level, message }) => ({ level, text: message })));
    },
  });
  const stop = () => discovery.cancel(new Error("The operation was canceled."));
  ports.signal.addEventListener("abort", stop, { once: true });
  try {
    return await discovery;
  } finally {
    ports.signal.removeEventListener("abort", stop);
  }
}
