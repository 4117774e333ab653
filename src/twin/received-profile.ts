/**
 * The profile of a twin: the definitions of its original. Built-in definitions fill in only where the original sent
 * none of that kind.
 */

import { declareBuiltinProfile } from "../profile/builtin/builtin.ts";
import { readNls } from "../profile/nls.ts";
import type { CommandDefinition, Nodedef } from "../profile/nodedef.ts";
import type { Definitions, FamilyId, Profile } from "../profile/profile.ts";
import { childElements, readXml, type XmlElement } from "../util/read-xml.ts";
import { readDefinitions } from "../wire/definition-json.ts";
import { objects, readObject, text, truth, whole } from "../wire/loose.ts";
import { parseJsonTree, type Tree } from "../wire/spelling/tree.ts";

/** Received documents, by name. */
type Received = { names(): readonly string[]; get(name: string): { readonly text: string } | null };

const GLOBAL_FAMILIES: ReadonlySet<number> = new Set([-1, 1]);
const LABELS = /^labels (-?\d+) (\d+)$/;
const RADIO = /^def\/get (\d+) nodedef$/;

/** @param received canonical documents, so they are well-formed. */
export function declareReceivedProfile(profile: Profile, received: Received): void {
  const document = received.get("/rest/profiles");
  if (document) declareInstances(profile, document.text);
  else declareBuiltinProfile(profile);
  const texts = labelTexts(received);
  const common = new Map(
    texts.filter(({ family }) => GLOBAL_FAMILIES.has(family)).flatMap(({ labels }) => [...labels]),
  );
  for (const { family, instance, labels } of texts) {
    profile.declare(family === -1 ? 1 : family, instance, { names: new Map([...common, ...labels]) });
  }
  for (const { family, document } of radioDocuments(received)) {
    const own = texts.find((each) => each.family === family)?.labels ?? [];
    declareRadio(profile, family, document, new Map([...common, ...own]));
  }
}

function declareInstances(profile: Profile, document: string): void {
  for (const { family, instance, definitions } of readProfile(parseJsonTree(document))) {
    profile.declare(family, instance, definitions);
  }
}

function declareRadio(profile: Profile, family: number, document: string, names: ReadonlyMap<string, string>): void {
  const nodedefs = readRadioNodedefs(readXml(document), names);
  // A node that names its family but no instance belongs to the instance with the family's number.
  for (const instance of [1, family]) profile.declare(family, instance, { nodedefs, names }, true);
}

type LabelText = { readonly family: number; readonly instance: number; readonly labels: ReadonlyMap<string, string> };

function labelTexts(received: Received): readonly LabelText[] {
  return received.names().flatMap((name): readonly LabelText[] => {
    const [, family, instance] = LABELS.exec(name) ?? [];
    if (family === undefined) return [];
    const labels = new Map(readNls(received.get(name)?.text ?? ""));
    return [{ family: Number(family), instance: Number(instance), labels }];
  });
}

function radioDocuments(received: Received): readonly { readonly family: number; readonly document: string }[] {
  return received.names().flatMap((name) => {
    const family = RADIO.exec(name)?.[1];
    return family === undefined ? [] : [{ family: Number(family), document: received.get(name)?.text ?? "" }];
  });
}

type ReceivedInstance = {
  readonly family: FamilyId;
  readonly instance: number;
  readonly definitions: Definitions;
};

/** A family or instance with a non-numeric id is skipped; no node can name it. */
function readProfile(document: Tree): readonly ReceivedInstance[] {
  return objects(readObject(document).families).flatMap((family) => {
    const id = text(family.id) === "common" ? "common" : whole(family.id);
    if (id === null) return [];
    return objects(family.instances).flatMap((instance): readonly ReceivedInstance[] => {
      const number = whole(instance.id);
      return number === null ? [] : [{ family: id, instance: number, definitions: readDefinitions(instance) }];
    });
  });
}

/**
 * Nodedefs that a radio generated, as XML, with the labels that stand in NLS texts.
 * @param labels of the global text and of the family's, by key.
 */
function readRadioNodedefs(document: XmlElement, labels: ReadonlyMap<string, string>): readonly Nodedef[] {
  const elements = document.children.filter(({ name }) => name.toLowerCase() === "nodedef");
  return elements.flatMap((element) => {
    const id = attribute(element, "id");
    return id === "" ? [] : [nodedef(element, id, labels)];
  });
}

type Labels = ReadonlyMap<string, string>;

function nodedef(element: XmlElement, id: string, labels: Labels): Nodedef {
  const nls = attribute(element, "nls") || null;
  const within = (...path: readonly string[]) =>
    path.reduce((at, name) => childElements(at, name)[0] ?? NOTHING, element);
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

function attribute(element: XmlElement, name: string): string {
  return element.attributes.get(name) ?? "";
}
