/** What each controller of a scene makes each responder do. A link of an unknown kind is passed over. */

import type { LinkBlock, LinkParameter, SceneLink } from "../../home/groups.ts";
import type { Tree, TreeObject } from "../../wire/spelling/tree.ts";
import { number, object, objects, text, whole } from "../../wire/loose.ts";

/** By address of the group. */
export function readLinks(document: Tree): ReadonlyMap<string, readonly LinkBlock[]> {
  const { groups } = object(object(document).data);
  return new Map(objects(groups).map((group) => [text(group.id), objects(group.ctl).map(block)]));
}

function block(controller: TreeObject): LinkBlock {
  return { controller: text(controller.id), links: objects(controller.links).flatMap(link) };
}

function link(told: TreeObject): readonly SceneLink[] {
  const node = text(told.node);
  const kind = text(told.type);
  if (node === "") return [];
  switch (kind) {
    case "native":
      return [{ kind, node, linkdef: text(told.linkdef), parameters: objects(told.params).flatMap(parameter) }];
    case "cmd": {
      const { cmdId, p } = object(told.cmd);
      const parameters = objects(p ?? told.params).flatMap(parameter);
      return [{ kind, node, command: text(cmdId) || text(told.cmd), parameters }];
    }
    case "default":
    case "ignore":
      return [{ kind, node }];
    default:
      return [];
  }
}

function parameter(told: TreeObject): readonly LinkParameter[] {
  const { value, uom, prec } = object(told.val);
  const raw = number(value);
  if (raw === null || !Number.isSafeInteger(raw)) return [];
  const id = text(told.id);
  return [{ id: id === "n/a" ? "" : id, value: raw, uom: whole(uom) ?? 0, prec: whole(prec) ?? 0 }];
}
