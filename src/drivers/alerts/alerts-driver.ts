/**
 * Alerts that somebody has to answer: nodes that ring because a sensor says so or a program raised them, delivered in an order until
 * somebody confirms or it is over. The rule is in rule.ts; what it delivers is stored before it goes out.
 */

import { badValue, ControllerError } from "../../errors.ts";
import type { Timer } from "../../util/clock.ts";
import { messageOf } from "../../util/message-of.ts";
import { randomId } from "../../util/randomness.ts";
import type { Alert, AlertLook, AlertPort, Answered, AnswerFacts } from "../alert-port.ts";
import { type DriverCommand, failed, type Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import type { ReportCause } from "../report.ts";
import { AlertBook, type AlertRecord, addressOf, type Button, type OpenAlert, type Token } from "./alert-book.ts";
import { AlertDeliveries } from "./alert-deliveries.ts";
import { type AlertGiven, AlertOperations } from "./alert-operations.ts";
import type { AlertWorld } from "./alert-world.ts";
import { ALERT_KINDS, type AlertKind } from "./kinds.ts";
import { readOrder } from "./order.ts";
import { type AlertInput, type AlertRules, type Answer, dueAtMs, step } from "./rule.ts";

export type AlertsOptions = {
  readonly name: string;
  /** The controller's own alerts ring by themselves. */
  readonly isSensing: boolean;
  readonly order: string;
  readonly againMs: number;
  readonly lastsMs: number;
  readonly deliveriesPerMinute: number;
  readonly world: AlertWorld;
};

type GivenAnswer = {
  readonly by: string;
  readonly accountId: string;
  readonly number: number;
  /** That of the message, also when its owner has changed it since; null: it only confirms. */
  readonly button: Button | null;
  readonly channel: string;
};

type Running = {
  readonly host: DriverHost;
  readonly book: AlertBook;
  readonly deliveries: AlertDeliveries;
  readonly stopping: AbortController;
  readonly unfollow: () => void;
};

const TOKEN_CHARS_MAX = 100;
const TOKEN_LASTS_MS = 86_400_000;
const SOURCES_NAMED_MAX = 5;

export class AlertsDriver implements Driver, AlertPort {
  readonly name: string;
  readonly commissioning = new AlertOperations(
    () => (this.#running ? { host: this.#running.host, lost: this.#running.stopping.signal } : null),
    {
      add: (given) => this.#add(given),
      change: (alert, given) => this.#change(alert, given),
      remove: (alert) => this.#remove(alert),
    },
  );
  readonly #options: AlertsOptions;
  #running: Running | null = null;
  #timer: Timer | null = null;
  /** Answers under way, by the id of their cause. */
  readonly #answers = new Map<string, GivenAnswer>();

  constructor(options: AlertsOptions) {
    this.name = options.name;
    this.#options = options;
  }

  restore(host: DriverHost): void {
    declared(host);
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const book = declared(host);
    const changed = new Set<string>();
    // Listeners of the home only record; what follows has a turn of its own.
    const unfollow = this.#options.world.follow(
      (address) => {
        if (changed.size === 0) host.clock.setTimer(() => this.#readNodes(changed), 0);
        changed.add(address);
      },
      () => host.clock.setTimer(() => this.#takeAll({ kind: "arrived" }), 0),
    );
    const stopping = new AbortController();
    const deliveries = new AlertDeliveries({
      ...{ host, book, stopping: stopping.signal, ...this.#options },
      delivered: (number, reached) => this.#take(number, { kind: "delivered", reached }),
    });
    this.#running = { host, book, deliveries, stopping, unfollow };
    this.#readAll();
    for (const { number } of book.all()) {
      this.#take(number, { kind: "time" });
      void this.#perform(number);
    }
    this.#schedule();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.unfollow();
    running?.stopping.abort();
    this.#timer?.cancel();
    running?.host.status("stopped", "");
  }

  async send({ address, command, id, signal }: DriverCommand): Promise<Outcome> {
    if (!this.#running) return failed("not-ready", "The integration is not running.", true);
    const record = this.#required().book.ofAddress(address);
    if (signal.aborted) return failed("timeout", "The command was given up.", true);
    if (!record) return failed("unreachable", "There is no such alert.");
    switch (command) {
      case "DON":
        this.#take(record.number, { kind: "raised", source: null }, "ack", id);
        return { kind: "acked" };
      case "DOF":
        return this.#end(record, id);
      case "CONFIRM":
        return this.#confirm(record, id);
      default:
        return failed("unsupported", "An alert takes On, Off and Confirm.");
    }
  }

  async query(address: string): Promise<Outcome> {
    if (!this.#running) return failed("not-ready", "The integration is not running.", true);
    const { book } = this.#required();
    const record = book.ofAddress(address);
    if (!record) return failed("unreachable", "There is no such alert.");
    book.show(record, "query");
    return { kind: "acked" };
  }

  alerts(): readonly Alert[] {
    const { book } = this.#required();
    return book.all().map((record) => {
      const open = book.open(record.number);
      const isOff = !open || open.state.status === "off";
      return {
        node: addressOf(record),
        name: book.nameOf(record),
        kind: record.kind,
        status: open?.state.status ?? "off",
        text: isOff ? "" : open.text,
        urgency: record.urgency,
        sinceMs: isOff ? null : open.state.beganAtMs,
        sources: isOff ? [] : open.state.sources,
        order: record.order === "" ? this.#options.order : record.order,
        buttons: record.buttons.map(({ label, action }) => ({
          label,
          action: this.#options.world.actionText(action),
        })),
        told: (open?.told ?? []).map((each) => ({ ...each, channel: this.#options.world.channelName(each.channel) })),
        nextAtMs: open?.state.status === "ringing" ? open.state.dueAtMs : null,
        answer: open ? answerFacts(open) : null,
      };
    });
  }

  look(given: string): AlertLook {
    const { record, open, token } = this.#ofToken(given);
    const { status, beganAtMs } = open.state;
    return {
      name: this.#required().book.nameOf(record),
      status,
      text: open.text,
      sinceMs: status === "off" ? null : beganAtMs,
      answer: answerFacts(open),
      buttons: token.accountId === null ? [] : token.buttons.map(({ label }) => label),
    };
  }

  async answer(node: string, accountId: string, button: number): Promise<Answered> {
    const record = this.#required().book.ofAddress(node);
    if (!record) throw new ControllerError("ALERT_NOT_FOUND");
    return this.#answer(record, { accountId, channel: "", buttons: record.buttons }, button);
  }

  async answerByToken(given: string, button: number): Promise<Answered> {
    const { record, token } = this.#ofToken(given);
    return this.#answer(record, token, button);
  }

  /** @throws ControllerError ALERT_NOT_FOUND */
  #ofToken(given: string) {
    const { book, host } = this.#required();
    const found = given.length > TOKEN_CHARS_MAX ? null : book.ofToken(given);
    const isOver = !found || found.open.state.status === "off";
    if (isOver || host.clock.now() - found.token.atMs >= TOKEN_LASTS_MS)
      throw new ControllerError("ALERT_NOT_FOUND", "This alert is over, or the link is older than a day.");
    return found;
  }

  async #answer(
    record: AlertRecord,
    { accountId, channel, buttons }: Pick<Token, "accountId" | "channel" | "buttons">,
    number: number,
  ): Promise<Answered> {
    const { book, host } = this.#required();
    const button = number === 0 ? null : buttons[number - 1];
    if (button === undefined) throw badValue("This alert has no button with this number.");
    const before = book.open(record.number);
    if (!before || before.state.status === "off") throw new ControllerError("ALERT_NOT_FOUND");
    if (accountId === null && button) throw new ControllerError("FORBIDDEN", NEEDS_ACCOUNT);
    const node = addressOf(record);
    const name = channel === "" ? "" : this.#options.world.channelName(channel);
    const by = accountId === null ? name : this.#options.world.mayAnswer(accountId, node, button?.action ?? null);
    const id = randomId(host.randomness);
    if (before.state.answer === null) {
      this.#answers.set(id, { by, accountId: accountId ?? "", number, button, channel: name });
      const confirmed = this.#options.world.confirm(node, { kind: "request", id, by });
      await confirmed.finally(() => this.#answers.delete(id));
    }
    const open = book.open(record.number);
    const answer = open?.state.answer;
    if (!open || !answer) throw new ControllerError("ALERT_NOT_FOUND", "It ended meanwhile.");
    if (answer.id === id) await this.#perform(record.number);
    const facts = answerFacts(book.open(record.number) ?? open) ?? answerFacts(open);
    if (!facts) throw new ControllerError("ALERT_NOT_FOUND");
    return { isFirst: answer.id === id, answer: facts };
  }

  async #confirm(record: AlertRecord, commandId: string): Promise<Outcome> {
    const { book, host } = this.#required();
    const open = book.open(record.number);
    if (open?.state.status !== "ringing") {
      book.show(record, "ack", commandId);
      return { kind: "acked" };
    }
    const cause = this.#options.world.causeOf(commandId);
    const given = this.#answers.get(cause?.id ?? "");
    const answer: Answer = {
      id: given && cause ? cause.id : commandId,
      by: given?.by ?? (cause?.kind === "request" ? (cause.by ?? "") : ""),
      way: !given ? "command" : given.channel === "" ? "page" : "channel",
      channel: given?.channel ?? "",
      atMs: host.clock.now(),
      button: given?.number ?? 0,
    };
    if (given?.button) {
      const effect = { state: "due", ...given.button, accountId: given.accountId, outcome: "" } as const;
      book.putOpen(record.number, { ...open, effect });
    }
    this.#take(record.number, { kind: "answered", answer }, "ack", commandId);
    await this.#required().deliveries.stored();
    return { kind: "acked" };
  }

  #end(record: AlertRecord, commandId: string): Outcome {
    this.#take(record.number, { kind: "ended" }, "ack", commandId);
    const sources = this.#required().book.open(record.number)?.state.sources ?? [];
    if (sources.length === 0) return { kind: "acked" };
    const [said = ""] = this.#options.world.sentences(sources);
    return failed("rejected", `It is not over. ${said} Confirm it instead.`);
  }

  /** Does what the button of an answer says, once. An end of the process before it was done does it again. */
  async #perform(number: number): Promise<void> {
    const { book } = this.#required();
    const record = book.get(number);
    const open = book.open(number);
    const answer = open?.state.answer;
    if (!record || !open || !answer || open.effect?.state !== "due") return;
    const { action, accountId } = open.effect;
    let outcome = "";
    try {
      const by = this.#options.world.mayAnswer(accountId, addressOf(record), action);
      await this.#options.world.act(action, { kind: "request", id: answer.id, by });
      outcome = "Done.";
    } catch (error) {
      outcome = messageOf(error);
    }
    const after = book.open(number);
    if (after?.effect && after.state.answer?.id === answer.id)
      book.putOpen(number, { ...after, effect: { ...after.effect, state: "done", outcome } });
  }

  #readAll(): void {
    for (const address of this.#options.world.addresses()) this.#readNode(address);
    const { book } = this.#required();
    for (const { number } of book.all())
      for (const source of book.open(number)?.state.sources ?? []) this.#readNode(source);
  }

  #readNodes(changed: Set<string>): void {
    const all = [...changed];
    changed.clear();
    if (!this.#running) return;
    const { book } = this.#required();
    for (const address of all) {
      const record = book.ofAddress(address);
      if (record) this.#enabledOrNot(record);
      else this.#readNode(address);
    }
  }

  /** A disabled alert does not ring, and forgets that it did. */
  #enabledOrNot(record: AlertRecord): void {
    const { book } = this.#required();
    if (book.isEnabled(record)) this.#readAll();
    else if (book.open(record.number)) book.putOpen(record.number, null);
    this.#schedule();
  }

  #readNode(address: string): void {
    const { book } = this.#required();
    const sensed = this.#options.isSensing ? this.#options.world.sensed(address) : null;
    for (const { number, kind } of book.all()) {
      const isSource = book.open(number)?.state.sources.includes(address) === true;
      if (isSource && (sensed?.kind !== kind || sensed.says === false))
        this.#take(number, { kind: "cleared", source: address });
    }
    if (!sensed) return;
    const record = book.ofKind(sensed.kind) ?? this.#addOwn(sensed.kind);
    if (sensed.says === true && record) this.#take(record.number, { kind: "raised", source: address });
  }

  /** The controller's own alerts come with the first node that can raise them. */
  #addOwn(kind: AlertKind): AlertRecord | null {
    const { name, urgency } = ALERT_KINDS[kind];
    try {
      return this.#required().book.add({ kind, name, urgency, text: "", order: "", buttons: [] });
    } catch {
      // The limit is reached by the owner's own.
      return null;
    }
  }

  #add(given: AlertGiven): string {
    const { order = "" } = given;
    if (order !== "") readOrder(order);
    const { name = "", text = "", urgency = "high", buttons = [] } = this.#withActions(given);
    const record = this.#required().book.add({ kind: "", name, text, urgency, order, buttons });
    return addressOf(record);
  }

  #change(alert: string, given: AlertGiven): string {
    const { book } = this.#required();
    const before = book.find(alert);
    if (given.order !== undefined && given.order !== "") readOrder(given.order);
    const { buttons, name: _name, ...others } = this.#withActions(given, before.buttons);
    book.put({ ...before, ...others, ...(buttons && { buttons }) });
    return addressOf(before);
  }

  #remove(alert: string): void {
    const { book } = this.#required();
    const record = book.find(alert);
    if (record.kind !== "") throw badValue("This alert is the controller's own. Disable its node to switch it off.");
    book.remove(record);
  }

  /** @param before what stays where no button is given; an empty one is removed */
  #withActions(given: AlertGiven, before: readonly Button[] = []) {
    const { buttons: texts, ...others } = given;
    if (texts.every((text) => text === undefined)) return { ...others, buttons: before };
    const buttons = texts.map((text, at) => {
      if (text === undefined) return before[at] ?? null;
      const colon = text.indexOf(":");
      if (text.trim() === "") return null;
      const label = text.slice(0, Math.max(colon, 0)).trim();
      if (label === "" || label.length > LABEL_CHARS_MAX) throw badValue(BUTTON_FORM);
      return { label, action: this.#options.world.readAction(text.slice(colon + 1).trim()) };
    });
    return { ...others, buttons: buttons.filter((each) => each !== null) };
  }

  #takeAll(input: AlertInput): void {
    if (!this.#running) return;
    for (const { number } of this.#required().book.all()) this.#take(number, input);
  }

  #take(number: number, input: AlertInput, cause: ReportCause = "report", commandId?: string): void {
    const { book, host, deliveries } = this.#required();
    const record = book.get(number);
    if (!record || !book.isEnabled(record)) return;
    const before = book.open(number);
    const state = step(before?.state ?? null, input, host.clock.now(), this.#rulesOf(record));
    const kept = before ?? { text: "", tokens: [], told: [], effect: null };
    if (!state) {
      if (before) book.putOpen(number, null);
    } else if (state !== before?.state) {
      const isNew = state.status === "ringing" && before?.state.status !== "ringing";
      const text = this.#textOf(record, state.sources) ?? kept.text;
      const told = state.status === "off" ? { tokens: [] } : {};
      book.putOpen(number, { ...kept, ...told, state, text, ...(isNew && { effect: null }) });
    }
    if (state !== (before?.state ?? null) || commandId !== undefined) book.show(record, cause, commandId);
    deliveries.work(number);
    this.#schedule();
  }

  #rulesOf({ order }: AlertRecord): AlertRules {
    const { againMs, lastsMs } = this.#options;
    return { order: readOrder(order === "" ? this.#options.order : order), againMs, lastsMs };
  }

  /** null: nothing says it any more. */
  #textOf({ text }: AlertRecord, sources: readonly string[]): string | null {
    const { world } = this.#options;
    const all = world.sentences(sources);
    const said = all.slice(0, SOURCES_NAMED_MAX);
    const more = all.length > SOURCES_NAMED_MAX ? [`${all.length - SOURCES_NAMED_MAX} more say so.`] : [];
    if (text !== "") return [world.filled(text, sources[0] ?? null), ...said, ...more].join(" ");
    return said.length === 0 ? null : [...said, ...more].join(" ");
  }

  #required(): Running {
    if (!this.#running) throw new ControllerError("DRIVER_UNAVAILABLE");
    return this.#running;
  }

  /** One timer, for the alert that changes next without an input. */
  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (!this.#running) return;
    const { book, host } = this.#running;
    const due = book.all().flatMap(({ number }) => {
      const open = book.open(number);
      return (open && dueAtMs(open.state)) ?? [];
    });
    if (due.length === 0) return;
    const waitMs = Math.max(0, Math.min(...due) - host.clock.now());
    this.#timer = host.clock.setTimer(() => this.#takeAll({ kind: "time" }), waitMs);
  }
}

const LABEL_CHARS_MAX = 40;
const BUTTON_FORM = `A button reads "LABEL: STATEMENT", such as "Close: Set 'Main Valve' Off". A label has 1 to ${LABEL_CHARS_MAX} characters.`;
const NEEDS_ACCOUNT =
  "This channel belongs to no account, so it can only confirm. Sign in on the page for the buttons.";

/** With the nodes of the last run. */
function declared(host: DriverHost): AlertBook {
  const book = new AlertBook(host);
  for (const record of book.all()) book.show(record, "restore");
  return book;
}

function answerFacts({ state: { answer }, effect }: OpenAlert): AnswerFacts | null {
  if (!answer) return null;
  const { by, way, channel, atMs } = answer;
  return { by, way, channel, atMs, button: effect?.label ?? "", outcome: effect?.outcome ?? "" };
}
