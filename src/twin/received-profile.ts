/** What can exist in a twin: what its original told; the built-in definitions only where it told nothing of the kind. */

import { declareBuiltinProfile } from "../profile/builtin/builtin.ts";
import type { Profile } from "../profile/profile.ts";
import { readXml } from "../util/read-xml.ts";
import { parseJsonTree } from "../wire/spelling/tree.ts";
import { readProfile } from "./parse/profile.ts";
import { readLabels, readRadioNodedefs } from "./parse/radio-nodedefs.ts";

/** Told documents by name. */
type Told = { names(): readonly string[]; get(name: string): { readonly told: string } | null };

const GLOBAL_FAMILIES: ReadonlySet<number> = new Set([-1, 1]);
const LABELS = /^labels (-?\d+) (\d+)$/;
const RADIO = /^def\/get (\d+) nodedef$/;

/** @param told canonical documents: they are well-formed. */
export function declareReceivedProfile(profile: Profile, told: Told): void {
  const document = told.get("/rest/profiles");
  if (document) declareInstances(profile, document.told);
  else declareBuiltinProfile(profile);
  const texts = labelTexts(told);
  const common = new Map(
    texts.filter(({ family }) => GLOBAL_FAMILIES.has(family)).flatMap(({ labels }) => [...labels]),
  );
  for (const { family, instance, labels } of texts) {
    profile.declare(family === -1 ? 1 : family, instance, { names: new Map([...common, ...labels]) });
  }
  for (const { family, document } of radioDocuments(told)) {
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
  // A node that names its family and no instance is of the instance with the family's number.
  for (const instance of [1, family]) profile.declare(family, instance, { nodedefs, names }, true);
}

type LabelText = { readonly family: number; readonly instance: number; readonly labels: ReadonlyMap<string, string> };

function labelTexts(told: Told): readonly LabelText[] {
  return told.names().flatMap((name): readonly LabelText[] => {
    const [, family, instance] = LABELS.exec(name) ?? [];
    if (family === undefined) return [];
    return [{ family: Number(family), instance: Number(instance), labels: readLabels(told.get(name)?.told ?? "") }];
  });
}

function radioDocuments(told: Told): readonly { readonly family: number; readonly document: string }[] {
  return told.names().flatMap((name) => {
    const family = RADIO.exec(name)?.[1];
    return family === undefined ? [] : [{ family: Number(family), document: told.get(name)?.told ?? "" }];
  });
}
