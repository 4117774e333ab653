/** `/api/radios`: radio networks, what runs on them, who may join. @see docs/interface/radio-network.md */

import {
  answerRadio,
  beginRadioOperation,
  cancelRadioOperation,
  findRadio,
  listProvisioned,
  listRadios,
  pingRadioDevice,
  provisionDevice,
  radioHealth,
  readRadioMemory,
  unprovisionDevice,
} from "../../../commands/radio/radio-network.ts";
import { envelope } from "../../envelope.ts";
import type { House } from "../../house.ts";
import type { Reply } from "../../reply.ts";
import type { HttpRequest, Method, Route } from "../../route.ts";
import type { JsonSchema } from "../../schema.ts";
import {
  healthData,
  healthJson,
  operationData,
  operationJson,
  radioData,
  radioJson,
  radiosData,
} from "./radio-json.ts";
import {
  answerBody,
  parseAnswer,
  parseProvision,
  parseWish,
  provisionBody,
  provisioningData,
  wishBody,
} from "./radio-parse.ts";

const MEMORY_TYPE = "application/octet-stream";
const OPERATION = "/api/radios/:radio/operation";
const PROVISIONING = "/api/radios/:radio/provisioning";
const NODE = "/api/radios/:radio/nodes/:address";

/** Everything of it is for those who rebuild the home: the keys of devices and the memory of the stick are secrets. */
export const radioRoutes: readonly Route[] = [
  route("GET", "/api/radios", "The radio networks.", getRadios, { data: radiosData }),
  route("GET", "/api/radios/:radio", "One radio network.", getRadio, { data: radioData }),
  route("GET", OPERATION, "The operation under way, or the latest one.", getOperation, { data: operationData }),
  route("POST", OPERATION, "Begins an operation.", begin, { body: wishBody, data: operationData }),
  route("DELETE", OPERATION, "Cancels the operation.", cancel, { data: operationData }),
  route("POST", `${OPERATION}/answer`, "Answers its question.", answer, { body: answerBody, data: operationData }),
  {
    ...route("GET", "/api/radios/:radio/memory", "What a backup of the stick read.", getMemory),
    fileType: MEMORY_TYPE,
  },
  route("GET", PROVISIONING, "Devices that may join by themselves.", getProvisioning, { data: provisioningData }),
  route("PUT", PROVISIONING, "Lets a device join by itself.", putProvisioning, { body: provisionBody }),
  route("DELETE", `${PROVISIONING}/:dsk`, "Takes a device off that list.", deleteProvisioning),
  route("GET", `${NODE}/health`, "How a device fares.", getHealth, { data: healthData }),
  route("POST", `${NODE}/ping`, "Asks whether a device is there.", ping, { data: healthData }),
];

type Schemas = { readonly body?: JsonSchema; readonly data?: JsonSchema };

function route(method: Method, path: string, summary: string, handle: Route["handle"], schemas: Schemas = {}): Route {
  const changes = method !== "GET";
  return {
    method,
    path,
    listener: "portal",
    access: "manage-radio",
    changes,
    page: "radio-network",
    summary,
    handle,
    ...schemas,
  };
}

function getRadios(_request: HttpRequest, house: House): Reply {
  return envelope(listRadios(house).map(radioJson));
}

function getRadio({ params }: HttpRequest, house: House): Reply {
  return envelope(radioJson(findRadio(house, params.radio ?? "")));
}

function getOperation({ params }: HttpRequest, house: House): Reply {
  return envelope(operationJson(findRadio(house, params.radio ?? "").operation));
}

function begin({ params, body, cause }: HttpRequest, house: House): Reply {
  const { wish, confirmed } = parseWish(body);
  return envelope(operationJson(beginRadioOperation(house, params.radio ?? "", wish, confirmed, cause)));
}

function answer({ params, body }: HttpRequest, house: House): Reply {
  return envelope(operationJson(answerRadio(house, params.radio ?? "", parseAnswer(body))));
}

function cancel({ params }: HttpRequest, house: House): Reply {
  return envelope(operationJson(cancelRadioOperation(house, params.radio ?? "")));
}

function getMemory({ params }: HttpRequest, house: House): Reply {
  const { radio = "" } = params;
  const body = Buffer.from(readRadioMemory(house, radio));
  const headers = { "Content-Disposition": 'attachment; filename="stick-memory.bin"' };
  return { status: 200, contentType: MEMORY_TYPE, body, headers };
}

function getProvisioning({ params }: HttpRequest, house: House): Reply {
  const entries = listProvisioned(house, params.radio ?? "");
  return envelope(entries.map(({ isActive, ...entry }) => ({ ...entry, active: isActive })));
}

function putProvisioning({ params, body }: HttpRequest, house: House): Reply {
  provisionDevice(house, params.radio ?? "", parseProvision(body));
  return envelope(null);
}

function deleteProvisioning({ params }: HttpRequest, house: House): Reply {
  unprovisionDevice(house, params.radio ?? "", params.dsk ?? "");
  return envelope(null);
}

function getHealth({ params }: HttpRequest, house: House): Reply {
  const { radio = "", address = "" } = params;
  return envelope(healthJson(radioHealth(house, radio, address)));
}

async function ping({ params, signal }: HttpRequest, house: House): Promise<Reply> {
  const { radio = "", address = "" } = params;
  return envelope(healthJson(await pingRadioDevice(house, radio, address, signal)));
}
