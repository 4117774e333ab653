/** Notifications: the devices of the person who is signed in, and for owners all channels. */

import { isOwner } from "../session/role.ts";
import { IntegrationsSection } from "./integrations-section.tsx";
import { PushCard } from "./push-card.tsx";

export function NotificationsSection({ id }: { id: string }) {
  return (
    <>
      {id === "" && <PushCard />}
      {isOwner() && <IntegrationsSection id={id} notifies />}
    </>
  );
}
