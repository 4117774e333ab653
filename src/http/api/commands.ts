/** `/api/commands`: what became of the commands that left. @see docs/interface/commands.md */

import type { Principal } from "../../auth/principal.ts";
import type { CommandLife } from "../../commands/command-lives.ts";
import { membersSentence } from "../../commands/group-command.ts";
import { ControllerError } from "../../errors.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type Fits, list, object, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, VIEW } from "./api-route.ts";
import { causeData, causeJson, hidesLogins } from "./cause-json.ts";

const count = { type: "integer", minimum: 0 } as const;

const commandData = object(
  {
    id: { type: "string" },
    address: { type: "string", description: "The node; a group's command has one entry per member." },
    command: { type: "string" },
    state: { type: "string", enum: ["accepted", "sent", "queued", "acknowledged", "confirmed", "failed"] },
    detail: { type: "string", description: "Why it failed or waits; empty otherwise." },
    cause: { ...causeData, description: "The cause of the request." },
    acceptedTime: time,
    lastTime: { type: "string", description: "When the state was reached, ISO 8601 in UTC." },
  },
  {
    optional: {
      members: object(
        { accepted: count, all: count },
        {
          description: "Of a group's command that has ended: how many members accepted it, of how many it was sent to.",
        },
      ),
    },
  },
);

const commandsData = list(commandData, { description: "Newest first." });

const route = apiRoute("commands", "read", VIEW);

export const commandRoutes: readonly Route[] = [
  route("GET /api/commands", "The outcomes of the latest commands.", listCommands, { data: commandsData }),
  route("GET /api/commands/:id", "The outcome of one command.", getCommand, { data: commandData }),
];

function listCommands({ principal }: HttpRequest, services: Services): Reply {
  const { documents, queue, home } = services;
  const name = `/api/commands${hidesLogins(principal) ? " of guests" : ""}${principal?.view ? ", limited" : ""}`;
  const version = `${queue.lives.version}.${principal?.view ? home.version("structure") : 0}`;
  return documents.serve(name, version, JSON_TYPE, () => {
    const shown = services.queue.lives.recent().filter((life) => mayRead(principal, life));
    const pieces = shown.map((life) => documents.piece(name, life, () => JSON.stringify(commandJson(life, principal))));
    return `{"successful":true,"data":[${pieces.join(",")}]}`;
  });
}

function getCommand(request: HttpRequest, services: Services): Reply {
  const life = services.queue.lives.find(request.params.id ?? "");
  if (!life || !mayRead(request.principal, life)) throw new ControllerError("COMMAND_NOT_FOUND");
  return envelope(commandJson(life, request.principal));
}

function mayRead(principal: Principal | null, { address }: CommandLife): boolean {
  return principal?.view ? principal.view.includes({ kind: "node", address }) : true;
}

function commandJson(life: CommandLife, principal: Principal | null): Fits<typeof commandData> {
  const { id, address, command, state, detail, cause, acceptedAtMs, movedAtMs, members } = life;
  // The reason of the first failure names a member, which a limited account may not see.
  const isHidden = members !== undefined && principal?.view;
  return {
    id,
    address,
    command,
    state,
    detail: isHidden ? membersSentence(members) : detail,
    cause: causeJson(cause, principal),
    acceptedTime: isoTime(acceptedAtMs),
    lastTime: isoTime(movedAtMs),
    ...(members && { members }),
  };
}
