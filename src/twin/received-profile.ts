/**
 * The profile of a twin: the definitions of its original. Built-in definitions fill in only where the original sent
 * none of that kind.
 */

import { declareBuiltinProfile } from "../profile/builtin/builtin.ts";
import { readNls } from "../profile/nls.ts";
import type { Definitions, FamilyId, Profile } from "../profile/profile.ts";
import { readXml } from "../util/read-xml.ts";
import { readDefinitions } from "../wire/definition-json.ts";
import { objects, readObject, text, whole } from "../wire/loose.ts";
import { parseJsonTree, type Tree } from "../wire/spelling/tree.ts";
import { readRadioNodedefs } from "./parse/radio-nodedefs.ts";

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
