/** Edits of the home, in portal mode. @see docs/interface/nodes.md, groups.md, networking.md, place.md, edits.md */

import type { Edits } from "../api.ts";
import { readSceneLinks } from "../documents/edits.ts";
import type { NewResource } from "../model/edit-records.ts";
import type { Session } from "../transport/session.ts";
import { type PortalRequest, portalRequest } from "./portal-request.ts";
import { secretsIn } from "./secrets.ts";

export function createEdits(session: Session): Edits {
  const request = portalRequest(session, "Editing the home");
  const create = (nodeType: "folder" | "group", name: string, parentAddress: string | null = null) =>
    request("POST /api/nodes", {}, { body: { nodeType, name, parentAddress } });
  return {
    createFolder: (name, parent) => create("folder", name, parent),
    createScene: (name, folder) => create("group", name, folder),
    move: (address, folder) => request("PATCH /api/nodes/:address", { address }, { body: { parentAddress: folder } }),
    disable(address, reason) {
      const body = { enabled: false, ...(reason === undefined ? {} : { reason }) };
      return request("PATCH /api/nodes/:address", { address }, { body });
    },
    setUse: (address, use) => request("PATCH /api/nodes/:address", { address }, { body: { use } }),
    remove: (address, options = {}) => request("DELETE /api/nodes/:address", { address }, { body: options }),
    addAgain: (address) => request("POST /api/nodes", {}, { body: { nodeType: "node", address } }),
    replace(old, by, { force = false, dryRun = false, programsOnly = false } = {}) {
      const body = { by, force, ...(programsOnly && { programsOnly }) };
      return request("POST /api/nodes/:address/replace", { address: old }, { body, query: { dryRun } });
    },
    ...sceneEdits(request),
    ...resourceEdits(request),
    place: () => request("GET /api/place", {}),
    setPlace: (body) => request("PATCH /api/place", {}, { body }),
    uses: (kind, key) => request("GET /api/uses/:kind/*", { kind, "*": key }),
    history: (query = {}) => request("GET /api/edits", {}, { query }),
    edit: (edit) => request("GET /api/edits/:edit", { edit }),
    undo: (edit) => request("POST /api/edits/:edit/undo", { edit: edit ?? "last" }),
  };
}

type SceneEdits = Pick<
  Edits,
  "addMember" | "addMembers" | "removeMember" | "setLevel" | "links" | "capture" | "test" | "writeLinks"
>;

function sceneEdits(request: PortalRequest): SceneEdits {
  return {
    async addMember(group, nodeAddress, { isController = false, ...level } = {}) {
      const body = { nodeAddress, isController, ...level };
      const { edit } = await request("POST /api/groups/members/:group", { group }, { body });
      return { address: group, edit };
    },
    async addMembers(group, members) {
      const body = { members: members.map((member) => ({ ...member })) };
      const { edit } = await request("POST /api/groups/links/:group/members", { group }, { body });
      return { address: group, edit };
    },
    async removeMember(group, nodeAddress) {
      const { edit } = await request("DELETE /api/groups/members/:group", { group }, { body: { nodeAddress } });
      return { address: group, edit };
    },
    async setLevel(group, node, { controller, ...level }) {
      const body = { link: { node, ...level }, ...(controller === undefined ? {} : { controllerAddress: controller }) };
      const { edit } = await request("PATCH /api/groups/links/:group", { group }, { body });
      return { address: group, edit };
    },
    links: async (group) => readSceneLinks(await request("GET /api/groups/links/:group", { group })),
    capture: async (group) => (await request("POST /api/groups/links/:group/capture", { group })).skipped,
    writeLinks: async (group) => void (await request("POST /api/groups/links/:group/write", { group })),
    test: async (group) => void (await request("POST /api/groups/links/:group/test", { group }, { body: {} })),
  };
}

type ResourceEdits = Pick<
  Edits,
  | "resource"
  | "createResource"
  | "changeResource"
  | "removeResource"
  | "testResource"
  | "resourceTargets"
  | "setResourceTargets"
>;

function resourceEdits(request: PortalRequest): ResourceEdits {
  return {
    resource: (id) => request("GET /api/resources/:id", { id }),
    async createResource(body) {
      const made = await request("POST /api/resources", {}, { body, secrets: secretsOf(body) });
      const { id, edit, allowed, unknownValues } = made;
      return { address: String(id), edit, allowed, unknownValues };
    },
    async changeResource(id, body) {
      const { edit } = await request("PATCH /api/resources/:id", { id }, { body, secrets: secretsOf(body) });
      return { address: id, edit };
    },
    async removeResource(id) {
      const { edit } = await request("DELETE /api/resources/:id", { id });
      return { address: id, edit };
    },
    resourceTargets: async () => (await request("GET /api/resource-targets", {})).targets,
    setResourceTargets: async (targets) =>
      (await request("PUT /api/resource-targets", {}, { body: { targets: [...targets] } })).targets,
    testResource: (id) => request("POST /api/resources/:id/test", { id }),
  };
}

/** Whatever a resource sends may be one. */
function secretsOf({ url, headers = [], body }: Partial<NewResource>): readonly string[] {
  return secretsIn([url?.split("?", 2)[1], body, ...headers.map(({ value }) => value)]);
}
