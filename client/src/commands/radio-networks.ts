/** Work on radio networks, in portal mode. @see docs/interface/radio-network.md */

import type { RadioNetwork, Radios } from "../api.ts";
import { isObject, objectsOf, readEnvelope } from "../documents/json.ts";
import { readDevice, readOperation, readProvisioned, readRadio, readRadios } from "../documents/radio-networks.ts";
import { ClientError } from "../errors.ts";
import type { RadioOperation } from "../model/radio-network.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

const RADIOS = "/api/radios";

export function createRadios(session: Session): Radios {
  return {
    list: async () => readRadios(await read(session, RADIOS)),
    network: (name) => createNetwork(session, name),
  };
}

function createNetwork(session: Session, name: string): RadioNetwork {
  const base = `${RADIOS}/${segment(name)}`;
  const operation = `${base}/operation`;
  const provisioning = `${base}/provisioning`;
  const node = (address: string) => `${base}/nodes/${segment(address)}`;
  const get = (path: string) => read(session, path);
  const send = async (method: "POST" | "PUT" | "DELETE", path: string, body?: object, secrets?: readonly string[]) => {
    requirePortal(session, WORK);
    return write(session, method, path, body, secrets);
  };
  const upload = async (method: string, path: string, file: Uint8Array<ArrayBuffer>) => {
    requirePortal(session, WORK);
    return operationOf(readEnvelope(await session.send(method, path, { file }), path));
  };
  return {
    name,
    state: async () => readRadio(await get(base)),
    operation: async () => readOperation(await get(operation)),
    begin: async (requested) => operationOf(await send("POST", operation, requested)),
    async answer(answer) {
      const secrets = answer.kind === "pin" ? [answer.pin] : [];
      return operationOf(await send("POST", `${operation}/answer`, answer, secrets));
    },
    cancel: async () => operationOf(await send("DELETE", operation)),
    devices: async () => objectsOf(await get(`${base}/nodes`)).map(readDevice),
    health: async (address) => readDevice(await get(`${node(address)}/health`)),
    ping: async (address) => readDevice(await send("POST", `${node(address)}/ping`)),
    updateFirmware: (address, file, fileName) =>
      upload("POST", `${node(address)}/firmware?fileName=${segment(fileName)}`, file),
    async memory() {
      requirePortal(session, WORK);
      return session.download(`${base}/memory`);
    },
    restoreMemory: (file, homeId) => upload("PUT", `${base}/memory?confirm=${segment(homeId)}`, file),
    provisioned: async () => objectsOf(await get(provisioning)).map(readProvisioned),
    async provision(device) {
      const secrets = ["dsk" in device ? device.dsk : device.qr];
      return readProvisioned(await send("PUT", provisioning, device, secrets));
    },
    unprovision: async (dsk) => void (await send("DELETE", `${provisioning}/${segment(dsk)}`, undefined, [dsk])),
    async diagnostics({ names = true } = {}) {
      const data = await get(`${base}/diagnostics${names ? "" : "?names=no"}`);
      return isObject(data) ? data : {};
    },
  };
}

const WORK = "Work on a radio network";

async function read(session: Session, path: string): Promise<unknown> {
  requirePortal(session, WORK);
  return readEnvelope(await session.get(path), path);
}

function operationOf(data: unknown): RadioOperation {
  const operation = readOperation(data);
  if (operation) return operation;
  throw new ClientError("BAD_DOCUMENT", "The operation was started, but the answer has no state.");
}
