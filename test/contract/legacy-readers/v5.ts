/** The ISY994v5 library, emulated: one request after the other, every one of which has to be answered. */

import { children, type XmlElement } from "../../support/read-xml.ts";
import { attribute, descendants, dom, first, type Get, int, programTime, value } from "./python.ts";

type Loaded = {
  readonly devices: number;
  readonly scenes: number;
  readonly programs: number;
  readonly variables: number;
};

const SCENE_FAMILY = "6";

export async function loadV5(get: Get): Promise<Loaded> {
  const devices = children(dom(await get("/rest/nodes/devices")), "node");
  for (const device of devices) readDevice(device);
  const groups = children(dom(await get("/rest/nodes/scenes")), "group");
  const scenes = groups.filter((group) => attribute(group, "flag") !== "12");
  for (const scene of scenes) readScene(scene);
  let variables = 0;
  for (const type of [1, 2]) {
    const values = descendants(dom(await get(`/rest/vars/get/${type}`)), "var");
    for (const variable of values) int(value(variable, "val"));
    const definitions = descendants(dom(await get(`/rest/vars/definitions/${type}`)), "e");
    for (const definition of definitions) attribute(definition, "name");
    variables += values.length;
  }
  const programs = await get("/rest/programs/?subfolders=true");
  const listed = programs === null ? [] : descendants(dom(programs), "program");
  for (const program of listed) {
    programTime(first(program, "lastRunTime").text);
    programTime(first(program, "lastFinishTime").text);
  }
  for (const name of ["NTP", "TMZOffset", "Sunrise", "Sunset"]) int(value(dom(await get("/rest/time")), name));
  return { devices: devices.length, scenes: scenes.length, programs: listed.length, variables };
}

/** It knows the first two families and ignores the others. */
function readDevice(device: XmlElement): void {
  int(attribute(device, "flag"));
  first(device, "address");
  first(device, "name");
  for (const part of first(device, "type").text.split(".")) int(part);
  for (const property of children(device, "property")) {
    attribute(property, "id");
    attribute(property, "value");
  }
}

function readScene(scene: XmlElement): void {
  attribute(scene, "nodeDefId");
  for (const name of ["address", "name", "deviceGroup", "pnode", "members"]) first(scene, name);
  if (first(scene, "family").text !== SCENE_FAMILY) throw new Error("The scene is of another family.");
  for (const link of descendants(scene, "link")) int(attribute(link, "type"));
}
