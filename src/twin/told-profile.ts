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
export function declareToldProfile(profile: Profile, told: Told): void {
  const document = told.get("/rest/profiles");
  if (!document) declareBuiltinProfile(profile);
  else {
    for (const { family, instance, definitions } of readProfile(parseJsonTree(document.told))) {
      profile.declare(family, instance, definitions);
    }
  }
  const texts = told.names().flatMap((name) => {
    const [, family, instance] = LABELS.exec(name) ?? [];
    const labels = family === undefined ? null : readLabels(told.get(name)?.told ?? "");
    return labels ? [{ family: Number(family), instance: Number(instance), labels }] : [];
  });
  const common = new Map(
    texts.filter(({ family }) => GLOBAL_FAMILIES.has(family)).flatMap(({ labels }) => [...labels]),
  );
  for (const { family, instance, labels } of texts) {
    profile.declare(family === -1 ? 1 : family, instance, { names: new Map([...common, ...labels]) });
  }
  for (const name of told.names()) {
    const family = Number(RADIO.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(family)) continue;
    const own = texts.find((each) => each.family === family)?.labels ?? [];
    const nodedefs = readRadioNodedefs(readXml(told.get(name)?.told ?? ""), new Map([...common, ...own]));
    profile.declare(family, 1, { nodedefs, names: new Map([...common, ...own]) }, true);
  }
}
