/** Links of scenes that the bulbs carry out: a bulb that follows another one does what is done at its button. */

import type { Outcome } from "../../src/drivers/command.ts";
import type { DriverHost, Links } from "../../src/drivers/driver.ts";
import type { DeviceLink, DeviceLinkState } from "../../src/home/device-links.ts";

const STORED = "follows";
const FOLLOWED = new Set(["DON", "DOF"]);
const DETAILS = {
  done: "",
  pending: "The bulb has not confirmed it yet.",
  failed: "The bulb did not take it.",
  software: "A bulb follows the button of another bulb, with the level that it has.",
};

/** Addresses of bulbs contain no space. */
type Pair = `${string} ${string}`;

export class BulbLinks implements Links {
  readonly #send: (address: string, text: string) => Promise<Outcome>;
  /** What a bulb follows because of this driver; all of it is in the store before it is sent. */
  readonly #written = new Map<Pair, "pending" | "done" | "failed">();
  #host: DriverHost | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(send: (address: string, text: string) => Promise<Outcome>) {
    this.#send = send;
  }

  start(host: DriverHost): void {
    this.#host = host;
    this.#written.clear();
    for (const pair of (host.store.get(STORED) ?? []) as Pair[]) this.#written.set(pair, "pending");
    this.refresh();
  }

  async stop(): Promise<void> {
    this.#host = null;
    await this.#writing;
  }

  refresh(): void {
    const host = this.#host;
    if (!host) return;
    this.#writing = this.#writing
      .then(() => this.#write(host))
      .catch((error: unknown) => host.log.error("The links of bulbs cannot be stored.", { error }));
  }

  state(link: DeviceLink): DeviceLinkState | null {
    const isWanted = this.#host
      ?.deviceLinks()
      .some((each) => each.scene === link.scene && pairOf(each) === pairOf(link));
    const written = this.#written.get(pairOf(link));
    if (!canHold(link)) return { state: "software", detail: DETAILS.software };
    if (!isWanted && !written) return null;
    const state = written ?? "pending";
    return { state, detail: DETAILS[state] };
  }

  carries(link: DeviceLink, command: string): boolean {
    return FOLLOWED.has(command) && this.state(link)?.state === "done";
  }

  retry(scene: string): void {
    for (const link of this.#host?.deviceLinks() ?? []) {
      if (link.scene === scene && this.#written.get(pairOf(link)) === "failed")
        this.#written.set(pairOf(link), "pending");
    }
    this.refresh();
  }

  async #write(host: DriverHost): Promise<void> {
    const wanted = new Set(host.deviceLinks().filter(canHold).map(pairOf));
    for (const pair of new Set([...wanted, ...this.#written.keys()])) {
      const isWanted = wanted.has(pair);
      const before = this.#written.get(pair) ?? "pending";
      if (this.#host !== host || (isWanted && before !== "pending")) continue;
      this.#written.set(pair, "pending");
      await this.#store(host);
      const isTaken = await this.#tell(host, pair, isWanted);
      if (this.#host !== host) return;
      if (isWanted) this.#written.set(pair, isTaken ? "done" : "failed");
      else if (isTaken) this.#written.delete(pair);
      await this.#store(host);
    }
  }

  async #tell(host: DriverHost, pair: Pair, isWanted: boolean): Promise<boolean> {
    const [responder = "", controller = ""] = pair.split(" ");
    const name = controller.slice(controller.indexOf("_") + 1);
    host.writes(responder, "writing", true);
    const { kind } = await this.#send(responder, `${isWanted ? "FOLLOW" : "UNFOLLOW"} ${name}`);
    host.writes(responder, "writing", false);
    return kind === "acked";
  }

  #store({ store }: DriverHost): Promise<void> {
    store.set(STORED, [...this.#written.keys()]);
    return store.saved();
  }
}

const pairOf = ({ responder, controller }: DeviceLink): Pair => `${responder} ${controller}`;

function canHold({ scene, controller, level, ramp, command }: DeviceLink): boolean {
  return controller !== scene && level === null && ramp === null && command === null;
}
