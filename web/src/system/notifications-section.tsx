/** Notifications: the devices of the person who is signed in, and for owners all channels. */

import { useEffect, useState } from "preact/hooks";
import { deviceName } from "../parts/device-name.ts";
import { Card, Rest } from "../parts/layout.tsx";
import { endPush, keepPushDevice, ownPushDevice } from "../parts/push-subscription.ts";
import { isOwner } from "../session/role.ts";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { IntegrationsSection } from "./integrations-section.tsx";

export function NotificationsSection({ id }: { id: string }) {
  return (
    <>
      {id === "" && <PushCard />}
      {isOwner() && <IntegrationsSection id={id} notifies />}
    </>
  );
}

type Device = { readonly id: string; readonly name: string; readonly createdAt: string };
type Push = { readonly key: string; readonly devices: readonly Device[] };

const PATH = "/api/me/push";

/** Notifications of the controller on this device, and on the others of the person who is signed in. */
function PushCard() {
  const home = useHome();
  const act = useAct();
  const push = useLoaded<Push>(PATH);
  const worker = useWorker();
  const own = ownPushDevice();
  const isOn = push.data?.devices.some(({ id }) => id === own) ?? false;
  const allow = (key: string, registration: ServiceWorkerRegistration) =>
    act.run(async () => {
      if ((await Notification.requestPermission()) !== "granted") throw new Error(t("push.denied"));
      const { data } = await home.request("POST", PATH, {
        name: deviceName(navigator.userAgent),
        ...(await subscribe(registration, key)),
      });
      keepPushDevice((data as Device).id);
      push.reload();
    });
  const remove = (id: string) =>
    act.run(async () => {
      if (id === own) await endPush();
      await home.request("DELETE", `${PATH}/${encodeURIComponent(id)}`);
      push.reload();
    });
  return (
    <Card title={t("push.title")}>
      <Rest of={push} />
      <p class="hint">{t(worker === null ? "push.impossible" : "push.about")}</p>
      {push.data && worker && !isOn && (
        <button
          type="button"
          class="primary"
          disabled={act.isBusy}
          onClick={() => void allow(push.data?.key ?? "", worker)}
        >
          {t("push.allow")}
        </button>
      )}
      <ul class="rows">
        {push.data?.devices.map(({ id, name, createdAt }) => (
          <li key={id}>
            <span class="main">
              {name}
              <small>{id === own ? t("push.here") : t("push.since", { time: timeText(Date.parse(createdAt)) })}</small>
            </span>
            <button
              type="button"
              class="danger"
              disabled={act.isBusy}
              aria-label={t("push.removeOne", { name })}
              onClick={() => void remove(id)}
            >
              {t("remove")}
            </button>
          </li>
        ))}
      </ul>
      <p role="alert">{act.problem}</p>
    </Card>
  );
}

/** The worker that takes messages; null where the browser has none or does not trust the certificate. */
function useWorker(): ServiceWorkerRegistration | null {
  const [worker, setWorker] = useState<ServiceWorkerRegistration | null>(null);
  useEffect(() => {
    if ("PushManager" in window) void navigator.serviceWorker?.ready.then(setWorker);
  }, []);
  return worker;
}

/** A subscription with another key, of a controller before, takes no messages of this one. */
async function subscribe({ pushManager }: ServiceWorkerRegistration, key: string) {
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint, p256dh: keys?.p256dh, auth: keys?.auth };
}
