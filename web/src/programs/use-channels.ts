/** Id and name of each notification channel; none for accounts that may not list them. */

import { useEffect, useState } from "preact/hooks";
import { isOwner } from "../session/role.ts";
import { useHome } from "../store/context.ts";

export function useChannels(): readonly (readonly [id: string, name: string])[] {
  const { integrations } = useHome();
  const [channels, setChannels] = useState<readonly (readonly [string, string])[]>([]);
  useEffect(() => {
    if (!isOwner()) return;
    const load = async () => {
      const [all, types] = await Promise.all([integrations.list(), integrations.types()]);
      const notifying = new Set(types.filter(({ notifies }) => notifies).map(({ type }) => type));
      setChannels(all.filter(({ type }) => notifying.has(type)).map(({ id, name }) => [id, name] as const));
    };
    load().catch(() => {});
  }, [integrations]);
  return channels;
}
