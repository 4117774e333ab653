/** Work on radio networks, in portal mode. @see docs/interface/radio-network.md */

import type { RadioNetwork, Radios } from "../api.ts";
import { begunOperation, readOperation } from "../documents/integrations.ts";
import type { RadioState } from "../model/radio-network.ts";
import type { Routes } from "../model/routes.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal } from "./acknowledge.ts";
import { segment } from "./paths.ts";
import { type PortalRequest, portalRequest } from "./portal-request.ts";

const WORK = "Work on a radio network";

export function createRadios(session: Session): Radios {
  const request = portalRequest(session, WORK);
  return {
    list: async () => (await request("GET /api/radios", {})).map(readRadio),
    network: (name) => createNetwork(session, request, name),
  };
}

function createNetwork(session: Session, request: PortalRequest, radio: string): RadioNetwork {
  return {
    name: radio,
    state: async () => readRadio(await request("GET /api/radios/:radio", { radio })),
    devices: () => request("GET /api/radios/:radio/nodes", { radio }),
    health: (address) => request("GET /api/radios/:radio/nodes/:address/health", { radio, address }),
    ping: (address) => request("POST /api/radios/:radio/nodes/:address/ping", { radio, address }),
    async updateFirmware(address, file, fileName) {
      const detail = { file, query: { fileName } };
      return begunOperation(
        await request("POST /api/radios/:radio/nodes/:address/firmware", { radio, address }, detail),
      );
    },
    async memory() {
      requirePortal(session, WORK);
      return session.download(`/api/radios/${segment(radio)}/memory`);
    },
    restoreMemory: async (file, confirm) =>
      begunOperation(await request("PUT /api/radios/:radio/memory", { radio }, { file, query: { confirm } })),
    provisioned: () => request("GET /api/radios/:radio/provisioning", { radio }),
    provision(device) {
      const secrets = ["dsk" in device ? device.dsk : device.qr];
      // The controller checks the names of the security classes.
      const body = device as Routes["PUT /api/radios/:radio/provisioning"]["body"];
      return request("PUT /api/radios/:radio/provisioning", { radio }, { body, secrets });
    },
    unprovision: async (dsk) =>
      void (await request("DELETE /api/radios/:radio/provisioning/:dsk", { radio, dsk }, { secrets: [dsk] })),
    diagnostics: ({ names = true } = {}) =>
      request("GET /api/radios/:radio/diagnostics", { radio }, names ? {} : { query: { names: "no" } }),
  };
}

function readRadio({ operation, ...radio }: Routes["GET /api/radios/:radio"]["data"]): RadioState {
  return { ...radio, operation: readOperation(operation) };
}
