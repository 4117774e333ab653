/**
 * A modem on a port. It does one exchange at a time, the owner's commands before background work. An exchange with a
 * device ends with the device's own answer: that the modem accepted the command proves nothing.
 */

import { type Clock, delay } from "../../../util/clock.ts";
import {
  type DeviceCommand,
  type DeviceId,
  type DeviceMessage,
  deviceIdOf,
  encodeDeviceCommand,
  encodeModemCommand,
  MessageReader,
  type ModemMessage,
} from "./messages.ts";
import type { ModemPort } from "./modem-port.ts";

export type DeviceAnswer =
  | { readonly kind: "ack"; readonly cmd1: number; readonly cmd2: number; readonly reply: DeviceMessage | null }
  | { readonly kind: "nak"; readonly reason: number }
  | { readonly kind: "silent" }
  /** Its signal was aborted. */
  | { readonly kind: "given-up" }
  | { readonly kind: "closed" };

type Request = DeviceCommand & {
  readonly isBackground: boolean;
  readonly signal: AbortSignal;
  /** A message of the device that follows its acknowledgement and belongs to the answer. */
  readonly reply?: (message: DeviceMessage) => boolean;
  /** Some devices refuse the request and send the reply all the same. */
  readonly repliesAfterRefusal?: boolean;
};

type ModemCommand = {
  /** The command and its arguments. */
  readonly bytes: readonly number[];
  readonly isBackground?: boolean;
  /** Whether a refusal is an answer. Default: the modem is busy, and gets the command again. */
  readonly mayRefuse?: boolean;
  /** A message that follows when the modem accepts the command. */
  readonly reply?: (message: ModemMessage) => boolean;
};

type ModemAnswer = {
  readonly isAccepted: boolean;
  readonly reply: ModemMessage | null;
  /** The modem did not repeat it at first: it may have carried it out more than once. */
  readonly isRepeated: boolean;
};

type ModemOptions = {
  readonly port: ModemPort;
  readonly clock: Clock;
  /** Messages that answer no command. */
  readonly onMessage: (message: ModemMessage) => void;
  /** It answers no command any more. */
  readonly onLost: (detail: string) => void;
};

type Job = { readonly isBackground: boolean; readonly run: () => Promise<void>; readonly drop: () => void };
type Echo = Extract<ModemMessage, { kind: "echo" }> & Pick<ModemAnswer, "isRepeated">;
type Waiting = (message: ModemMessage | null) => void;

const TRIES = 3;
/** Messages of one exchange that nothing has consumed yet; a modem sends some ten in that time. */
const INBOX_MAX = 500;
const ECHO_MS = 1000;
const BUSY_WAIT_MS = 100;
const BUSY_TIMES_MAX = 50;
/** Time on the air of one hop, by the length of the message. */
const SLOT_MS = { standard: 50, extended: 108 } as const;
const ANSWER_EXTRA_MS = 600;
/** How long a device takes for what follows its acknowledgement. */
const REPLY_MS = 3000;
/** A device that searches for a responder answers later, without a second request. */
const SEARCHING_MS = 5000;
/** How long the air stays occupied after a received message, for each hop left. */
const QUIET_PER_HOP_MS = 87;
/** After a press the device addresses each of its responders. */
const CLEANUP_MS = 600;
const GROUP_COMMAND = 0x61;
/** The modem addresses a member again when it does not answer. */
const CLEANUP_STEP_MS = 2000;
/** Messages can come twice. */
const STEPS_PER_MEMBER = 3;
const TO_ALL: ReadonlySet<DeviceMessage["type"]> = new Set(["broadcast", "group-broadcast"]);
const SEARCHING = 0xfc;
const BAD_CHECKSUM = 0xfd;
const STATUS = 0x19;
/** A modem that is busy refuses in the same way as one that means it. */
const REFUSALS_BELIEVED = 3;

export class ModemLost extends Error {}

export class Modem {
  readonly #options: ModemOptions;
  readonly #reader = new MessageReader();
  readonly #closing = new AbortController();
  readonly #jobs: Job[] = [];
  /** Messages since the exchange began that nothing has consumed. */
  readonly #inbox: ModemMessage[] = [];
  #waiting: { readonly matches: (message: ModemMessage) => boolean; readonly settle: Waiting } | null = null;
  #isRunning = false;
  /** Its own id; null until it is known. */
  #id: DeviceId | null = null;
  #quietUntilMs = 0;
  #quietChanged = () => {};

