/** Nodedefs that a radio generated, as XML, with the labels that stand in NLS texts. */

import type { CommandDefinition, Nodedef } from "../../profile/nodedef.ts";
import { childElements, type XmlElement } from "../../util/read-xml.ts";
import { truth } from "../../wire/loose.ts";

/** @param labels of the global text and of the family's, by key. */
export function readRadioNodedefs(document: XmlElement, labels: ReadonlyMap<string, string>): readonly Nodedef[] {
  const elements = document.children.filter(({ name }) => name.toLowerCase() === "nodedef");
  return elements.flatMap((element) => {
    const id = attribute(element, "id");
    return id === "" ? [] : [nodedef(element, id, labels)];
  });
}

type Labels = ReadonlyMap<string, string>;

function nodedef(element: XmlElement, id: string, labels: Labels): Nodedef {
  const nls = attribute(element, "nls") || null;
  const within = (...path: readonly string[]) => descend(element, path);
  const labelOf = (kind: "ST" | "CMD", of: string) =>
    (nls === null ? undefined : labels.get(`${kind}-${nls}-${of}-NAME`)) ?? labels.get(`${kind}-${of}-NAME`) ?? "";
  const commands = (place: "sends" | "accepts") =>
    childElements(within("cmds", place), "cmd")
      .filter((cmd) => attribute(cmd, "id") !== "")
      .map((cmd) => command(cmd, labelOf("CMD", attribute(cmd, "id"))));
  const links = (place: "ctl" | "rsp") =>
    childElements(within("links", place), "link").flatMap((link) => attribute(link, "linkdef") || []);
  return {
    id,
    nls,
    name: attribute(element, "name") || (nls === null ? "" : (labels.get(`NDN-${nls}-NAME`) ?? "")),
    icon: attribute(element, "icon") || null,
    properties: childElements(within("sts"), "st")
      .filter((st) => attribute(st, "id") !== "")
      .map((st) => ({
        id: attribute(st, "id"),
        editor: attribute(st, "editor"),
        name: attribute(st, "name") || labelOf("ST", attribute(st, "id")),
        hide: truth(attribute(st, "hide")),
      })),
    sends: commands("sends"),
    accepts: commands("accepts"),
    controlLinks: links("ctl"),
    respondLinks: links("rsp"),
  };
}

function command(element: XmlElement, label: string): CommandDefinition {
  return {
    id: attribute(element, "id"),
    name: attribute(element, "name") || label,
    native: !/^(f|false|0)$/i.test(attribute(element, "native")),
    format: attribute(element, "fmt") || null,
    parameters: childElements(element, "p")
      .filter((p) => attribute(p, "editor") !== "")
      .map((p) => ({
        id: attribute(p, "id"),
        editor: attribute(p, "editor"),
        name: attribute(p, "name"),
        init: attribute(p, "init") || null,
        optional: truth(attribute(p, "optional")),
      })),
  };
}

const NOTHING: XmlElement = { name: "", attributes: new Map(), children: [], text: "", closesItself: true, line: 0 };

function descend(element: XmlElement, path: readonly string[]): XmlElement {
  return path.reduce((at, name) => childElements(at, name)[0] ?? NOTHING, element);
}

function attribute(element: XmlElement, name: string): string {
  return element.attributes.get(name) ?? "";
}
