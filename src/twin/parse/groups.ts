/** Reads what each controller of a scene makes each responder do. Links of an unknown kind are skipped. */

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

function link(received: TreeObject): readonly SceneLink[] {
  const node = text(received.node);
  const kind = text(received.type);
  if (node === "") return [];
  switch (kind) {
    case "native":
      return [{ kind, node, linkdef: text(received.linkdef), parameters: objects(received.params).flatMap(parameter) }];
    case "cmd": {
      const { cmdId, p } = object(received.cmd);
      const parameters = objects(p ?? received.params).flatMap(parameter);
      return [{ kind, node, command: text(cmdId) || text(received.cmd), parameters }];
    }
    case "default":
    case "ignore":
      return [{ kind, node }];
    default:
      return [];
  }
}

function parameter(received: TreeObject): readonly LinkParameter[] {
  const { value, uom, prec } = object(received.val);
  const raw = number(value);
  if (raw === null || !Number.isSafeInteger(raw)) return [];
  const id = text(received.id);
  return [{ id: id === "n/a" ? "" : id, value: raw, uom: whole(uom) ?? 0, prec: whole(prec) ?? 0 }];
}
