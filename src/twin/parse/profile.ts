/** Reads the received profile: nodedefs, editors and linkdefs by family and instance. */

import type { Definitions, FamilyId } from "../../profile/profile.ts";
import { readDefinitions } from "../../wire/definition-json.ts";
import { object, objects, text, whole } from "../../wire/loose.ts";
import type { Tree } from "../../wire/spelling/tree.ts";

export type ReceivedInstance = {
  readonly family: FamilyId;
  readonly instance: number;
  readonly definitions: Definitions;
};

/** A family or instance with a non-numeric id is skipped; no node can name it. */
export function readProfile(document: Tree): readonly ReceivedInstance[] {
  return objects(object(document).families).flatMap((family) => {
    const id = text(family.id) === "common" ? "common" : whole(family.id);
    if (id === null) return [];
    return objects(family.instances).flatMap((instance): readonly ReceivedInstance[] => {
      const number = whole(instance.id);
      return number === null ? [] : [{ family: id, instance: number, definitions: readDefinitions(instance) }];
    });
  });
}
