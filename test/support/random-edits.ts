/** Edits out of numbers, and what an owner edits of a home as plain data, to be compared. */

import type { Home } from "../../src/home/home.ts";
import { homeSnapshot } from "./home-snapshot.ts";

/** Two numbers pick the things that an edit is about. */
export type RandomEdit = { readonly what: number; readonly a: number; readonly b: number };

export type EditRequest = {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
};

const pick = <T>(things: Iterable<T>, at: number): T | undefined => {
  const all = [...things];
  return all[at % Math.max(1, all.length)];
};
const nodes = (address: string) => `/api/nodes/${encodeURIComponent(address)}/`;

/** One edit of this home. Many are refused, which must change nothing. */
export function randomEdit(home: Home, { what, a, b }: RandomEdit): EditRequest {
  const steps = [...treeEdits(home, a, b), ...sceneEdits(home, a, b), ...tableEdits(home, a, b)];
  const [method, path, body] = steps[what % steps.length] ?? ["POST", "/api/edits/last/undo"];
  return { method, path, ...(body === undefined ? {} : { body }) };
}

type Step = readonly [method: EditRequest["method"], path: string, body?: object];

function treeEdits(home: Home, a: number, b: number): readonly Step[] {
  const node = pick(home.nodes.keys(), a) ?? "";
  const scene = pick(home.groups.keys(), b) ?? "";
  const folder = pick(home.folders.keys(), b) ?? "";
  const parentAddress = b % 2 ? folder : null;
  return [
    ["POST", "/api/nodes", { nodeType: "folder", name: `Folder ${a}`, parentAddress }],
    ["POST", "/api/nodes", { nodeType: "group", name: `Scene ${a}`, parentAddress }],
    ["PATCH", nodes(node), { name: `Node ${b}`, nodeType: "node" }],
    ["PATCH", nodes(scene), { name: `Scene ${a}`, nodeType: "group" }],
    ["PATCH", nodes(node), { nodeType: "node", parentAddress: folder, parentNodeType: "folder" }],
    ["PATCH", nodes(folder), { nodeType: "folder", parentAddress: pick(home.folders.keys(), a) }],
    ["PATCH", nodes(node), { enabled: b % 2 === 0, reason: `Reason ${b}` }],
    ["DELETE", nodes(node), { nodeType: "node" }],
    ["DELETE", nodes(scene), { nodeType: "group" }],
    ["DELETE", nodes(folder), { contents: (["refuse", "keep", "delete"] as const)[a % 3] }],
    ["POST", "/api/nodes", { nodeType: "node", address: pick(home.hiddenNodes.keys(), a) ?? "none" }],
  ];
}

function sceneEdits(home: Home, a: number, b: number): readonly Step[] {
  const node = pick(home.nodes.keys(), a) ?? "";
  const scene = pick(home.groups.keys(), b) ?? "";
  return [
    ["POST", `/api/groups/members/${scene}`, { nodeAddress: node, isController: a % 3 === 0 }],
    ["POST", `/api/groups/members/${scene}`, { nodeAddress: node, level: b % 101 }],
    ["DELETE", `/api/groups/members/${scene}`, { nodeAddress: node }],
    ["PATCH", `/api/groups/links/${scene}`, { link: { node, level: a % 101 } }],
    ["POST", `/api/groups/links/${scene}/capture`],
  ];
}

function tableEdits(home: Home, a: number, b: number): readonly Step[] {
  const variable = `/api/variables/2/${pick(home.variables[2].keys(), a)}`;
  const program = `/api/programs/${pick(home.programs.keys(), a)?.toString(16)}`;
  const resource = `/api/resources/${pick(home.networkResources.keys(), a)}`;
  return [
    ["PUT", "/api/variables/2", { name: `Variable ${a}`, prec: b % 4 }],
    ["POST", variable, { name: `Variable ${b}` }],
    ["POST", variable, { init: b }],
    ["DELETE", variable],
    ["POST", "/api/programs", { name: `Programs ${a}`, folder: true }],
    ["POST", program, { name: `Program ${b}` }],
    ["POST", program, { enabled: b % 2 === 0 }],
    ["DELETE", program],
    ["POST", "/api/resources", { name: `Resource ${a}`, url: `http://chime.home.arpa/${b}` }],
    ["PATCH", resource, { name: `Resource ${b}`, headers: { "X-Key": `secret ${a}` } }],
    ["DELETE", resource],
    ["PATCH", "/api/place", { latitude: a % 90, units: b % 2 ? "us" : "metric" }],
    ["PATCH", "/api/place", { name: `Home ${a}`, timeZone: b % 2 ? "Europe/Paris" : "America/New_York" }],
  ];
}

/** The editable content of a home, in a fixed order, without progress of programs and states of links. */
export function configurationOf(home: Home) {
  const { nodes: all, programs, programProgress: _progress, programHolds: _holds, ...others } = homeSnapshot(home);
  return {
    controller: others.controller,
    folders: sorted(others.folders),
    groups: sorted(others.groups),
    nodes: sorted(all.map(({ link: _link, ...node }) => node)),
    programs: sorted(
      programs.map((program) => {
        const { version: _version, status, lastRunAtMs, lastFinishAtMs, nextRunAtMs, ...written } = program;
        return written;
      }),
    ),
    variables: sorted(others.variables),
    networkResources: sorted(others.networkResources),
  };
}

function sorted<T extends object>(things: readonly T[]): readonly T[] {
  return [...things].sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

function keyOf(thing: object): string {
  const { address, type, id } = thing as { address?: string; type?: number; id?: number };
  return address ?? `${type ?? ""}/${id}`;
}
