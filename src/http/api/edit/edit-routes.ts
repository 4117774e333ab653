/** The paths that edit the home, and the way back. */

import type { Method, Route } from "../../route.ts";
import { getGroup, getGroups, groupsData } from "../groups.ts";
import { editData, editsData, editsQuery, getEdit, getUses, listEdits, undo, undoneData, usesData } from "./edits.ts";
import {
  changeNode,
  changeNodeBody,
  createNode,
  createNodeBody,
  deleteNode,
  dryRunQuery,
  editedNodeData,
  removeNodeBody,
  replaceDevice,
  replacedNodeData,
  replaceNodeBody,
} from "./node-edits.ts";
import { editedPlaceData, getPlace, patchPlace, placeBody, placeData } from "./place.ts";
import {
  addResource,
  deleteResource,
  editedResourceData,
  getResource,
  listResources,
  patchResource,
  resourceChangeBody,
  resourceCreateBody,
  resourceData,
  removedResourceData,
  resourcesData,
  testData,
  testResource,
} from "./resources.ts";
import {
  addMemberBody,
  capture,
  capturedData,
  deleteMember,
  editedSceneData,
  getLinkTypes,
  getNodeRoles,
  linkBody,
  linkTypesData,
  patchLink,
  postMember,
  removeMemberBody,
  rolesData,
  test,
  testBody,
  testedData,
} from "./scene-edits.ts";

type Handle = Route["handle"];

export const editRoutes: readonly Route[] = [
  {
    ...edits("POST", "/api/nodes", "nodes", "Creates a folder or a scene, or adds a removed node again.", createNode),
    body: createNodeBody,
    data: editedNodeData,
  },
  {
    ...edits("PATCH", "/api/nodes/:address", "nodes", "Renames, moves, enables or disables.", changeNode),
    body: changeNodeBody,
    data: editedNodeData,
  },
  {
    ...edits("DELETE", "/api/nodes/:address", "nodes", "Removes a node, a scene or a folder.", deleteNode),
    body: removeNodeBody,
    data: editedNodeData,
  },
  {
    ...edits("POST", "/api/nodes/:address/replace", "nodes", "Another device takes its place.", replaceDevice),
    query: dryRunQuery,
    body: replaceNodeBody,
    data: replacedNodeData,
  },
  { ...shows("/api/groups/links", "groups", "The links of every scene.", getGroups), data: groupsData },
  { ...shows("/api/groups/links/:group", "groups", "The links of one scene.", getGroup), data: groupsData },
  {
    ...edits("PATCH", "/api/groups/links/:group", "groups", "Changes what one responder does.", patchLink),
    body: linkBody,
    data: editedSceneData,
  },
  {
    ...edits("POST", "/api/groups/links/:group/capture", "groups", "Stores the present levels.", capture),
    data: capturedData,
  },
  {
    ...edits("POST", "/api/groups/links/:group/test", "groups", "Turns the scene on without storing links.", test),
    changes: true,
    body: testBody,
    data: testedData,
  },
  {
    ...edits("POST", "/api/groups/members/:group", "groups", "Adds a node to a scene.", postMember),
    body: addMemberBody,
    data: editedSceneData,
  },
  {
    ...edits("DELETE", "/api/groups/members/:group", "groups", "Removes a node from a scene.", deleteMember),
    body: removeMemberBody,
    data: editedSceneData,
  },
  {
    ...shows("/api/groups/nodeRoles/:address", "groups", "The possible roles of a node in a scene.", getNodeRoles),
    data: rolesData,
  },
  {
    ...shows("/api/groups/linkTypes", "groups", "The possible links of a responder in a scene.", getLinkTypes),
    data: linkTypesData,
    query: [
      { name: "controller", description: "Accepted and not used.", schema: { type: "string" } },
      { name: "responder", description: "Address of a node.", schema: { type: "string" }, required: true },
    ],
  },
  { ...shows("/api/place", "place", "Where the home is, its zone and units.", getPlace), data: placeData },
  {
    ...edits("PATCH", "/api/place", "place", "Changes the place, the zone, the units or the name.", patchPlace),
    body: placeBody,
    data: editedPlaceData,
  },
  {
    ...shows("/api/resources", "networking", "The network resources, without what is secret.", listResources),
    data: resourcesData,
  },
  {
    ...shows("/api/resources/:id", "networking", "One network resource.", getResource),
    data: resourceData,
  },
  {
    ...edits("POST", "/api/resources", "networking", "Creates a network resource.", addResource),
    body: resourceCreateBody,
    data: editedResourceData,
  },
  {
    ...edits("PATCH", "/api/resources/:id", "networking", "Changes a network resource.", patchResource),
    body: resourceChangeBody,
    data: editedResourceData,
  },
  {
    ...edits("DELETE", "/api/resources/:id", "networking", "Removes a network resource.", deleteResource),
    data: removedResourceData,
  },
  {
    ...edits("POST", "/api/resources/:id/test", "networking", "Fires it, and shows the answer.", testResource),
    data: testData,
  },
  {
    ...reads("/api/edits", "edits", "The edits, the newest first.", listEdits),
    access: "edit-home",
    query: editsQuery,
    data: editsData,
  },
  {
    ...reads("/api/edits/:edit", "edits", "One edit, with what was different.", getEdit),
    access: "edit-home",
    data: editData,
  },
  {
    ...edits("POST", "/api/edits/:edit/undo", "edits", "Takes an edit back.", undo),
    data: undoneData,
  },
  { ...reads("/api/uses/:kind/*", "edits", "Where a thing is used.", getUses), data: usesData },
];

function reads(path: string, page: string, summary: string, handle: Handle): Route {
  return { method: "GET", path, listener: "portal", access: "read", changes: false, page, summary, handle };
}

/** Also to accounts with limits, as far as these go. */
function shows(...args: Parameters<typeof reads>): Route {
  return { ...reads(...args), limited: "view" };
}

function edits(method: Method, path: string, page: string, summary: string, handle: Handle): Route {
  return { method, path, listener: "portal", access: "edit-home", changes: true, page, summary, handle };
}
