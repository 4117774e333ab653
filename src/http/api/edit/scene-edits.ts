/** Writes to scenes: members, links, present levels, a test without saving. @see docs/interface/groups.md */

import { writeDeviceLinks } from "../../../commands/device-links.ts";
import {
  addMember,
  addMembers,
  captureScene,
  nodeRoles,
  removeMember,
  setLink,
  setTarget,
  testScene,
} from "../../../commands/edit-scenes.ts";
import { type GivenTarget, linkTypesOf } from "../../../commands/scene-links.ts";
import { ControllerError } from "../../../errors.ts";
import type { LinkParameter, SceneLink } from "../../../home/groups.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, list, object, partial, text, textOrNull } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute, VIEW } from "../api-route.ts";
import { groupData, groupLinksJson } from "../groups.ts";
import { LocatedValue, type Members } from "../located-value.ts";
import { edited, editedReply } from "./edited-reply.ts";

const level = { type: "number", minimum: 0, maximum: 100, description: "Percent, in place of a type." } as const;
const ramp = { type: "number", minimum: 0, description: "Seconds; the nearest that the device knows." } as const;
const link = object(
  { node: { type: "string" } },
  {
    optional: { type: { type: "string" }, level, ramp },
    description: "A link as in `GET /api/groups/links`, or a node with `level` and `ramp`.",
  },
);

const linkBody = object(
  { link },
  {
    optional: {
      controllerAddress: { type: "string", description: "Left out: the scene itself, that is, commands to the scene." },
    },
    additionalProperties: false,
  },
);

const addMemberBody = object(
  { nodeAddress: { type: "string" } },
  {
    optional: {
      isController: { type: "boolean", description: "false when left out." },
      name: { type: "string", description: "Accepted and not used." },
      level,
      ramp,
    },
    additionalProperties: false,
  },
);

/** More than a scene of a home has. */
const MEMBERS_AT_ONCE_MAX = 200;

const addMembersBody = object(
  { members: list(addMemberBody, { minItems: 1, maxItems: MEMBERS_AT_ONCE_MAX }) },
  { additionalProperties: false },
);

const removeMemberBody = object({ nodeAddress: { type: "string" } }, { additionalProperties: false });

const testBody = partial(
  { links: list(link, { description: "Links to test instead of the stored ones." }) },
  { additionalProperties: false },
);

const editedSceneData = edited(groupData);
const capturedData = edited(
  object({
    ...groupData.properties,
    skipped: list({ type: "string" }, { description: "Addresses of members without a level to store." }),
  }),
);
const testedData = object({
  commandId: { type: "string", description: "The first of its commands." },
  members: list(
    object({
      address: { type: "string" },
      command: { type: "string", description: "The command that its link chose." },
      state: text("State of the command as in /api/commands. `skipped`: the link sends nothing to this member."),
      code: textOrNull("Code of the error, or null."),
      detail: { type: "string" },
    }),
    { description: "The outcome of the command at each node." },
  ),
});
const rolesData = object({
  availableAsController: { type: "boolean" },
  availableAsResponder: { type: "boolean" },
});
const linkTypesData = object({
  linkTypes: list(
    object(
      { type: { type: "string", enum: ["native", "default", "cmd", "ignore"] } },
      {
        optional: {
          linkdef: { type: "string" },
          name: { type: "string" },
          protocol: { type: "string" },
          params: list(object({ id: { type: "string" }, editor: { type: "string" }, name: { type: "string" } })),
          commands: list(object({ id: { type: "string" }, name: { type: "string" } })),
        },
      },
    ),
  ),
});

const route = apiRoute("groups", "edit-home");

export const sceneEditRoutes: readonly Route[] = [
  route("PATCH /api/groups/links/:group", "Changes the link of one responder.", patchLink, {
    body: linkBody,
    data: editedSceneData,
  }),
  route(
    "POST /api/groups/links/:group/capture",
    "Stores the present levels of the members as the levels of the scene.",
    capture,
    { data: capturedData },
  ),
  route("POST /api/groups/links/:group/test", "Turns the scene on without storing links.", test, {
    body: testBody,
    data: testedData,
  }),
  route("POST /api/groups/links/:group/write", "Writes again the links that devices did not take.", write, {
    data: { type: "null" },
  }),
  route("POST /api/groups/members/:group", "Adds a node to a scene.", postMember, {
    body: addMemberBody,
    data: editedSceneData,
  }),
  route("POST /api/groups/links/:group/members", "Adds several nodes to a scene, as one edit.", postMembers, {
    body: addMembersBody,
    data: editedSceneData,
  }),
  route("DELETE /api/groups/members/:group", "Removes a node from a scene.", deleteMember, {
    body: removeMemberBody,
    data: editedSceneData,
  }),
  route("GET /api/groups/nodeRoles/:address", "The possible roles of a node in a scene.", getNodeRoles, {
    ...VIEW,
    access: "read",
    data: rolesData,
  }),
  route("GET /api/groups/linkTypes", "The possible links of a responder in a scene.", getLinkTypes, {
    ...VIEW,
    access: "read",
    data: linkTypesData,
    query: {
      controller: { type: "string", description: "Accepted and not used." },
      responder: { type: "string", description: "Address of a node.", isRequired: true },
    },
  }),
];

