/** `def/get`: nodedefs that a radio made from its devices, in XML. @see docs/interface/radio.md */

import type { CommandDefinition, Nodedef } from "../model/profile.ts";
import { childOf, childrenOf, parseXml, type XmlElement } from "./xml.ts";

/**
 * @param family and `instance` are stamped on what is read, so that it joins with the nodes of that radio
 * @throws ClientError `BAD_DOCUMENT`
 */
export function readRadioNodedefs(document: string, family: string, instance: string): readonly Nodedef[] {
  return parseXml(document)
    .children.filter(({ name, attributes }) => /^nodedef$/i.test(name) && attributes.id)
    .map((element) => readNodedef(element, family, instance));
}

function readNodedef(element: XmlElement, family: string, instance: string): Nodedef {
  const { id = "", name = "", nls } = element.attributes;
  const commands = childOf(element, "cmds");
  const links = childOf(element, "links");
  const states = childrenOf(childOf(element, "sts"), "st");
  return {
    id,
    family,
    instance,
    name,
    nls: nls || null,
    properties: states
      .filter(({ attributes }) => attributes.id)
      .map(({ attributes }) => ({
        id: attributes.id ?? "",
        name: attributes.name ?? "",
        editor: attributes.editor ?? "",
        hide: isTrue(attributes.hide),
      })),
    sends: readCommands(childOf(commands, "sends")),
    accepts: readCommands(childOf(commands, "accepts")),
    controlLinks: linkIds(childOf(links, "ctl")),
    respondLinks: linkIds(childOf(links, "rsp")),
  };
}

function readCommands(element: XmlElement | null): readonly CommandDefinition[] {
  return childrenOf(element, "cmd")
    .filter(({ attributes }) => attributes.id)
    .map((command) => ({
      id: command.attributes.id ?? "",
      name: command.attributes.name ?? "",
      parameters: childrenOf(command, "p")
        .filter(({ attributes }) => attributes.editor)
        .map(({ attributes }) => ({
          id: attributes.id ?? "",
          name: attributes.name ?? "",
          editor: attributes.editor ?? "",
          optional: isTrue(attributes.optional),
          init: attributes.init || null,
        })),
    }));
}

function linkIds(element: XmlElement | null): readonly string[] {
  return childrenOf(element, "link").flatMap(({ attributes }) => attributes.linkdef || []);
}

function isTrue(text: string | undefined): boolean {
  return ["T", "TRUE", "1"].includes(text?.toUpperCase() ?? "");
}
