/** The resources of an attacker: the service's address, credentials, strength, and the signal to stop. */

import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Randomness } from "../../../src/util/randomness.ts";

/** As a message between processes. */
export type Targets = {
  readonly portalUrl: string;
  readonly localUrl: string;
  /** Access token of a guest of the portal. */
  readonly guestToken: string;
  /** Values of Authorization on the local listener: of a guest, and of a user, who may run programs. */
  readonly guestBasic: string;
  readonly userBasic: string;
  /** Login of the owner, whose password is guessed. */
  readonly ownerLogin: string;
  /** Addresses of lamps that a guest may switch. */
  readonly lamps: readonly string[];
  readonly programs: AttackPrograms;
  readonly databaseFile: string;
};

/** Ids of programs that misbehave as soon as they run, and of the folder that holds them. */
export type AttackPrograms = {
  readonly folder: string;
  /** Starts all others of its kind, which start all others. */
  readonly breadth: readonly string[];
  /** Counts up every second, for ever. */
  readonly repeating: readonly string[];
  /** Switches its own lamp on when it is off, and off when it is on. */
  readonly looping: readonly string[];
};

export type Scene = {
  readonly targets: Targets;
  readonly randomness: Randomness;
  /** Times what the short run does. */
  readonly strength: number;
  readonly signal: AbortSignal;
  /** Notes that something was done, for the report. */
  readonly count: (what: string) => void;
};

/** Attackers of one name run until the signal; they reject for nothing that the service does to them. */
export type Actor = (scene: Scene) => Promise<void>;

/** All of 127.0.0.0/8 is this machine on Linux; elsewhere attackers share the address of everybody. */
const ADDRESSES = process.platform === "linux" ? 200 : 0;

/** An address that the honest client does not have. */
function foreignAddress({ randomness }: Scene): string | undefined {
  return ADDRESSES === 0 ? undefined : `127.0.1.${1 + Math.floor(randomness.next() * ADDRESSES)}`;
}

/** Settles when the connection is up; null when it is refused, or the signal came. It is destroyed with the signal. */
export function openSocket(scene: Scene, url: string, isPlain = false): Promise<Socket | null> {
  const { hostname, port } = new URL(url);
  const localAddress = foreignAddress(scene);
  const options = { host: hostname, port: Number(port), ...(localAddress === undefined ? {} : { localAddress }) };
  return new Promise((resolve) => {
    if (scene.signal.aborted) return resolve(null);
    const socket = isPlain ? connectPlain(options) : connectTls({ ...options, rejectUnauthorized: false });
    const end = () => socket.destroy();
    scene.signal.addEventListener("abort", end, { once: true });
    socket.once(isPlain ? "connect" : "secureConnect", () => resolve(socket));
    socket.on("error", () => {});
    socket.once("close", () => {
      scene.signal.removeEventListener("abort", end);
      resolve(null);
    });
  });
}

/** Settles when the socket is closed. Received bytes are dropped. */
export function untilClosed(socket: Socket): Promise<void> {
  socket.resume();
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once("close", () => resolve());
  });
}

/** Settles after so long, or with the signal. */
export function pause({ signal }: Pick<Scene, "signal">, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}

/** So many at once, each again and again until the signal; the pause keeps a refused one from spinning. */
export async function crowd(scene: Scene, size: number, act: () => Promise<void>): Promise<void> {
  const one = async () => {
    while (!scene.signal.aborted) {
      await act();
      await pause(scene, PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: Math.round(size * scene.strength) }, one));
}

const PAUSE_MS = 20;

export function pick<T>({ randomness }: Scene, things: readonly T[]): T {
  const thing = things[Math.floor(randomness.next() * things.length)];
  if (thing === undefined) throw new Error("There is something to choose from.");
  return thing;
}
