/** `/api/radios`: radio networks, what runs on them, who may join. @see docs/interface/radio-network.md */

import {
  beginRadioOperation,
  findRadio,
  listRadios,
  pingRadioDevice,
  radioNetworkOf,
  readRadioMemory,
  unprovisionDevice,
} from "../../../commands/radio/radio-network.ts";
import type { RadioNetwork } from "../../../drivers/radio-port.ts";
import { envelope } from "../../envelope.ts";
import type { Services } from "../../services.ts";
import type { Reply } from "../../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../../route.ts";
import { diagnosticsData, diagnosticsQuery, getDiagnostics } from "./radio-diagnostics.ts";
import {
  healthData,
  healthJson,
  healthsData,
  operationData,
  operationJson,
  provisionedJson,
  radioData,
  radioJson,
  radiosData,
} from "./radio-json.ts";
import {
  answerBody,
  fileNameQuery,
  parseAnswer,
  parseFileName,
  parseProvision,
  parseOperation,
  provisionBody,
  provisionedData,
  provisioningData,
  operationBody,
} from "./radio-parse.ts";
import { apiRoute } from "../api-route.ts";

const FILE_TYPE = "application/octet-stream";
const OPERATION = "/api/radios/:radio/operation";
const MEMORY = "/api/radios/:radio/memory";
const PROVISIONING = "/api/radios/:radio/provisioning";
const NODE = "/api/radios/:radio/nodes/:address";

const confirmQuery: QueryParameters = {
  confirm: { type: "string", description: "The `homeId` of the network.", isRequired: true },
};

const route = apiRoute("radio-network", "manage-radio");
const FILE = { data: operationData, fileLimit: "radioFileBytesMax" } as const;

/** Everything of it is for those who rebuild the home: the keys of devices and the memory of the adapter are secrets. */
export const radioRoutes: readonly Route[] = [
  route("GET /api/radios", "The radio networks.", getRadios, { data: radiosData }),
  route("GET /api/radios/:radio", "One radio network.", getRadio, { data: radioData }),
  route(`GET ${OPERATION}`, "The operation under way, or the latest one.", getOperation, { data: operationData }),
  route(`POST ${OPERATION}`, "Starts an operation.", onceStarted(begin), { body: operationBody, data: operationData }),
  route(`DELETE ${OPERATION}`, "Cancels the operation.", cancel, { data: operationData }),
  route(`POST ${OPERATION}/answer`, "Answers its question.", answer, { body: answerBody, data: operationData }),
  route(`GET ${MEMORY}`, "The memory of the adapter, from its latest backup.", getMemory, { fileType: FILE_TYPE }),
  route(`PUT ${MEMORY}`, "Starts to restore the memory of the adapter.", onceStarted(restore), {
    ...FILE,
    query: confirmQuery,
  }),
  route(`GET ${PROVISIONING}`, "The SmartStart provisioning list.", onceStarted(getProvisioning), {
    data: provisioningData,
  }),
  route(`PUT ${PROVISIONING}`, "Adds a device to the SmartStart provisioning list.", onceStarted(putProvisioning), {
    body: provisionBody,
    data: provisionedData,
  }),
  route(
    `DELETE ${PROVISIONING}/:dsk`,
    "Removes a device from the SmartStart provisioning list.",
    onceStarted(deleteProvisioning),
  ),
  route(
    "GET /api/radios/:radio/diagnostics",
    "The whole network for a bug report, without secrets.",
    onceStarted(getDiagnostics),
    {
      data: diagnosticsData,
      query: diagnosticsQuery,
    },
  ),
  route("GET /api/radios/:radio/nodes", "The health of all devices.", onceStarted(getDevices), { data: healthsData }),
  route(`GET ${NODE}/health`, "The health of a device.", onceStarted(getHealth), { data: healthData }),
  route(`POST ${NODE}/ping`, "Pings a device.", onceStarted(ping), { data: healthData }),
  route(`POST ${NODE}/firmware`, "Starts a firmware update of a device.", onceStarted(updateFirmware), {
    ...FILE,
    query: fileNameQuery,
  }),
];

/** A radio starts behind open doors; what needs its adapter waits for that, up to the request's deadline. */
function onceStarted(handle: Route["handle"]): Route["handle"] {
  return async (request, services) => {
    await services.drivers.started(request.params.radio ?? "", request.signal);
    return handle(request, services);
  };
}

function networkIn({ radio = "" }: HttpRequest["params"], services: Services): RadioNetwork {
  return radioNetworkOf(services, radio);
}

function getRadios(_request: HttpRequest, services: Services): Reply {
  return envelope(listRadios(services).map(radioJson));
}

function getRadio({ params }: HttpRequest, services: Services): Reply {
  return envelope(radioJson(findRadio(services, params.radio ?? "")));
}

function getOperation({ params }: HttpRequest, services: Services): Reply {
  return envelope(operationJson(findRadio(services, params.radio ?? "").operation));
}

function begin({ params, body, cause }: HttpRequest, services: Services): Reply {
  const { requested, confirmed } = parseOperation(body);
  return envelope(operationJson(beginRadioOperation(services, params.radio ?? "", requested, confirmed, cause)));
}

function answer({ params, body }: HttpRequest, services: Services): Reply {
  return envelope(operationJson(networkIn(params, services).answer(parseAnswer(body))));
}

function cancel({ params }: HttpRequest, services: Services): Reply {
  return envelope(operationJson(networkIn(params, services).cancel()));
}

function getMemory({ params }: HttpRequest, services: Services): Reply {
  const { radio = "" } = params;
  const body = Buffer.from(readRadioMemory(services, radio));
  const headers = { "Content-Disposition": 'attachment; filename="adapter-memory.bin"' };
  return { status: 200, contentType: FILE_TYPE, body, headers };
}

function restore({ params, query, file, cause }: HttpRequest, services: Services): Reply {
  const requested = { kind: "restore", memory: file } as const;
  return envelope(
    operationJson(beginRadioOperation(services, params.radio ?? "", requested, query.get("confirm"), cause)),
  );
}

function updateFirmware({ params, query, file, cause }: HttpRequest, services: Services): Reply {
  const { radio = "", address = "" } = params;
  const requested = { kind: "update-firmware", address, file, fileName: parseFileName(query) } as const;
  return envelope(operationJson(beginRadioOperation(services, radio, requested, null, cause)));
}

function getProvisioning({ params }: HttpRequest, services: Services): Reply {
  return envelope(networkIn(params, services).provisioning().map(provisionedJson));
}

async function putProvisioning({ params, body }: HttpRequest, services: Services): Promise<Reply> {
  return envelope(provisionedJson(await networkIn(params, services).provision(parseProvision(body))));
}

function deleteProvisioning({ params }: HttpRequest, services: Services): Reply {
  unprovisionDevice(services, params.radio ?? "", params.dsk ?? "");
  return envelope(null);
}

function getDevices({ params }: HttpRequest, services: Services): Reply {
  return envelope(networkIn(params, services).devices().map(healthJson));
}

function getHealth({ params }: HttpRequest, services: Services): Reply {
  return envelope(healthJson(networkIn(params, services).health(params.address ?? "")));
}

async function ping({ params, signal }: HttpRequest, services: Services): Promise<Reply> {
  const { radio = "", address = "" } = params;
  return envelope(healthJson(await pingRadioDevice(services, radio, address, signal)));
}
