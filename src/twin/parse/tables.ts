/** Variables and network resources. */

import type { NetworkResource } from "../../home/network-resources.ts";
import type { Variable, VariableType } from "../../home/variables.ts";
import { childrenOf, childText, type XmlElement } from "../../util/read-xml.ts";
import type { Tree } from "../../wire/spelling/tree.ts";
import { instant, number, object, objects, text, whole } from "../../wire/loose.ts";

const ID_MAX = 65_535;
const PREC_MAX = 9;

/** @param nowMs time of variables that carry no time. */
export function readVariables(document: Tree, type: VariableType, nowMs: number): readonly Variable[] {
  return objects(object(document).data).flatMap((received): readonly Variable[] => {
    const id = whole(received.id, 1);
    if (id === null || id > ID_MAX) return [];
    const { name, ts, val, init, prec } = received;
    return [
      {
        type,
        id,
        name: text(name),
        value: raw(val),
        init: raw(init),
        prec: Math.min(whole(prec) ?? 0, PREC_MAX),
        writtenAtMs: instant(ts) ?? nowMs,
      },
    ];
  });
}

/** The document holds their addresses but not their content, so a twin acknowledges them and sends nothing. */
export function readResources(document: XmlElement): readonly NetworkResource[] {
  return childrenOf(document, "NetRule").flatMap((rule): readonly NetworkResource[] => {
    const id = whole(childText(rule, "id") ?? "", 1);
    if (id === null) return [];
    const control = childrenOf(rule, "ControlInfo")[0];
    const received = (name: string) => (control && childText(control, name)) ?? childText(rule, name) ?? "";
    return [
      {
        id,
        name: childText(rule, "name") ?? "",
        protocol: "none",
        host: received("host"),
        port: whole(received("port")) ?? 0,
        method: received("method"),
        path: "",
        headers: [],
        body: "",
        timeoutMs: whole(received("timeout")) ?? 0,
      },
    ];
  });
}

function raw(tree: Tree | undefined): number {
  const value = Math.round(number(tree) ?? 0);
  return Number.isSafeInteger(value) ? value + 0 : 0;
}
