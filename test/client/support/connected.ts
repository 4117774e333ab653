/** A home that is connected to a scripted controller, on a clock of the test. */

import { connect, type NodeOptions } from "@domovoi/client";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { ACCOUNT, ScriptedServer } from "./scripted-server.ts";

const START_MS = Date.UTC(2031, 1, 3, 12);

export type Stage = AsyncDisposable & { readonly server: ScriptedServer; readonly clock: VirtualClock };

/** A controller whose clock is fixed at `START_MS`. */
export async function startStage(): Promise<Stage> {
  const server = await ScriptedServer.start();
  const clock = new VirtualClock(START_MS);
  server.nowMs = () => clock.now();
  return { server, clock, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Without a stream, unless the options say otherwise. */
export function connectTo({ server, clock }: Stage, options: Partial<NodeOptions> = {}) {
  return connect({ url: server.url, ...ACCOUNT, clock, stream: "off", ...options });
}

/** The error with which a promise rejects. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { readonly [member: string]: unknown }> {
  return promise.then(
    () => {
      throw new Error("It did not fail.");
    },
    (error) => error,
  );
}
