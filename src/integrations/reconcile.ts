/**
 * Decides which records change at the start because of the settings. A setting has priority: it creates the record,
 * or writes its members into the existing one, and enables it. A record of a setting that is absent now is disabled,
 * never removed, so its nodes stay.
 */

import { isDeepStrictEqual } from "node:util";
import type { WantedIntegration } from "../drivers/integration-type.ts";
import type { Change } from "../home/change.ts";
import type { IntegrationRecord } from "../home/integrations.ts";

export function reconcile(
  records: ReadonlyMap<string, IntegrationRecord>,
  wanted: readonly WantedIntegration[],
): readonly Change[] {
  const changes = wanted.flatMap((each) => changeFor(records.get(each.id), each));
  const wantedIds = new Set(wanted.map(({ id }) => id));
  for (const before of records.values()) {
    if (before.origin !== "settings" || !before.enabled || wantedIds.has(before.id)) continue;
    changes.push({ type: "integration-changed", integration: { ...before, enabled: false }, before });
  }
  return changes;
}

function changeFor(before: IntegrationRecord | undefined, wanted: WantedIntegration): Change[] {
  const { id, type, name, settings } = wanted;
  if (!before) {
    const integration = { id, type, name, settings, secrets: [], enabled: true, origin: "settings" } as const;
    return [{ type: "integration-added", integration }];
  }
  const stored = before.origin === "owner" ? before.settings : {};
  const integration = { ...before, settings: { ...stored, ...settings }, enabled: true };
  return isDeepStrictEqual(integration, before) ? [] : [{ type: "integration-changed", integration, before }];
}
