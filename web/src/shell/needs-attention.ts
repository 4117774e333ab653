/** Whether the controller needs its owner: a disk that is full, an integration that failed. */

import { useEffect, useState } from "preact/hooks";
import { hasOwnerRights } from "../session/role.ts";

const POLL_MS = 60_000;

export function useNeedsAttention(): boolean {
  const [isNeeded, setNeeded] = useState(false);
  const isOwner = hasOwnerRights();
  useEffect(() => {
    if (!isOwner) return;
    const look = async () => {
      // Without a login it says no reasons, which are not needed here.
      const answer = await fetch("/healthz").catch(() => null);
      const health: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
      if (health) setNeeded((health as { readonly status?: string }).status === "degraded");
    };
    void look();
    const timer = setInterval(() => void look(), POLL_MS);
    return () => clearInterval(timer);
  }, [isOwner]);
  return isNeeded;
}