  constructor(options: ModemOptions) {
    this.#options = options;
    options.port.listen((bytes) => this.#receive(bytes));
  }

  close(): void {
    this.#closing.abort(new ModemLost("The modem was closed."));
    this.#waiting?.settle(null);
    this.#quietChanged();
    for (const job of this.#jobs.splice(0)) job.drop();
    this.#options.port.close();
  }

  /** The modem's own id. @throws ModemLost when it does not answer. */
  identify(): Promise<DeviceId> {
    return this.#queued(true, async () => {
      this.#id = deviceIdOf((await this.#command(encodeModemCommand(0x60))).bytes, 2);
      return this.#id;
    });
  }

  /** A command to the modem itself. @throws ModemLost */
  command({ bytes, isBackground = true, mayRefuse = false, reply }: ModemCommand): Promise<ModemAnswer> {
    return this.#queued(isBackground, async () => {
      const { accepted, isRepeated } = await this.#command(encodeModemCommand(...bytes), mayRefuse);
      return { isAccepted: accepted, isRepeated, reply: accepted && reply ? await this.#next(reply, ECHO_MS) : null };
    });
  }

  /**
   * A command to a group of the modem, which then addresses its members in turn.
   *
   * @returns the devices that acknowledged it. @throws ModemLost
   */
  sendToGroup(group: number, cmd1: number, cmd2: number, members: number): Promise<ReadonlySet<DeviceId>> {
    return this.#queued(false, async () => {
      const taken = new Set<DeviceId>();
      const { accepted } = await this.#command(encodeModemCommand(GROUP_COMMAND, group, cmd1, cmd2), true);
      const isStep = ({ kind, ...message }: ModemMessage) =>
        kind === "cleanups-over" || kind === "cleanup-failed" || ("type" in message && message.type === "cleanup-ack");
      for (let steps = 0; accepted && steps <= STEPS_PER_MEMBER * members; steps += 1) {
        const step = await this.#next(isStep, CLEANUP_STEP_MS);
        if (!step || step.kind === "cleanups-over") break;
        if (step.kind === "device" && step.cmd1 === cmd1) taken.add(step.from);
      }
      return taken;
    });
  }

  send(request: Request): Promise<DeviceAnswer> {
    const closed: DeviceAnswer = { kind: "closed" };
    return this.#queued(request.isBackground, () => this.#exchange(request)).catch((error: unknown) => {
      if (error instanceof ModemLost) return closed;
      throw error;
    });
  }

  #queued<T>(isBackground: boolean, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const lost = () => reject(new ModemLost("The modem was closed."));
    if (this.#closing.signal.aborted) {
      lost();
      return promise;
    }
    const run = () => work().then(resolve, reject);
    const job = { isBackground, run, drop: lost };
    const at = isBackground ? -1 : this.#jobs.findIndex((other) => other.isBackground);
    if (at < 0) this.#jobs.push(job);
    else this.#jobs.splice(at, 0, job);
    void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) {
      this.#inbox.length = 0;
      await job.run();
    }
    this.#isRunning = false;
  }

  async #exchange(request: Request): Promise<DeviceAnswer> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      if (request.signal.aborted) return { kind: "given-up" };
      const answer = await this.#attempt(request, attempt === 0 ? 2 : 3);
      if (answer) return answer;
    }
    return { kind: request.signal.aborted ? "given-up" : "silent" };
  }

  /** null: the device did not answer, or not to this message. */
  async #attempt(request: Request, hops: number): Promise<DeviceAnswer | null> {
    await this.#command(encodeDeviceCommand(request, hops));
    const slotMs = request.data ? SLOT_MS.extended : SLOT_MS.standard;
    const answers = (message: ModemMessage) => message.kind === "no-answer" || isAnswer(message, request);
    let answer = await this.#next(answers, 2 * (hops + 1) * slotMs + ANSWER_EXTRA_MS);
    if (isNak(answer, SEARCHING)) answer = (await this.#next(answers, SEARCHING_MS)) ?? answer;
    if (answer?.kind !== "device" || (isNak(answer, BAD_CHECKSUM) && !request.repliesAfterRefusal)) return null;
    const { type, cmd1, cmd2 } = answer;
    const refused: DeviceAnswer | null = type === "nak" ? { kind: "nak", reason: cmd2 } : null;
    if (refused && !request.repliesAfterRefusal) return refused;
    const { reply: isReply } = request;
    if (!isReply) return refused ?? { kind: "ack", cmd1, cmd2, reply: null };
    const follows = (message: ModemMessage) =>
      message.kind === "device" && message.from === request.device && isReply(message);
    const reply = await this.#next(follows, REPLY_MS);
    if (reply?.kind !== "device") return refused ?? { kind: "ack", cmd1, cmd2, reply: null };
    return { kind: "ack", cmd1, cmd2, reply };
  }

  /** Sends bytes until the modem takes them. @returns its echo. @throws ModemLost */
  async #command(bytes: Uint8Array, mayRefuse = false): Promise<Echo> {
    const echoes = (message: ModemMessage) =>
      message.kind === "busy" || (message.kind === "echo" && message.command === bytes[1]);
    let silences = 0;
    for (let refusals = 0; refusals < BUSY_TIMES_MAX && silences < TRIES; ) {
      await this.#quiet();
      this.#options.port.write(bytes);
      const echo = await this.#next(echoes, ECHO_MS);
      const isRepeated = silences > 0;
      if (echo?.kind === "echo" && echo.accepted) return { ...echo, isRepeated };
      this.#closing.signal.throwIfAborted();
      if (echo) {
        refusals += 1;
        if (echo.kind === "echo" && mayRefuse && refusals >= REFUSALS_BELIEVED) return { ...echo, isRepeated };
        await delay(this.#options.clock, BUSY_WAIT_MS, this.#closing.signal);
      } else {
        silences += 1;
        this.#reader.reset();
      }
    }
    throw this.#lost(silences < TRIES ? "The modem stays busy." : "The modem does not answer.");
  }

  #lost(sentence: string): ModemLost {
    this.#options.onLost(sentence);
    return new ModemLost(sentence);
  }

  async #quiet(): Promise<void> {
    for (;;) {
      this.#closing.signal.throwIfAborted();
      const leftMs = this.#quietUntilMs - this.#options.clock.elapsed();
      if (leftMs <= 0) return;
      await this.#quietOrChanged(leftMs);
    }
  }

  /** A message can end the quiet before its time. */
  #quietOrChanged(leftMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#quietChanged = () => {
        timer.cancel();
        resolve();
      };
      const timer = this.#options.clock.setTimer(this.#quietChanged, leftMs);
    });
  }

  /** The next such message of this exchange; null when none comes in time, or the modem is closed. */
  #next(matches: (message: ModemMessage) => boolean, waitMs: number): Promise<ModemMessage | null> {
    const at = this.#inbox.findIndex(matches);
    if (at >= 0) return Promise.resolve(this.#inbox.splice(0, at + 1).at(-1) ?? null);
    if (this.#closing.signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const settle: Waiting = (message) => {
        this.#waiting = null;
        timer.cancel();
        resolve(message);
      };
      const timer = this.#options.clock.setTimer(() => settle(null), waitMs);
      this.#waiting = { matches, settle };
    });
  }

  #receive(bytes: Uint8Array): void {
    if (this.#closing.signal.aborted) return;
    for (const message of this.#reader.push(bytes)) {
      if (message.kind === "device") this.#keepQuiet(message);
      if (this.#isForOthers(message)) continue;
      if (this.#waiting?.matches(message)) this.#waiting.settle(message);
      else if (this.#isRunning) {
        this.#inbox.push(message);
        if (this.#inbox.length > INBOX_MAX) this.#inbox.shift();
      }
      this.#options.onMessage(message);
    }
  }

  /** A modem in monitor mode tells also what devices send to each other. */
  #isForOthers(message: ModemMessage): boolean {
    if (message.kind !== "device" || TO_ALL.has(message.type) || this.#id === null) return false;
    return deviceIdOf(Uint8Array.from(message.to), 0) !== this.#id;
  }

  #keepQuiet({ type, hopsLeft, cmd1 }: DeviceMessage): void {
    const isPress = type === "group-broadcast" && cmd1 !== 0x06;
    const quietMs = isPress ? CLEANUP_MS : hopsLeft * QUIET_PER_HOP_MS;
    const untilMs = this.#options.clock.elapsed() + quietMs;
    // A cleanup ends what its press began; anything else only prolongs.
    this.#quietUntilMs = type === "cleanup" ? untilMs : Math.max(this.#quietUntilMs, untilMs);
    this.#quietChanged();
  }
}

/** The cmd1 of an answer to a status request is the state of the device's link database. */
function isAnswer(message: ModemMessage, { device, cmd1 }: Request): boolean {
  if (message.kind !== "device" || message.from !== device) return false;
  return message.type === "nak" || (message.type === "ack" && (message.cmd1 === cmd1 || cmd1 === STATUS));
}

function isNak(message: ModemMessage | null, reason: number): boolean {
  return message?.kind === "device" && message.type === "nak" && message.cmd2 === reason;
}
