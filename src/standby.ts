/** A standby: watches the writer of the home in the database, says so to clients, and takes the home over. @see docs/standby.md */

import type { Config } from "./config.ts";
import { badValue } from "./errors.ts";
import { openStandbyListeners, type StandbyFacts, type StandbyListeners } from "./http/standby-listener.ts";
import { loadCertificate } from "./http/tls.ts";
import { type Claim, standBy } from "./store/postgres/claim.ts";
import type { HomeRow } from "./store/postgres/lease.ts";
import type { Clock } from "./util/clock.ts";
import type { Log } from "./util/log.ts";
import type { Randomness } from "./util/randomness.ts";

type StandbyWorld = {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called once, when clients get answers. */
  readonly onReady: (listeners: StandbyListeners) => void;
  /** See Lease. */
  readonly onLost: () => void;
};

/**
 * Settles when this machine is the writer; its listeners are closed then.
 * @throws ControllerError BAD_VALUE for settings that do not fit, or the signal's reason
 */
export async function awaitTakeover(config: Config, world: StandbyWorld): Promise<Claim> {
  if (config.storeUrl === "")
    throw badValue("A standby needs the setting storeUrl: the database that both machines use.");
  const { clock, log, randomness, onReady } = world;
  let facts: StandbyFacts = { role: "standby", epoch: 0, writer: null, writerUrl: null, sinceMs: null, failure: null };
  let listeners: StandbyListeners | null = null;
  const onLook = async (seen: HomeRow | Error, secrets: () => Promise<ReadonlyMap<string, string>>) => {
    facts = seen instanceof Error ? { ...facts, failure: seen.message } : factsOf(seen);
    if (listeners !== null || seen instanceof Error) return;
    const certificate = await loadCertificate({
      config,
      clock,
      randomness,
      accounts: secretsInMemory(await secrets()),
    });
    listeners = await openStandbyListeners(config, certificate, () => facts);
    log.info("This machine is a standby.", { writer: facts.writer, at: facts.writerUrl });
    onReady(listeners);
  };
  try {
    return await standBy({ ...world, config, onLook });
  } finally {
    await (listeners as StandbyListeners | null)?.close();
  }
}

function factsOf({ epoch, writer, writerUrl, sinceMs }: HomeRow): StandbyFacts {
  return { role: "standby", epoch, writer, writerUrl, sinceMs, failure: null };
}

/** Those of the home, to show a certificate that its clients trust. What is made here is not kept: the home is not this machine's. */
function secretsInMemory(known: ReadonlyMap<string, string>) {
  const secrets = new Map(known);
  return {
    findSecret: (name: string) => secrets.get(name) ?? null,
    replaceSecret: (name: string, value: string) => void secrets.set(name, value),
    secret(name: string, make: () => string) {
      const value = secrets.get(name) ?? make();
      secrets.set(name, value);
      return value;
    },
  };
}
