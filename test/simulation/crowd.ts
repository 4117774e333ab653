/** Many followers of one service's streams, each light enough that hundreds fit beside it, and the home that they hear of. */

import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { OWNER } from "../support/controller.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { basicHeader } from "./clients.ts";
import type { Service } from "./service-process.ts";

/** Shared limits for waiting on hundreds of clients. */
const WAIT_MAX_MS = 30_000;

/** Notes only what shows that nothing was lost, doubled or swapped: the numbers of events and of the values written. */
export class CrowdClient {
  /** In words. */
  readonly disorder: string[] = [];
  readonly closed: Promise<number>;
  events = 0;
  /** The newest value of the variable that is counted up. */
  counted = 0;
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();
  #isReplayed = false;
  #isClosed = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("error", () => {});
    socket.on("message", (data) => this.#take(String(data)));
    this.closed = new Promise((resolve) => {
      socket.once("close", (code) => {
        this.#isClosed = true;
        this.#wake();
        resolve(code);
      });
    });
  }

  get isReplayed(): boolean {
    return this.#isReplayed;
  }

  /** Settles when the condition holds. @throws Error when the stream ends or nothing comes for long. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        act();
      };
      const fail = (why: string) => settle(() => reject(new Error(`${why} after ${this.events} events.`)));
      const timer = setTimeout(() => fail("What was waited for did not come"), WAIT_MAX_MS);
      const look = () => {
        if (condition()) settle(resolve);
        else if (this.#isClosed) fail("The stream ended");
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Takes nothing any more, as a phone in a tunnel. */
  stall(): void {
    this.#socket.pause();
  }

  wakeUp(): void {
    this.#socket.resume();
  }

  leave(): void {
    this.#socket.terminate();
  }

  #take(message: string): void {
    const seqnum = /<Event seqnum=\\?"(\d+)/.exec(message)?.[1];
    if (seqnum === undefined) return;
    if (Number(seqnum) !== this.events) this.disorder.push(`Event ${seqnum} came for ${this.events}.`);
    this.events = Number(seqnum) + 1;
    const value = /<var type=\\?"1\\?" id=\\?"10\\?"><prec>3<\/prec><val>(\d+)</.exec(message)?.[1];
    if (value !== undefined) this.#count(Number(value));
    if (message.includes("<control>_0<")) this.#isReplayed = true;
    this.#wake();
  }

  #count(value: number): void {
    if (this.#isReplayed && value !== this.counted + 1) this.disorder.push(`${value} came after ${this.counted}.`);
    this.counted = value;
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }
}

/** The doors of a service, and clients that come through them. */
export class Crowd {
  readonly portal: HttpsClient;
  readonly local: HttpsClient;
  readonly #service: Service;
  readonly #headers: Readonly<Record<"rest" | "api", Readonly<Record<string, string>>>>;

  private constructor(service: Service, accessToken: string) {
    const bearer = { Authorization: `Bearer ${accessToken}` };
    this.#service = service;
    this.#headers = { rest: basicHeader(), api: bearer };
    this.portal = createHttpsClient(
      () => service.portalUrl,
      () => bearer,
    );
    this.local = createHttpsClient(() => service.localUrl, basicHeader);
  }

  static async before(service: Service): Promise<Crowd> {
    const visitor = createHttpsClient(
      () => service.portalUrl,
      () => ({}),
    );
    const answer = await visitor.post("/api/login", OWNER);
    visitor.close();
    return new Crowd(service, answer.json<{ data: { accessToken: string } }>().data.accessToken);
  }

  /** All at once, on both surfaces in turn. @throws Error naming the status when one is refused. */
  come(count: number): Promise<readonly CrowdClient[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.#comeOne(index % 2 === 0 ? "rest" : "api")));
  }

  /** Counts the variable up to `last`, from one above `first`, in order. */
  async count(first: number, last: number): Promise<void> {
    for (let value = first + 1; value <= last; value += 1) await this.#get(`/rest/vars/set/1/10/${value}`);
  }

  /** Names that are long on the wire, given to a node one after another by several hands. */
  async shout(address: string, times: number): Promise<void> {
    const hands = 16;
    const rename = async (hand: number) => {
      for (let time = hand; time < times; time += hands) {
        const name = encodeURIComponent(`${"&".repeat(190)} ${time}`);
        await this.#get(`/rest/nodes/${encodeURIComponent(address)}/change?name=${name}`);
      }
    };
    await Promise.all(Array.from({ length: hands }, (_, hand) => rename(hand)));
  }

  /** The clients of the streams, as the service reports them. */
  async followers(): Promise<number> {
    return (await this.#get("/rest/subscriptions")).match(/<sub /gi)?.length ?? 0;
  }

  close(): void {
    this.portal.close();
    this.local.close();
  }

  async #get(path: string): Promise<string> {
    const answer = await this.local.get(path);
    if (answer.status !== 200) throw new Error(`${path} is answered ${answer.status}: ${answer.text}`);
    return answer.text;
  }

  #comeOne(surface: "rest" | "api"): Promise<CrowdClient> {
    const url = surface === "rest" ? this.#service.localUrl : this.#service.portalUrl;
    const path = surface === "rest" ? "/rest/subscribe" : "/api/events/subscribe";
    const socket = new WebSocket(`${url.replace("https", "wss")}${path}`, {
      headers: this.#headers[surface],
      rejectUnauthorized: false,
      perMessageDeflate: false,
    });
    const client = new CrowdClient(socket);
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(client));
      socket.once("unexpected-response", (request, response) => {
        request.destroy();
        reject(new Error(`A client was refused with ${response.statusCode}.`));
      });
      socket.once("error", reject);
    });
  }
}

/** Resident memory of a process in megabytes; null on systems that do not report it. */
export function residentMegabytes(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}
