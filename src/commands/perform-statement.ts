/** Carries out a statement of a program and returns its outcome. */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { CommandState } from "../home/change.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { Sent } from "../programs/runner.ts";
import { commandRoles } from "./command-roles.ts";
import { fireNetworkResource } from "./fire-network-resource.ts";
import type { CommandPorts } from "./ports.ts";
import { queryNode } from "./query-node.ts";
import { sendCommand } from "./send-command.ts";

export type StatementPorts = Omit<CommandPorts, "programs">;
type Command = Extract<SentAction, { readonly kind: "command" }>;

/** Never rejects: a failure is an outcome. */
export async function sendStatement(ports: StatementPorts, action: SentAction, cause: Cause): Promise<Sent> {
  try {
    return await perform(ports, action, cause);
  } catch (error) {
    const isExpected = error instanceof ControllerError;
    if (!isExpected) ports.log.error("A statement of a program failed.", { statement: action.kind, error });
    return { outcome: "failed", commandId: null, detail: isExpected ? error.message : "Something went wrong." };
  }
}

async function perform(ports: StatementPorts, action: SentAction, cause: Cause): Promise<Sent> {
  switch (action.kind) {
    case "command":
      return command(ports, action, cause);
    case "roles":
      return commandRoles(ports, action, cause);
    case "resource": {
      // Until the other machine has answered the outcome is unknown, also when this process ends.
      const { ended } = await fireNetworkResource(ports, action.id, cause, { about: action.about ?? null });
      const { outcome, detail } = await ended;
      return { outcome, detail, commandId: null };
    }
    case "notify": {
      const { recipient, content, about = null } = action;
      const { outcome, detail } = await ports.notifier.notify(recipient, content, senderOf(ports, cause, about));
      return { outcome, detail, commandId: null };
    }
    case "message": {
      const { channel, text, about = null } = action;
      const { outcome, detail } = await ports.notifier.message(channel, text, senderOf(ports, cause, about));
      return { outcome, detail, commandId: null };
    }
  }
}

/** A program's cause names it by its id. */
function senderOf({ home }: StatementPorts, { by }: Cause, node: string | null) {
  const programId = Number(by);
  return { name: home.programs.get(programId)?.name ?? home.controller.name, programId, node };
}

/** A query of many goes out a few at a time, so that a radio is not flooded. */
async function command(ports: StatementPorts, action: Command, cause: Cause): Promise<Sent> {
  const { node: address, command, parameters } = action;
  const isMany = address === ports.home.controller.uuid || ports.home.groups.has(address);
  if (isMany && command === "QUERY") {
    await queryNode(ports, address, cause);
    return { outcome: "done", commandId: null, detail: "The devices are queried one after the other." };
  }
  const { commandId, state, detail } = await sendCommand(ports, { address, command, parameters }, cause);
  return { outcome: outcomeOf(state), commandId, detail };
}

function outcomeOf(state: CommandState): Sent["outcome"] {
  if (state === "failed") return "failed";
  return state === "queued" ? "queued" : "done";
}
