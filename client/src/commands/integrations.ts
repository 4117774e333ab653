/** Work on integrations, in portal mode. @see docs/interface/integrations.md */

import type { Integrations } from "../api.ts";
import {
  readIntegration,
  readIntegrationOperation,
  readIntegrations,
  readIntegrationType,
  readOperationKind,
} from "../documents/integrations.ts";
import { objectsOf, readEnvelope } from "../documents/json.ts";
import { ClientError } from "../errors.ts";
import type { IntegrationOperation, IntegrationSettings } from "../model/integrations.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

const PATH = "/api/integrations";

export function createIntegrations(session: Session): Integrations {
  const one = (id: string) => `${PATH}/${segment(id)}`;
  const read = async (path: string) => {
    requirePortal(session, WORK);
    return readEnvelope(await session.get(path), path);
  };
  const send = async (
    method: Parameters<typeof write>[1],
    path: string,
    body?: object,
    settings?: IntegrationSettings,
  ) => {
    requirePortal(session, WORK);
    return write(session, method, path, body, textsOf(settings));
  };
  return {
    list: async () => readIntegrations(await read(PATH)),
    types: async () => objectsOf(await read(`${PATH}/types`)).map(readIntegrationType),
    get: async (id) => readIntegration(await read(one(id))),
    add: async (wanted) => readIntegration(await send("POST", PATH, wanted, wanted.settings)),
    change: async (id, change) => readIntegration(await send("PATCH", one(id), change, change.settings)),
    start: async (id) => readIntegration(await send("POST", `${one(id)}/start`)),
    stop: async (id) => readIntegration(await send("POST", `${one(id)}/stop`)),
    restart: async (id) => readIntegration(await send("POST", `${one(id)}/restart`)),
    operationKinds: async (id) => objectsOf(await read(`${one(id)}/operations`)).map(readOperationKind),
    operation: async (id) => readIntegrationOperation(await read(`${one(id)}/operation`)),
    begin: async (id, kind, input) => begun(await send("POST", `${one(id)}/operation`, { kind, input }, input)),
    answer: async (id, given) => begun(await send("POST", `${one(id)}/operation/answer`, given, given)),
    cancel: async (id) => begun(await send("DELETE", `${one(id)}/operation`)),
    async testChannel(id, message = {}) {
      await send("POST", `/api/channels/${segment(id)}/test`, message);
    },
    async remove(id, nodes) {
      await send("DELETE", `${one(id)}${nodes === undefined ? "" : `?nodes=${nodes}`}`);
    },
  };
}

const WORK = "Work on integrations";

function begun(data: unknown): IntegrationOperation {
  const operation = readIntegrationOperation(data);
  if (operation) return operation;
  throw new ClientError("BAD_DOCUMENT", "The operation was begun, and came without its state.");
}

/** Shorter ones would blank out half of every message. */
const SECRET_LENGTH_MIN = 4;

/** Any of them may be a secret, and which are is known only to the controller. */
function textsOf(settings: IntegrationSettings = {}): readonly string[] {
  return Object.values(settings).filter(
    (value) => typeof value === "string" && value.length >= SECRET_LENGTH_MIN,
  ) as string[];
}
