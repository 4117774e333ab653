/** How a machine becomes the writer of the home: at once when there is none, after a lease without a sign, or never. */

import type { Config } from "../../config.ts";
import { ControllerError } from "../../errors.ts";
import { type Clock, delay } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { messageOf } from "../../util/message-of.ts";
import { machineName } from "../machine-name.ts";
import { Connection } from "./connection.ts";
import { type HomeRow, Lease, readHomeRow, refusedByWriter, WriterWatch } from "./lease.ts";
import { readSecrets } from "./rows.ts";
import { prepareTables } from "./schema.ts";

export type ClaimPorts = {
  readonly config: Pick<Config, "storeUrl" | "leaseMs" | "storeAnswerMs" | "machineName">;
  readonly clock: Clock;
  readonly log: Log;
  /** See Lease. */
  readonly onLost: () => void;
};

export type Claim = {
  readonly lease: Lease;
  readonly epoch: number;
  /** The home goes on after another machine: what happens after a boot does not happen. */
  readonly isTakeover: boolean;
  /** Name of the machine before; null: it gave the home up. */
  readonly before: string | null;
};

/** For a start without `--standby`. @throws ControllerError STORE_UNAVAILABLE while another machine writes the home. */
export async function claimHome(ports: ClaimPorts): Promise<Claim> {
  const { clock, config } = ports;
  const connection = connect(ports);
  const watch = new WriterWatch({ clock, leaseMs: config.leaseMs });
  let first: HomeRow | null = null;
  try {
    await prepareTables(connection);
    for (;;) {
      const row = await readHomeRow(connection);
      first ??= row;
      if (row.epoch !== first.epoch || row.beat !== first.beat) throw refusedByWriter(row);
      const claim = watch.look(row) ? await take(ports, connection, row, false) : null;
      if (claim) return claim;
      await delay(clock, watch.lookEveryMs);
    }
  } catch (error) {
    connection.cut();
    throw error instanceof ControllerError ? error : unavailable(error);
  }
}

export type StandbyPorts = ClaimPorts & {
  readonly signal: AbortSignal;
  /**
   * Hears of every look at the database: the row, or why it could not be read.
   * @param secrets reads those of the home
   * @throws ControllerError when the machine cannot be a standby
   */
  readonly onLook: (seen: HomeRow | Error, secrets: () => Promise<ReadonlyMap<string, string>>) => Promise<void>;
};

/** For `--standby`: settles when this machine is the writer. @throws the signal's reason */
export async function standBy(ports: StandbyPorts): Promise<Claim> {
  const { clock, config, signal, log, onLook } = ports;
  const connection = connect(ports);
  const watch = new WriterWatch({ clock, leaseMs: config.leaseMs });
  let isPrepared = false;
  let failure: string | null = null;
  for (;;) {
    try {
      if (!isPrepared) await prepareTables(connection);
      isPrepared = true;
      const row = await readHomeRow(connection, config.leaseMs / 2);
      if (failure !== null) log.info("The database answers again.");
      failure = null;
      const claim = watch.look(row) ? await take(ports, connection, row, row.commits > 0) : null;
      if (claim) return claim;
      await onLook(row, () => readSecrets(connection));
    } catch (error) {
      if (error instanceof ControllerError) throw error;
      if (failure === null) log.error("The standby cannot read the database.", { error });
      failure = messageOf(error);
      await onLook(new Error(failure), async () => new Map());
    }
    await delay(clock, watch.lookEveryMs, signal);
  }
}

async function take(
  ports: ClaimPorts,
  connection: Connection,
  row: HomeRow,
  isTakeover: boolean,
): Promise<Claim | null> {
  const { clock, log, config, onLost } = ports;
  const { leaseMs } = config;
  const lease = new Lease({ connection, clock, log, machine: machineName(config), leaseMs, onLost });
  if (!(await lease.take(row)) || lease.epoch === null) return null;
  if (isTakeover) log.info("This machine writes the home now.", { epoch: lease.epoch, before: row.writer });
  return { lease, epoch: lease.epoch, isTakeover, before: row.writer };
}

function connect({ config }: ClaimPorts): Connection {
  return new Connection({
    url: config.storeUrl,
    name: "domovoi",
    answerMs: config.storeAnswerMs,
  });
}

/** Reasons of the library never hold the address with its password. */
function unavailable(cause: unknown): ControllerError {
  const sentence = `The database (setting storeUrl) cannot be used: ${messageOf(cause)}.`;
  return new ControllerError("STORE_UNAVAILABLE", { sentence, cause });
}
