/**
 * Leads a command through its life: accepted → sent → acknowledged or queued → confirmed, or failed with a reason.
 * Confirmed is a command after which its node reported; a command that only left stays `sent`.
 * The lives themselves are kept in command-lives.ts.
 */

import { failureOf, type Outcome } from "../drivers/command.ts";
import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { randomId } from "../util/randomness.ts";
import type { CommandLife, NewCommand } from "./command-lives.ts";
import type { CommandPorts } from "./ports.ts";

export type LifePorts = Pick<CommandPorts, "feed" | "queue" | "randomness" | "log">;

/**
 * Leads one command through its life: waits for its turn at the node, sends it, records the outcome.
 * Does not wait for the disk: a lamp must go on while the disk is full.
 *
 * @throws ControllerError QUEUE_FULL, DEVICE_TIMEOUT, DRIVER_UNAVAILABLE, or the driver's failure.
 */
export async function leadCommand(
  ports: LifePorts,
  command: NewCommand,
  send: (commandId: string, signal: AbortSignal) => Promise<Outcome>,
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandLife> {
  const { feed, queue } = ports;
  const id = randomId(ports.randomness);
  queue.lives.begin(feed, id, command, cause);
  let underWay = false;
  const work = (deadline: AbortSignal) => {
    underWay = true;
    queue.lives.enter(feed, cause);
    queue.lives.sent(id);
    return send(id, deadline);
  };
  try {
    const outcome = await queue.run(command.address, work, signal);
    return noteOutcome(ports, id, outcome);
  } catch (error) {
    const failure = asFailure(ports, command, error);
    queue.lives.end(feed, id, "failed", failure.message);
    throw failure;
  } finally {
    if (underWay) queue.lives.leave(feed, cause);
  }
}

function noteOutcome({ feed, queue }: LifePorts, id: string, outcome: Outcome): CommandLife {
  switch (outcome.kind) {
    case "acked":
      return queue.lives.end(feed, id, "acknowledged", "");
    case "sent":
      return queue.lives.end(feed, id, "sent", outcome.detail ?? "");
    case "queued":
      return queue.lives.end(feed, id, "queued", outcome.detail);
    case "failed":
      throw failureOf(outcome);
  }
}

/** An exception that a driver throws in spite of its contract becomes a failure of the command. The log has the rest. */
export function asFailure({ log }: Pick<LifePorts, "log">, command: NewCommand, error: unknown): ControllerError {
  if (error instanceof ControllerError) return error;
  log.error("A driver failed over a command.", { node: command.address, command: command.command, error });
  return new ControllerError("DEVICE_FAILED", { sentence: "The driver failed over this command.", cause: error });
}