async function patchLink(request: HttpRequest, services: Services): Promise<Reply> {
  const address = request.params.group ?? "";
  const { controller, given } = new LocatedValue(request.body, "").object((members) => ({
    controller: members.find("controllerAddress")?.string() ?? address,
    given: members.get("link").object(parseLink),
  }));
  const group =
    "target" in given
      ? await setTarget(services, address, controller, given, request.cause)
      : await setLink(services, address, controller, given, request.cause);
  return editedReply(services, request.cause, groupLinksJson(group));
}

async function postMember(request: HttpRequest, services: Services): Promise<Reply> {
  const member = memberOf(bodyOf(request, addMemberBody));
  const group = await addMember(services, request.params.group ?? "", member, request.cause);
  return editedReply(services, request.cause, groupLinksJson(group));
}

async function postMembers(request: HttpRequest, services: Services): Promise<Reply> {
  const members = bodyOf(request, addMembersBody).members.map(memberOf);
  const group = await addMembers(services, request.params.group ?? "", members, request.cause);
  return editedReply(services, request.cause, groupLinksJson(group));
}

function memberOf({ nodeAddress, isController = false, level, ramp }: Fits<typeof addMemberBody>) {
  const target = level === undefined && ramp === undefined ? null : targetOf(level, ramp);
  return { address: nodeAddress, isController, target };
}

async function deleteMember(request: HttpRequest, services: Services): Promise<Reply> {
  const { nodeAddress } = bodyOf(request, removeMemberBody);
  const group = await removeMember(services, request.params.group ?? "", nodeAddress, request.cause);
  return editedReply(services, request.cause, groupLinksJson(group));
}

async function capture(request: HttpRequest, services: Services): Promise<Reply> {
  const { group, skipped } = await captureScene(services, request.params.group ?? "", request.cause);
  return editedReply(services, request.cause, { ...groupLinksJson(group), skipped });
}

async function test(request: HttpRequest, services: Services): Promise<Reply> {
  const address = request.params.group ?? "";
  const links = new LocatedValue(request.body ?? {}, "").object(
    (members) => members.find("links")?.list((item) => item.object(parseStoredLink)) ?? null,
  );
  const { commandId, members } = await testScene(services, address, links, request.cause, request.signal);
  return envelope({ commandId, members });
}

function write({ params }: HttpRequest, services: Services): Reply {
  writeDeviceLinks(services, params.group ?? "");
  return envelope(null);
}

function getNodeRoles(request: HttpRequest, services: Services): Reply {
  return envelope(nodeRoles(services, request.params.address ?? ""));
}

function getLinkTypes(request: HttpRequest, services: Services): Reply {
  const responder = request.query.get("responder") ?? "";
  return envelope({ linkTypes: linkTypesOf(services, responder) });
}

type NodeTarget = { readonly node: string; readonly target: GivenTarget };

function parseLink(members: Members): SceneLink | NodeTarget {
  const levelGiven = members.find("level");
  const rampGiven = members.find("ramp");
  if (!levelGiven && !rampGiven) return parseStoredLink(members);
  return { node: members.get("node").text(100), target: targetOf(levelGiven?.value, rampGiven?.value) };
}

/** Their schema says that both are numbers. */
function targetOf(levelPercent: unknown, rampS: unknown): GivenTarget {
  return {
    levelPercent: typeof levelPercent === "number" ? levelPercent : null,
    rampS: typeof rampS === "number" ? rampS : null,
  };
}

function parseStoredLink(members: Members): SceneLink {
  const type = members.get("type").oneOf(["native", "cmd", "default", "ignore"]);
  const node = members.get("node").text(100);
  const params = members.find("params");
  switch (type) {
    case "native":
      return { kind: type, node, linkdef: members.get("linkdef").text(100), parameters: params?.list(parameter) ?? [] };
    case "cmd":
      return { kind: type, node, command: members.get("cmd").text(100), parameters: params?.list(parameter) ?? [] };
    case "default":
    case "ignore":
      return { kind: type, node };
  }
}

const UOM_MAX = 9999;
const PREC_MAX = 9;

function parameter(given: LocatedValue): LinkParameter {
  return given.object((members) => {
    const type = members.find("type");
    if (type?.value === "var") {
      throw new ControllerError("BAD_LINK", "The values of a link are numbers, not variables.");
    }
    return members.get("val").object((value) => ({
      id: members.find("id")?.string() ?? "",
      value: value.get("value").integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      uom: value.find("uom")?.integer(0, UOM_MAX) ?? 0,
      prec: value.find("prec")?.integer(0, PREC_MAX) ?? 0,
    }));
  });
}
