/** SOAP operations on programs: all of them as XML, and commands to one. Their texts are uploaded (uploads.ts). */

import { authorize, type Right } from "../../auth/policy.ts";
import { removeProgram } from "../../commands/edit-programs.ts";
import { runProgram } from "../../commands/run-program.ts";
import { ControllerError } from "../../errors.ts";
import { findProgram, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import type { XmlElement } from "../../util/read-xml.ts";
import { programXml } from "../api/trigger-xml.ts";
import { NOT_FOR_LIMITED } from "../not-for-limited.ts";
import { xmlReply } from "../rest/rest-reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { localName } from "./call.ts";
import { does, type SoapOperation, shows } from "./operation.ts";
import { presentKey } from "./program-keys.ts";

/** Programs that are written in one turn. */
const PART = 50;

export const programOperations: readonly SoapOperation[] = [
  shows("GetAllD2D", {}, async (_given, request, { home, documents }) => {
    const entries = [...home.programs.values()].sort((a, b) => a.id - b.id);
    const written: string[] = [];
    for (let at = 0; at < entries.length; at += PART) {
      const part = entries.slice(at, at + PART);
      const texts = () => part.map((entry) => documents.piece("GetAllD2D", entry, programXml));
      for (const text of await request.inTurn(texts)) written.push(`<d2d>${text}</d2d>`);
    }
    return xmlReply(`<key>${presentKey(home)}</key><triggers>${written.join("")}</triggers>`);
  }),
  does(
    "D2DCommand",
    { id: "id", key: "key", commands: "CDATA" },
    "run-program",
    async (given, request, services) => {
      const orders = readOrders(given.element("commands"));
      for (const { right } of orders) authorizeOrder(request, right);
      services.programKeys.require(request.principal, services.home, given.find("key"));
      const id = given.integer("id") || ROOT_PROGRAM_ID;
      for (const order of orders) await carryOut(order, id, request, services);
    },
    (given) => ({ kind: "program", id: given.integer("id") || ROOT_PROGRAM_ID }),
  ),
];

type Order = { readonly verb: string; readonly right: Right; readonly text: string };

/** By element in lower case: the verb of `runProgram`, or a word of this file. */
const VERBS: Readonly<Record<string, readonly [verb: string, right: Right]>> = {
  runif: ["runIf", "run-program"],
  runthen: ["runThen", "run-program"],
  runelse: ["runElse", "run-program"],
  stop: ["stop", "run-program"],
  enable: ["enable", "enable-program"],
  disable: ["disable", "enable-program"],
  runatreboot: ["enableRunAtStartup", "enable-program"],
  notrunatreboot: ["disableRunAtStartup", "enable-program"],
  delete: ["delete", "edit-program"],
  setkey: ["setKey", "edit-program"],
  broadcast: ["broadcast", "edit-program"],
};

/** Everything in `<cmd>`. @throws ControllerError BAD_BODY for one that is unknown, before anything is done */
function readOrders(given: XmlElement | null): readonly Order[] {
  const commands =
    given?.children.filter((each) => localName(each) === "cmd").flatMap(({ children }) => children) ?? [];
  if (commands.length === 0) throw new ControllerError("BAD_BODY", 'The element "cmd" has no command.');
  return commands.map((each) => {
    const name = localName(each).toLowerCase();
    const known = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (!known) throw new ControllerError("BAD_BODY", "The command is unknown for programs.");
    const [verb, right] = known;
    return { verb, right, text: each.text.trim() };
  });
}

function authorizeOrder({ principal }: HttpRequest, right: Right): void {
  authorize(principal, right);
  if (principal?.view && right === "edit-program") throw new ControllerError("FORBIDDEN", NOT_FOR_LIMITED);
}

async function carryOut(order: Order, id: number, request: HttpRequest, services: Services): Promise<void> {
  const { verb, text } = order;
  switch (verb) {
    case "setKey":
      return services.programKeys.keep(request.principal, services.home, text);
    case "broadcast":
      // What was uploaded is in force already.
      return;
    case "delete":
      await removeProgram(services, id, null, request.cause);
      return services.programKeys.keep(request.principal, services.home);
    default: {
      const isFolder = findProgram(services.home, id)?.kind === "folder";
      await runProgram(services, id, isFolder && verb === "runIf" ? "run" : verb, request.cause);
      services.programKeys.keep(request.principal, services.home);
    }
  }
}
