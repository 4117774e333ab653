/**
 * `/services`: the SOAP surface of the originals, for clients that write. One table of operations; everything else is answered as
 * not available, never as done.
 *
 * @see docs/interface/soap.md
 */

import { ControllerError } from "../../errors.ts";
import { NOT_FOR_LIMITED } from "../not-for-limited.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import type { Services } from "../services.ts";
import { enveloped } from "./answer.ts";
import { Given, localName, readOperation } from "./call.ts";
import { modemOperations } from "./modem.ts";
import { nodeOperations } from "./nodes.ts";
import type { SoapOperation } from "./operation.ts";
import { programOperations } from "./programs.ts";
import { sceneOperations } from "./scenes.ts";
import { systemOperations } from "./system.ts";
import { uploadRoutes } from "./uploads.ts";

export const soapOperations: readonly SoapOperation[] = [
  ...nodeOperations,
  ...sceneOperations,
  ...programOperations,
  ...modemOperations,
  ...systemOperations,
];

const BY_NAME = new Map(soapOperations.flatMap((row) => row.names.map((name) => [name, row] as const)));

type Call = { readonly row: SoapOperation; readonly given: Given<SoapOperation["elements"]> };

/** @throws ControllerError BAD_BODY; OPERATION_UNAVAILABLE */
function readCall(text: string): Call {
  const element = readOperation(text);
  const command = new Given(element, { command: ["command"] }).find("command");
  const name = localName(element);
  // One client sends other operations as commands of a device, too.
  const row =
    name === "DeviceSpecific" ? (BY_NAME.get(`${name}:${command}`) ?? BY_NAME.get(command ?? "")) : BY_NAME.get(name);
  if (!row) throw new ControllerError("OPERATION_UNAVAILABLE");
  return { row, given: new Given(element, row.elements) };
}

function callOf({ body }: HttpRequest): Call {
  return body as Call;
}

export const soapRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/services",
    listener: "both",
    access: { least: "read", action: (request) => callOf(request).row.right },
    limited(request) {
      const { row, given } = callOf(request);
      if (!row.limited) throw new ControllerError("FORBIDDEN", NOT_FOR_LIMITED);
      return row.limited(given);
    },
    changes: true,
    readText: readCall,
    page: "soap",
    summary: "Carries out the operation in a SOAP envelope.",
    handle,
  },
  ...uploadRoutes,
];

async function handle(request: HttpRequest, services: Services): Promise<Reply> {
  const { row, given } = callOf(request);
  return enveloped(await row.handle(given, request, services));
}
