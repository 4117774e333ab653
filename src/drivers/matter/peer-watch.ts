/**
 * Watches the subscription of one device. Import it after `configureLibrary`. The library subscribes again after a loss; where that
 * does not happen for a long time, the session is ended and everything begins anew.
 */

import { type ClientNode, IcdClient, NetworkClient, ObserverGroup, Time, type Timer } from "@matter/main";
import type { PeerLink } from "./controller-messages.ts";
import { describePeer } from "./describe-peer.ts";

type Ports = {
  link(link: PeerLink): void;
  /** The device has just sent all of its values. */
  subscribed(): void;
  /** An endpoint has come, or is known at last, or has gone. */
  restructured(): void;
  log(text: string): void;
};

/** Times of the watch, in milliseconds. */
export type WatchTimes = {
  /** A device that has no subscription for so long after the start is lost. */
  readonly startMs: number;
  /** A device that said goodbye is tried again after this time. */
  readonly returnMs: number;
  /** Without a subscription for so long, its session is ended. */
  readonly restartMs: number;
};

export const WATCH_TIMES: WatchTimes = { startMs: 30_000, returnMs: 60_000, restartMs: 600_000 };

const SLEEP_MS = 1000;

export class PeerWatch {
  readonly #peer: ClientNode;
  readonly #ports: Ports;
  readonly #times: WatchTimes;
  readonly #observers = new ObserverGroup();
  #isSubscribed = false;
  /** Until its next sign of life. */
  #isLost = false;
  /** Once for each loss. */
  #isLogged = false;
  #link: PeerLink | null = null;
  #timer: Timer | null = null;
  #sleepTimer: Timer | null = null;

  constructor(peer: ClientNode, ports: Ports, times: WatchTimes) {
    this.#peer = peer;
    this.#ports = ports;
    this.#times = times;
  }

  start(): void {
    const network = this.#peer.eventsOf(NetworkClient);
    this.#observers.on(network.subscriptionStatusChanged, (isActive) => this.#follow(isActive));
    this.#observers.on(network.subscriptionAlive, () => this.#live());
    this.#observers.on(this.#peer.lifecycle.changed, (_change, endpoint) => {
      if (endpoint !== this.#peer) this.#ports.restructured();
    });
    if (this.#peer.behaviors.has(IcdClient)) this.#followSleep();
    if (this.#peer.act((agent) => agent.get(NetworkClient).subscriptionActive) === true) this.#follow(true);
    else this.#wait(this.#times.startMs + this.#sleepMs(), () => this.#lose(this.#times.restartMs));
  }

  stop(): void {
    this.#observers.close();
    this.#timer?.stop();
    this.#sleepTimer?.stop();
  }

  get isSubscribed(): boolean {
    return this.#isSubscribed;
  }

  /** It did not answer; its next report shows that it is well. */
  doubt(): void {
    this.#isLost = true;
    this.#show();
  }

  /** The device said that it is switched off or starts again. The library only learns that from its silence. */
  leave(): void {
    this.#isSubscribed = false;
    this.#lose(this.#times.returnMs);
  }

  #follow(isActive: boolean): void {
    if (isActive === this.#isSubscribed) return;
    this.#isSubscribed = isActive;
    this.#timer?.stop();
    if (isActive) {
      this.#ports.subscribed();
      this.#live();
    } else if (this.#isAsleep()) this.#show();
    else this.#lose(this.#times.restartMs);
  }

  /** A device that announces itself is lost when it misses that. That it has fallen asleep is no event. */
  #followSleep(): void {
    const events = this.#peer.eventsOf(IcdClient);
    this.#observers.on(events.checkedIn, () => this.#live());
    this.#observers.on(events.checkInMissed, () => this.#lose(this.#times.restartMs));
    this.#sleepTimer = Time.getPeriodicTimer("peer sleep", SLEEP_MS as Timer["interval"], () => this.#show()).start();
  }

  #live(): void {
    this.#isLogged = false;
    this.#isLost = false;
    this.#show();
  }

  #lose(restartMs: number): void {
    this.#isLost = true;
    this.#show();
    this.#wait(restartMs, () => void this.#restart());
  }

  /** Ends the session, and begins a new one. */
  async #restart(): Promise<void> {
    if (!this.#isLogged)
      this.#ports.log(`${describePeer(this.#peer).name} does not report. Starting its session again.`);
    this.#isLogged = true;
    try {
      await this.#peer.disable();
      await this.#peer.enable();
    } catch {
      // It was removed meanwhile, or is tried again after the same time.
    }
    if (!this.#isSubscribed) this.#wait(this.#times.restartMs, () => void this.#restart());
  }

  /** Before anything is known of it, nothing is shown. */
  #show(): void {
    const link = this.#isLost ? "lost" : this.#isAsleep() ? "asleep" : this.#isSubscribed ? "online" : null;
    if (link === null || link === this.#link) return;
    this.#link = link;
    this.#ports.link(link);
  }

  #isAsleep(): boolean {
    if (!this.#peer.behaviors.has(IcdClient)) return false;
    return this.#peer.act((agent) => !agent.get(IcdClient).awake) === true;
  }

  /** How long it may be silent because it sleeps. */
  #sleepMs(): number {
    return describePeer(this.#peer).sleep.idleMs;
  }

  #wait(spanMs: number, then: () => void): void {
    this.#timer?.stop();
    this.#timer = Time.getTimer("peer watch", spanMs as Timer["interval"], then).start();
  }
}
