/** Radio networks: the adapter, how every device fares, and devices that may join by themselves. */

import type { ProvisionedDevice, RadioDevice, RadioNetwork, RadioState } from "@domovoi/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { CodeField } from "../parts/code-field.tsx";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { saveFile } from "../parts/save-file.ts";
import { nodeHref } from "../parts/things.ts";
import { readZwaveCode } from "../parts/zwave-code.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { reasonText } from "../text/reasons.ts";
import { number, type TextKey, t } from "../text/text.ts";
import { timeText } from "../text/time.ts";

const LEVELS = ["S2-access-control", "S2-authenticated", "S2-unauthenticated", "S0"] as const;
const DEVICE_TAGS: Readonly<Record<string, string>> = { alive: "good", dead: "bad" };
const STATE_TAGS: Readonly<Record<string, string>> = { ready: "good", starting: "lit", degraded: "lit", failed: "bad" };
/** Devices with a problem come first. */
const ORDER = ["dead", "unknown", "alive", "asleep"];

export function RadiosSection() {
  const home = useHome();
  const act = useAct();
  const [radios, setRadios] = useState<readonly RadioState[] | null>(null);
  const { integrations, links, revision } = useStore();
  useEffect(
    () => void act.run(async () => setRadios(await home.radios.list())),
    [integrations.value, links.value, revision.value],
  );
  if (!radios) return <p class="hint">{act.problem ?? t("starting")}</p>;
  return (
    <>
      {radios.length === 0 && (
        <p class="empty">
          {t("radios.none")} <Link href="/system/integrations">{t("system.integrations")}</Link>
        </p>
      )}
      {radios.map((radio) => (
        <RadioCards key={radio.name} radio={radio} />
      ))}
    </>
  );
}

