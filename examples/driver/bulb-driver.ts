/** Bulbs behind a bridge that speaks lines over TCP: the port of drivers at its smallest, with links. */

import type { Duplex } from "node:stream";
import type { DriverCommand, FailureReason, Outcome } from "../../src/drivers/command.ts";
import type { Driver, DriverHost } from "../../src/drivers/driver.ts";
import type { ReportCause } from "../../src/drivers/report.ts";
import { nodedef } from "../../src/profile/builtin/definition-text.ts";
import { UOM } from "../../src/profile/uom.ts";
import { deadlineIn } from "../../src/util/clock.ts";
import { BulbLine } from "./bulb-line.ts";
import { BulbLinks } from "./bulb-links.ts";

/** Without a row in src/families.ts: addresses are letters, digits, spaces, `_`, `.` and `-`. */
const FAMILY = 50;
const INSTANCE = 1;
const PREFIX = "BULB_";
const ANSWER_MS = 3000;

const BULB = nodedef("Bulb", {
  name: "Bulb",
  properties: "ST:PERCENT CLITEMP:TEMPERATURE",
  sends: "DON DOF",
  accepts: "DON(PERCENT?) DOF QUERY",
});

const NAME = /^\w{1,16}$/;
const STATE = /^(\w{1,16}) STATE (\d{1,3}) TEMP (-?\d{1,3}\.\d)$/;
const PRESSED = /^(\w{1,16}) PRESSED (ON|OFF)$/;

type Origin = { readonly cause: ReportCause; readonly commandId?: string };
type Running = { readonly host: DriverHost; readonly line: BulbLine; readonly bulbs: ReadonlySet<string> };

export class BulbDriver implements Driver {
  readonly name: string;
  readonly links = new BulbLinks((address, text) => this.#request(address, text, NEVER, { cause: "report" }));
  readonly #connect: () => Duplex;
  readonly #disabled = new Set<string>();
  #running: Running | null = null;

  constructor(name: string, connect: () => Duplex) {
    this.name = name;
    this.#connect = connect;
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    const line = new BulbLine(this.#connect(), {
      news: (text) => this.#hear(text, { cause: "report" }),
      closed: () => this.#lose(line),
    });
    const [word, ...names] = (await this.#answer(host, line, "BULBS?", signal))?.split(" ") ?? [];
    if (word !== "BULBS") {
      line.close();
      throw new Error("The bridge did not list its bulbs.");
    }
    host.define(FAMILY, INSTANCE, { nodedefs: [BULB] }, false);
    const record = { nodeDefId: BULB.id, family: FAMILY, instance: INSTANCE, type: "0.0.0.0", devtype: null };
    const bulbs = new Set(names.filter((name) => NAME.test(name)).map((name) => PREFIX + name));
    for (const address of bulbs) {
      host.node({ ...record, address, primary: address, name: `Bulb ${nameOf(address)}` });
    }
    this.#disabled.clear();
    this.#running = { host, line, bulbs };
    await Promise.all([...bulbs].map((address) => this.#request(address, "STATE?", signal, { cause: "restore" })));
    this.links.start(host);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.line.close();
    await this.links.stop();
  }

  async send({ id, address, command, parameters, signal }: DriverCommand): Promise<Outcome> {
    const level = parameters[0]?.value ?? 100;
    const text = command === "DON" ? `ON ${level}` : command === "DOF" ? "OFF" : null;
    if (text === null) return failed("unsupported", `A bulb does not know ${command}.`, false);
    return this.#request(address, text, signal, { cause: "ack", commandId: id });
  }

  query(address: string, signal: AbortSignal, commandId?: string): Promise<Outcome> {
    const origin = commandId === undefined ? {} : { commandId };
    return this.#request(address, "STATE?", signal, { cause: "query", ...origin });
  }

  setEnabled(address: string, enabled: boolean): void {
    if (!enabled) this.#disabled.add(address);
    else if (this.#disabled.delete(address)) void this.query(address, NEVER);
  }

  /** Every answer but an error is the state of the bulb. */
  async #request(address: string, text: string, signal: AbortSignal, origin: Origin): Promise<Outcome> {
    const running = this.#running;
    if (!running) return failed("not-ready", "The bridge is not connected.", true);
    if (!running.bulbs.has(address)) return failed("unreachable", "The bridge has no such bulb.", false);
    const answer = await this.#answer(running.host, running.line, `${nameOf(address)} ${text}`, signal);
    if (this.#running !== running) return failed("not-ready", "The bridge was disconnected.", true);
    if (signal.aborted) return failed("timeout", "The bulb did not answer in time.", true);
    if (answer === null) {
      running.host.link(address, "unreachable");
      return failed("no-ack", "The bulb does not answer.", true);
    }
    return this.#hear(answer, origin) ? { kind: "acked" } : failed("rejected", "The bulb refused.", false);
  }

  async #answer({ clock }: DriverHost, line: BulbLine, text: string, signal: AbortSignal): Promise<string | null> {
    using deadline = deadlineIn(clock, ANSWER_MS);
    return await line.request(text, AbortSignal.any([signal, deadline.signal]));
  }

  #hear(text: string, origin: Origin): boolean {
    const [, name, level, degrees] = STATE.exec(text) ?? PRESSED.exec(text) ?? [];
    const address = PREFIX + name;
    if (!this.#running?.bulbs.has(address)) return false;
    const { host } = this.#running;
    host.link(address, "online");
    if (this.#disabled.has(address)) return true;
    if (degrees === undefined) {
      host.control(address, level === "ON" ? "DON" : "DOF", 0);
      return true;
    }
    const tenths = Math.round(Number(degrees) * 10);
    host.report([
      { address, id: "ST", value: Number(level), uom: UOM.percent, prec: 0, ...origin },
      { address, id: "CLITEMP", value: tenths, uom: UOM.celsius, prec: 1, ...origin },
    ]);
    return true;
  }

  /** The registry logs it once, marks the nodes unreachable, and starts the driver again with back-off. */
  #lose(line: BulbLine): void {
    if (this.#running?.line === line) this.#running.host.status("failed", "The connection to the bridge is lost.");
  }
}

const NEVER = new AbortController().signal;
const nameOf = (address: string) => address.slice(PREFIX.length);

function failed(reason: FailureReason, detail: string, retryable: boolean): Outcome {
  return { kind: "failed", reason, detail, retryable };
}
