/** Edits network resources: their content and their target. The content may be secret and is never shown. */

import { badValue, ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Home } from "../home/home.ts";
import type { NetworkResource } from "../home/network-resources.ts";
import { canonicalHost } from "../util/network-target.ts";
import { changed, created, type EditPorts, editHome, removed } from "./edit-home.ts";
import { checkName } from "./edit-nodes.ts";
import { checkResource } from "./fire-network-resource.ts";
import { newId } from "./new-ids.ts";

export type WrittenResource = Omit<NetworkResource, "id">;

const HEADERS_MAX = 50;
const TEXT_CHARS_MAX = 65_536;

/** @throws ControllerError BAD_NAME; BAD_VALUE for what cannot be sent; LIMIT_REACHED; STORE_UNAVAILABLE */
export async function createResource(
  ports: EditPorts,
  written: WrittenResource,
  cause: Cause,
): Promise<NetworkResource> {
  const resource = {
    id: newId(ports.home, "resource ", ports.home.networkResources),
    ...checked(written),
  };
  const things = [created("resource", String(resource.id), resource)];
  await editHome(ports, { title: `Create the network resource "${resource.name}"`, things }, cause);
  return resource;
}

/** @throws ControllerError RESOURCE_NOT_FOUND; as `createResource` */
export async function changeResource(
  ports: EditPorts,
  id: number,
  patch: Partial<WrittenResource>,
  cause: Cause,
): Promise<NetworkResource> {
  const { id: _id, ...before } = requireResource(ports.home, id);
  const written = checked({ ...before, ...patch });
  const isRenamed = Object.keys(patch).join() === "name";
  const what = `the network resource "${before.name}"`;
  const title = isRenamed ? `Rename ${what} to "${written.name}"` : `Change ${what}`;
  await editHome(ports, { title, things: [changed(ports, "resource", String(id), written)] }, cause);
  return { id, ...written };
}

/** @throws ControllerError RESOURCE_NOT_FOUND; STORE_UNAVAILABLE */
export async function removeResource(ports: EditPorts, id: number, cause: Cause): Promise<void> {
  const { name } = requireResource(ports.home, id);
  const things = [removed(ports, "resource", String(id))];
  await editHome(ports, { title: `Remove the network resource "${name}"`, things }, cause);
}

/** @throws ControllerError RESOURCE_NOT_FOUND */
export function requireResource(home: Home, id: number): NetworkResource {
  const resource = home.networkResources.get(id);
  if (!resource) throw new ControllerError("RESOURCE_NOT_FOUND");
  return resource;
}

function checked(written: WrittenResource): WrittenResource {
  checkName(written.name);
  if (written.protocol === "none") return written;
  canonicalHost(written.host);
  checkResource(written);
  if (written.headers.length > HEADERS_MAX) throw badValue(`A network resource has at most ${HEADERS_MAX} headers.`);
  const chars = written.headers.reduce((sum, { value }) => sum + value.length, written.body.length);
  if (chars > TEXT_CHARS_MAX) throw badValue(`Body and headers have at most ${TEXT_CHARS_MAX} characters.`);
  return written;
}