function RadioCards({ radio: { name, state, detail, about } }: { radio: RadioState }) {
  const home = useHome();
  const network = home.radios.network(name);
  const act = useAct();
  const diagnose = () =>
    act.run(async () =>
      saveFile(`domovoi-${name}.json`, new Blob([JSON.stringify(await network.diagnostics(), null, 2)])),
    );
  return (
    <>
      <Card
        title={name}
        actions={<span class={`tag ${STATE_TAGS[state] ?? ""}`}>{t(`state.${state}` as TextKey)}</span>}
      >
        {detail && <p>{reasonText(detail)}</p>}
        {about?.isJammed && <p role="alert">{t("radios.jammed")}</p>}
        {about && (
          <dl>
            {about.homeId !== null && <Fact name={t("radios.homeId")}>{about.homeId}</Fact>}
            <Fact name={t("radios.firmware")}>{about.firmware ?? t("value.unknown")}</Fact>
            {about.homeId !== null && <Fact name={t("radios.region")}>{about.region ?? t("value.unknown")}</Fact>}
            <Fact name={t("radios.devices")}>{number(about.nodes)}</Fact>
            <Fact name={t("radios.traffic")}>{trafficText(about)}</Fact>
          </dl>
        )}
        <div class="buttons">
          <Link class="button" href={`/system/integrations/${encodeURIComponent(name)}`}>
            {t("radios.pair")}
          </Link>
          <button type="button" disabled={act.isBusy} onClick={() => void diagnose()}>
            {t("radios.diagnostics")}
          </button>
        </div>
        <p role="alert">{act.problem}</p>
      </Card>
      {about && <Devices network={network} />}
      {about && about.homeId !== null && <Provisioned network={network} />}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function trafficText({
  sent,
  received,
  lost,
  timeouts,
}: Pick<RadioDevice, "sent" | "received" | "lost" | "timeouts">): string {
  return t("radios.counts", { sent: number(sent), received: number(received), lost: number(lost + timeouts) });
}

const meshMap = () => import("./mesh-map.tsx").then((module) => module.MeshMap);

function Devices({ network }: { network: RadioNetwork }) {
  const home = useHome();
  const [isMapped, setMapped] = useState(false);
  const act = useAct();
  const [devices, setDevices] = useState<readonly RadioDevice[] | null>(null);
  const { integrations, links, revision } = useStore();
  useEffect(
    () => void act.run(async () => setDevices(await network.devices())),
    [network.name, integrations.value, links.value, revision.value],
  );
  const place = (device: RadioDevice) =>
    setDevices((all) => all?.map((some) => (some.address === device.address ? device : some)) ?? null);
  const sorted = devices?.toSorted(
    (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.lost + b.timeouts - a.lost - a.timeouts,
  );
  return (
    <Card title={t("radios.health")}>
      <p role="alert">{act.problem}</p>
      {devices?.length === 0 && <p class="empty">{t("radios.noDevices")}</p>}
      <ul class="rows">
        {sorted?.map((device) => (
          <DeviceRow
            key={device.address}
            device={device}
            ping={async () => place(await network.ping(device.address))}
          />
        ))}
      </ul>
      {devices && devices.length > 0 && (
        <details class="below" onToggle={({ currentTarget: { open } }) => setMapped(open)}>
          <summary>{t("radios.map")}</summary>
          {isMapped && <Lazy load={meshMap} devices={devices} nameOf={(of) => home.nodes.find(of)?.name ?? of} />}
        </details>
      )}
    </Card>
  );
}

function DeviceRow({ device, ping }: { device: RadioDevice; ping: () => Promise<void> }) {
  const home = useHome();
  const act = useAct();
  const {
    address,
    state,
    security,
    interviewStage,
    batteryPercent,
    lastSeenTime,
    roundTripMs,
    signalDbm,
    route,
    interviewed,
  } = device;
  const nameOf = (of: string) => home.nodes.find(of)?.name ?? of;
  const facts = [
    interviewStage !== null && (security ?? t("radios.notEncrypted")),
    batteryPercent !== null && t("radios.battery", { percent: number(batteryPercent) }),
    roundTripMs !== null && t("radios.roundTrip", { ms: number(Math.round(roundTripMs)) }),
    signalDbm !== null && `${number(signalDbm)} dBm`,
    route && (route.length === 0 ? t("radios.direct") : t("radios.by", { names: route.map(nameOf).join(", ") })),
    !interviewed && t("radios.notInterviewed"),
    lastSeenTime && t("radios.seen", { time: timeText(Date.parse(lastSeenTime)) }),
  ].filter((fact) => typeof fact === "string");
  return (
    <li>
      <span class="main">
        {home.nodes.find(address) ? (
          <Link class="main" href={nodeHref(address)}>
            {nameOf(address)}
          </Link>
        ) : (
          address
        )}
        <small>{facts.join(" · ")}</small>
        <small>{trafficText(device)}</small>
        <span role="alert">{act.problem}</span>
      </span>
      <span class={`tag ${DEVICE_TAGS[state] ?? ""}`}>{t(`radios.${state}` as TextKey)}</span>
      <span class="buttons">
        <button
          type="button"
          disabled={act.isBusy}
          aria-busy={act.isBusy}
          aria-label={t("radios.pingOf", { name: nameOf(address) })}
          onClick={() => void act.run(ping)}
        >
          {t("radios.ping")}
        </button>
      </span>
    </li>
  );
}

/** SmartStart. */
function Provisioned({ network }: { network: RadioNetwork }) {
  const act = useAct();
  const [list, setList] = useState<readonly ProvisionedDevice[] | null>(null);
  const reload = () => act.run(async () => setList(await network.provisioned()));
  useEffect(() => void reload(), [network.name]);
  const provision = async (form: FormData) => {
    const text = String(form.get("code")).trim();
    const security = form.getAll("security").map(String);
    const isCode = readZwaveCode(text) !== null;
    await network.provision(isCode ? { qr: text, ...(security.length > 0 && { security }) } : { dsk: text, security });
    await reload();
  };
  const add = (
    <DialogButton class="primary" label={t("smartStart.add")}>
      <Ask title={t("smartStart.add")} submit={t("smartStart.add")} onSubmit={provision}>
        <CodeField
          name="code"
          label={t("smartStart.code")}
          hint={t("smartStart.codeAbout")}
          isRequired
          read={readZwaveCode}
        />
        <fieldset>
          <legend>{t("smartStart.security")}</legend>
          {LEVELS.map((level) => (
            <label key={level} class="check">
              <input type="checkbox" name="security" value={level} />
              {level}
            </label>
          ))}
          <small class="hint">{t("smartStart.securityAbout")}</small>
        </fieldset>
      </Ask>
    </DialogButton>
  );
  return (
    <Card title={t("smartStart.title")} actions={add}>
      <p class="hint">{t("smartStart.about")}</p>
      <p role="alert">{act.problem}</p>
      {list?.length === 0 && <p class="empty">{t("smartStart.none")}</p>}
      <ul class="rows">
        {list?.map((device) => (
          <ProvisionedRow
            key={device.dsk}
            device={device}
            remove={async () => {
              await network.unprovision(device.dsk);
              await reload();
            }}
          />
        ))}
      </ul>
    </Card>
  );
}

function ProvisionedRow({
  device: { dsk, security, active, address },
  remove,
}: {
  device: ProvisionedDevice;
  remove: () => Promise<void>;
}) {
  const home = useHome();
  const act = useAct();
  return (
    <li>
      <span class="main">
        {address === null ? t("smartStart.waiting") : (home.nodes.find(address)?.name ?? address)}
        <small>
          {dsk} · {security.join(", ")}
        </small>
        <span role="alert">{act.problem}</span>
      </span>
      {!active && <span class="tag">{t("smartStart.inactive")}</span>}
      <button
        type="button"
        class="danger"
        disabled={act.isBusy}
        aria-label={t("remove.title", { name: dsk })}
        onClick={() => void act.run(remove)}
      >
        {t("remove")}
      </button>
    </li>
  );
}
