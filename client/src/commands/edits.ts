/** Edits of the home, in portal mode. @see docs/interface/nodes.md, groups.md, networking.md, place.md, edits.md */

import type { Edits } from "../api.ts";
import {
  readEditDetail,
  readEdited,
  readEditSummary,
  readHistory,
  readPlace,
  readReplacement,
  readResourceTest,
  readSceneLinks,
  readSkipped,
  readUses,
} from "../documents/edits.ts";
import { readEnvelope } from "../documents/json.ts";
import type { HistoryQuery, NewResource } from "../model/edit-records.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

export function createEdits(session: Session): Edits {
  const read = async (path: string) => {
    requirePortal(session, WORK);
    return readEnvelope(await session.get(path), path);
  };
  const send = (...[method, path, body, secrets]: Tail<Parameters<typeof write>>) => {
    requirePortal(session, WORK);
    return write(session, method, path, body, secrets);
  };
  const node = (address: string) => `/api/nodes/${segment(address)}`;
  const create = async (nodeType: "folder" | "group", name: string, parentAddress: string | null = null) =>
    readEdited(await send("POST", "/api/nodes", { nodeType, name, parentAddress }));
  const change = async (address: string, body: object) => readEdited(await send("PATCH", node(address), body));
  return {
    createFolder: (name, parent) => create("folder", name, parent),
    createScene: (name, folder) => create("group", name, folder),
    move: (address, folder) => change(address, { parentAddress: folder }),
    disable: (address, reason) => change(address, { enabled: false, ...(reason === undefined ? {} : { reason }) }),
    remove: async (address, { contents } = {}) =>
      readEdited(await send("DELETE", node(address), contents === undefined ? {} : { contents })),
    addAgain: async (address) => readEdited(await send("POST", "/api/nodes", { nodeType: "node", address })),
    async replace(old, by, { force = false, dryRun = false } = {}) {
      const path = `${node(old)}/replace${dryRun ? "?dryRun=true" : ""}`;
      return readReplacement(await send("POST", path, { by, force }));
    },
    ...sceneEdits(send),
    links: async (scene) => readSceneLinks(await read(`/api/groups/links/${segment(scene)}`)),
    ...resourceEdits(send),
    place: async () => readPlace(await read("/api/place")),
    setPlace: async (place) => readPlace(await send("PATCH", "/api/place", place)),
    uses: async (kind, key) => readUses(await read(`/api/uses/${kind}/${key.split("/").map(segment).join("/")}`)),
    history: async (query) => readHistory(await read(`/api/edits${queryOf(query)}`)),
    edit: async (edit) => readEditDetail(await read(`/api/edits/${edit}`)),
    undo: async (edit) => readEditSummary(await send("POST", `/api/edits/${edit ?? "last"}/undo`)),
  };
}

const WORK = "Editing the home";

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;
type Send = (...request: Tail<Parameters<typeof write>>) => Promise<unknown>;

function sceneEdits(send: Send): Pick<Edits, "addMember" | "removeMember" | "setLevel" | "capture" | "test"> {
  const members = (scene: string) => `/api/groups/members/${segment(scene)}`;
  const links = (scene: string) => `/api/groups/links/${segment(scene)}`;
  return {
    async addMember(scene, nodeAddress, { isController = false, ...level } = {}) {
      const { edit } = readEdited(await send("POST", members(scene), { nodeAddress, isController, ...level }));
      return { address: scene, edit };
    },
    async removeMember(scene, nodeAddress) {
      return { ...readEdited(await send("DELETE", members(scene), { nodeAddress })), address: scene };
    },
    async setLevel(scene, nodeAddress, { controller, ...level }) {
      const body = {
        link: { node: nodeAddress, ...level },
        ...(controller === undefined ? {} : { controllerAddress: controller }),
      };
      return { ...readEdited(await send("PATCH", links(scene), body)), address: scene };
    },
    capture: async (scene) => readSkipped(await send("POST", `${links(scene)}/capture`)),
    async test(scene) {
      await send("POST", `${links(scene)}/test`, {});
    },
  };
}

type ResourceEdits = Pick<Edits, "createResource" | "changeResource" | "removeResource" | "testResource">;

function resourceEdits(send: Send): ResourceEdits {
  const path = (id: string) => `/api/resources/${segment(id)}`;
  const edited = (id: string, data: unknown) => ({ ...readEdited(data), address: id });
  return {
    createResource: async (resource) => {
      const data = await send("POST", "/api/resources", resource, secretsOf(resource));
      return edited(String((data as { readonly id?: unknown } | null)?.id ?? ""), data);
    },
    changeResource: async (id, change) => edited(id, await send("PATCH", path(id), change, secretsOf(change))),
    removeResource: async (id) => edited(id, await send("DELETE", path(id))),
    testResource: async (id) => readResourceTest(await send("POST", `${path(id)}/test`)),
  };
}

/** Shorter ones would blank out half of every message. */
const SECRET_LENGTH_MIN = 4;

/** Whatever a resource sends may be one. */
function secretsOf({ url, headers = [], body }: Partial<NewResource>): readonly string[] {
  const query = url?.split("?", 2)[1];
  return [query, body, ...headers.map(({ value }) => value)].filter(
    (text): text is string => text !== undefined && text.length >= SECRET_LENGTH_MIN,
  );
}

function queryOf(query: HistoryQuery = {}): string {
  const given = Object.entries(query).map(([name, value]) => `${name}=${segment(String(value))}`);
  return given.length === 0 ? "" : `?${given.join("&")}`;
}
