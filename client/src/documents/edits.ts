/** Reads the links of a scene. */

import type { ControllerLinks, MemberLink, Quantity } from "../model/edit-records.ts";
import { isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";

/** @param data `/api/groups/links/{scene}` */
export function readSceneLinks(data: unknown): readonly ControllerLinks[] {
  const [scene] = objectsOf(isObject(data) ? data.groups : null);
  return objectsOf(scene?.ctl).map(({ id, links }) => ({
    controller: textOf(id),
    links: objectsOf(links).map(readMemberLink),
  }));
}

function readMemberLink({ node, type, cmd, params, device }: Json): MemberLink {
  const parameters = objectsOf(params).map(({ id, val }): readonly [string, Quantity] => {
    const { value, uom, prec } = isObject(val) ? val : {};
    return [textOf(id), { value: numberOf(value), uom: numberOf(uom), prec: numberOf(prec) }];
  });
  return {
    node: textOf(node),
    type: textOf(type),
    command: textOrNull(isObject(cmd) ? cmd.cmdId : cmd),
    parameters: Object.fromEntries(parameters),
    device: isObject(device) ? { state: textOf(device.state), detail: textOf(device.detail) } : null,
  };
}
