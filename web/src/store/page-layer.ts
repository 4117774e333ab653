/**
 * A person's own marks: favorites, the order of rooms, hidden rooms, and times of use. Stored with the account. A
 * copy in this browser is available at the first paint, and holds changes that could not be sent yet. None of it
 * changes the home.
 */

import type { Home } from "@domovoi/client";
import { type Signal, signal } from "@preact/signals";
import { person } from "../session/role.ts";
import { hourOf } from "../text/home-zone.ts";

const MEMBERS = ["favorites", "order", "hidden", "used"] as const;
type Member = (typeof MEMBERS)[number];
type Lists = Readonly<Record<Member, readonly string[]>>;
/** Includes the lists that the controller does not have yet. */
type Stored = { readonly person: string | null; readonly lists: Lists; readonly unsent: readonly Member[] };

const KEY = "domovoi.page-layer";
const PATH = "/api/me/page";
const EMPTY: Lists = { favorites: [], order: [], hidden: [], used: [] };
/** Limit of each list: the controller refuses more. */
const ENTRIES_MAX = 300;
/** A burst of commands is one request. */
const SEND_AFTER_MS = 3_000;
/** Used so often at about this hour, a thing is worth a place at the top. */
const USED_OFTEN = 3;

export class PageLayer {
  readonly #person = person();
  readonly #home: () => Home | null;
  readonly #lists: Readonly<Record<Member, Signal<readonly string[]>>>;
  readonly #unsent: Set<Member>;
  #timer = 0;
  #isForgotten = false;

  /** @param home null without one */
  constructor(home: () => Home | null) {
    const { lists, unsent } = read(this.#person);
    this.#home = home;
    this.#lists = {
      favorites: signal(lists.favorites),
      order: signal(lists.order),
      hidden: signal(lists.hidden),
      used: signal(lists.used),
    };
    this.#unsent = new Set(unsent);
  }

  list(member: Member): readonly string[] {
    return this.#lists[member].value;
  }

  toggle(member: "favorites" | "hidden", address: string): void {
    const before = this.#lists[member].peek();
    const without = before.filter((known) => known !== address);
    this.#change(member, without.length < before.length ? without : [...before, address]);
  }

  /** @param keys of the rooms in their order */
  order(keys: readonly string[]): void {
    this.#change("order", keys);
  }

  noteUsed(address: string): void {
    this.#change("used", [...this.#lists.used.peek(), `${hourOf(Date.now())} ${address}`]);
  }

  /** Addresses that are often used within an hour of this one, the most used first. Does not follow changes: nothing jumps. */
  usedNow(): readonly string[] {
    const hour = hourOf(Date.now());
    const counts = new Map<string, number>();
    for (const entry of this.#lists.used.peek()) {
      const [at = "", ...address] = entry.split(" ");
      const apart = Math.abs(Number(at) - hour);
      const key = address.join(" ");
      if (Math.min(apart, 24 - apart) <= 1) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const often = [...counts].filter(([, count]) => count >= USED_OFTEN);
    return often.sort(([, one], [, other]) => other - one).map(([address]) => address);
  }

  /** Sends what was marked without a connection, then takes what other devices marked. Without an answer everything stays. */
  async sync(): Promise<void> {
    const home = this.#home();
    if (!home) return;
    clearTimeout(this.#timer);
    const sent = [...this.#unsent];
    this.#unsent.clear();
    try {
      const body = Object.fromEntries(sent.map((member) => [member, this.#lists[member].peek()]));
      const { data } = await home.request(sent.length > 0 ? "PATCH" : "GET", PATH, sent.length > 0 ? body : undefined);
      // A list that was changed meanwhile is sent next.
      for (const member of MEMBERS) if (!this.#unsent.has(member)) this.#lists[member].value = (data as Lists)[member];
    } catch {
      // Offline, or the session is over: the next connection tries again.
      for (const member of sent) this.#unsent.add(member);
    }
    this.#store();
  }

  /** Also what an answer that is under way would bring. */
  forget(): void {
    this.#isForgotten = true;
    clearTimeout(this.#timer);
    localStorage.removeItem(KEY);
  }

  #change(member: Member, entries: readonly string[]): void {
    this.#lists[member].value = entries.slice(-ENTRIES_MAX);
    this.#unsent.add(member);
    this.#store();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.sync(), SEND_AFTER_MS);
  }

  #store(): void {
    if (this.#isForgotten) return;
    const lists = Object.fromEntries(MEMBERS.map((member) => [member, this.#lists[member].peek()])) as Lists;
    try {
      localStorage.setItem(
        KEY,
        JSON.stringify({ person: this.#person, lists, unsent: [...this.#unsent] } satisfies Stored),
      );
    } catch {
      // The browser's storage is full or forbidden: the controller has it.
    }
  }
}

/** Empty when the copy belongs to another account. */
function read(who: string | null): Pick<Stored, "lists" | "unsent"> {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>;
    if (stored.person === who) return { lists: { ...EMPTY, ...stored.lists }, unsent: stored.unsent ?? [] };
  } catch {
    // Not readable: the controller has it.
  }
  return { lists: EMPTY, unsent: [] };
}
