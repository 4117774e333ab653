/** Nodedefs as the XML of `def/get`: the abilities of the devices of a radio, generated from their own description. */

import type { CommandDefinition, Nodedef } from "../../profile/nodedef.ts";
import { escapeXml } from "../../util/xml.ts";

/** Two clients, two spellings of the same element. */
export type NodedefTag = "nodedef" | "nodeDef";

export function nodedefsElement(nodedefs: readonly Nodedef[], tag: NodedefTag): string {
  return `<nodeDefs>${nodedefs.map((nodedef) => nodedefElement(nodedef, tag)).join("")}</nodeDefs>`;
}

/** `sends` and `accepts` are always there: clients read them without looking. */
function nodedefElement(nodedef: Nodedef, tag: NodedefTag): string {
  const { id, nls, name, properties, sends, accepts, controlLinks, respondLinks } = nodedef;
  const states = properties.map((property) => {
    const { hide } = property;
    return `<st${attributes({ id: property.id, editor: property.editor, name: property.name })}${flag("hide", hide)} />`;
  });
  return (
    `<${tag}${attributes({ id, nls, name })}><editors /><sts>${states.join("")}</sts>` +
    `<cmds><sends>${sends.map(commandElement).join("")}</sends><accepts>${accepts.map(commandElement).join("")}</accepts></cmds>` +
    `<links><ctl>${controlLinks.map(linkElement).join("")}</ctl><rsp>${respondLinks.map(linkElement).join("")}</rsp></links></${tag}>`
  );
}

function commandElement({ id, name, native, format, parameters }: CommandDefinition): string {
  const elements = parameters.map((parameter) => {
    const { editor, init, optional } = parameter;
    return `<p id="${escapeXml(parameter.id)}"${attributes({ editor, init, name: parameter.name })}${flag("optional", optional)} />`;
  });
  const start = `<cmd${attributes({ id, name, fmt: format })}${native ? "" : ' native="F"'}`;
  return elements.length === 0 ? `${start} />` : `${start}>${elements.join("")}</cmd>`;
}

function linkElement(linkdef: string): string {
  return `<link${attributes({ linkdef })} />`;
}

/** Attributes without a value are left out. */
function attributes(values: Readonly<Record<string, string | null>>): string {
  let text = "";
  for (const [name, value] of Object.entries(values)) if (value) text += ` ${name}="${escapeXml(value)}"`;
  return text;
}

function flag(name: string, on: boolean): string {
  return on ? ` ${name}="T"` : "";
}
