/** `/api/radios`: radio networks, what runs on them, who may join. @see docs/interface/radio-network.md */

import {
  beginWithFile,
  findRadio,
  listRadios,
  meshOf,
  pingRadioDevice,
  radioNameOf,
  radioNetworkOf,
  readRadioMemory,
  unprovisionDevice,
} from "../../../commands/radio/radio-network.ts";
import type { Mesh } from "../../../drivers/mesh.ts";
import type { Network } from "../../../drivers/network.ts";
import { badValue } from "../../../errors.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../../route.ts";
import { bodyOf } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute } from "../api-route.ts";
import { operationData, operationJson } from "../operations.ts";
import {
  provisionBody,
  provisionedData,
  provisionedJson,
  provisioningData,
  provisioningRequest,
} from "./provisioning.ts";
import { diagnosticsData, diagnosticsQuery, getDiagnostics } from "./radio-diagnostics.ts";
import { healthData, healthJson, healthsData, radioData, radioJson, radiosData } from "./radio-json.ts";

const FILE_TYPE = "application/octet-stream";
const MEMORY = "/api/radios/:radio/memory";
const PROVISIONING = "/api/radios/:radio/provisioning";
const NODE = "/api/radios/:radio/nodes/:address";
const FILE_NAME_MAX = 200;

const confirmQuery: QueryParameters = {
  confirm: { type: "string", description: "The `homeId` of the network.", isRequired: true },
};
const fileNameQuery: QueryParameters = {
  fileName: {
    ...{ type: "string", minLength: 1, maxLength: FILE_NAME_MAX, isRequired: true },
    description: "Name of the file; its ending gives its kind.",
  },
};

const route = apiRoute("radio-network", "manage-radio");
const FILE = { data: operationData, fileLimit: "radioFileBytesMax" } as const;

/** Everything of it is for those who rebuild the home: the keys of devices and the memory of the adapter are secrets. */
export const radioRoutes: readonly Route[] = [
  route("GET /api/radios", "The radio networks.", getRadios, { data: radiosData }),
  route("GET /api/radios/:radio", "One radio network.", getRadio, { data: radioData }),
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
    await services.drivers.started(radioNameOf(services, request.params.radio ?? ""), request.signal);
    return handle(request, services);
  };
}

function networkIn({ radio = "" }: HttpRequest["params"], services: Services): Network {
  return radioNetworkOf(services, radio);
}

function meshIn({ radio = "" }: HttpRequest["params"], services: Services): Mesh {
  return meshOf(services, radio);
}

function getRadios(_request: HttpRequest, services: Services): Reply {
  return envelope(listRadios(services).map(radioJson));
}

function getRadio({ params }: HttpRequest, services: Services): Reply {
  return envelope(radioJson(findRadio(services, params.radio ?? "")));
}

function getMemory({ params }: HttpRequest, services: Services): Reply {
  const { radio = "" } = params;
  const body = Buffer.from(readRadioMemory(services, radio));
  const headers = { "Content-Disposition": 'attachment; filename="adapter-memory.bin"' };
  return { status: 200, contentType: FILE_TYPE, body, headers };
}

function restore({ params: { radio = "" }, query, file, cause }: HttpRequest, services: Services): Reply {
  const begun = beginWithFile(services, radio, (mesh) => mesh.restore(file, query.get("confirm")), cause);
  return envelope(operationJson(begun));
}

function updateFirmware({ params, query, file, cause }: HttpRequest, services: Services): Reply {
  const { radio = "", address = "" } = params;
  const name = fileNameOf(query);
  const begun = beginWithFile(services, radio, (mesh) => mesh.updateFirmware(address, file, name), cause);
  return envelope(operationJson(begun));
}

/** By the ending of its name the kind of a firmware file is known. @throws ControllerError BAD_VALUE */
function fileNameOf(query: URLSearchParams): string {
  const name = query.get("fileName") ?? "";
  if (/^[^\p{Cc}]+$/u.test(name) && name.length <= FILE_NAME_MAX) return name;
  throw badValue(`fileName is a text of 1 to ${FILE_NAME_MAX} characters without control characters.`);
}

function getProvisioning({ params }: HttpRequest, services: Services): Reply {
  return envelope(meshIn(params, services).provisioning().map(provisionedJson));
}

async function putProvisioning(request: HttpRequest, services: Services): Promise<Reply> {
  const wanted = provisioningRequest(bodyOf(request, provisionBody));
  return envelope(provisionedJson(await meshIn(request.params, services).provision(wanted)));
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
