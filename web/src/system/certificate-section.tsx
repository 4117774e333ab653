/** The certificate that the controller serves: until when, how to compare it, and how other devices come to trust it. */

import { useState } from "preact/hooks";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";
import { saveFile } from "../parts/save-file.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { type TextKey, t } from "../text/text.ts";
import { durationText, timeText } from "../text/time.ts";

type Certificate = {
  readonly source: "own" | "file" | "upload" | "acme";
  readonly issuer: string;
  readonly names: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  readonly fingerprint: string;
  readonly authority: {
    readonly subject: string;
    readonly validTo: string;
    readonly fingerprint: string;
    readonly pem: string;
  };
};

const PATH = "/api/certificate";
const DAY_MS = 86_400_000;
/** The controller renews its own earlier. */
const SOON_MS = 14 * DAY_MS;
/** Phones open a file of this type with their installer of certificates. */
const TYPE = "application/x-x509-ca-cert";
const DEVICES = ["android", "apple", "windows", "firefox"] as const;

export function CertificateSection() {
  const home = useHome();
  const store = useStore();
  const act = useAct();
  const loaded = useLoaded<Certificate>(PATH);
  const [changed, setChanged] = useState<Certificate | null>(null);
  const certificate = changed ?? loaded.data;
  if (!certificate) return <Rest of={loaded} />;
  const change = async (method: "POST" | "PUT" | "DELETE", path: string, body: object | undefined, done: TextKey) => {
    setChanged((await home.request(method, path, body)).data as Certificate);
    store.say({ text: t(done), edit: null });
  };
  const upload = async (form: FormData) => {
    const [cert, key] = await Promise.all(["cert", "key"].map((name) => (form.get(name) as File).text()));
    await change("PUT", PATH, { cert, key }, "certificate.uploaded");
  };
  const reload = () => change("POST", `${PATH}/reload`, {}, "certificate.reloaded");
  const { source, issuer, names, validFrom, validTo, fingerprint, authority } = certificate;
  return (
    <>
      <Card title={t("certificate.served")} actions={<Validity validTo={validTo} nowMs={store.nowMs()} />}>
        <p>{t(`certificate.${source}`)}</p>
        <dl>
          <dt>{t("certificate.valid")}</dt>
          <dd>
            {t("certificate.between", {
              from: timeText(Date.parse(validFrom), "full"),
              to: timeText(Date.parse(validTo), "full"),
            })}
          </dd>
          <dt>{t("certificate.names")}</dt>
          <dd>{names.map(shortAddress).join(", ")}</dd>
          <dt>{t("certificate.issuer")}</dt>
          <dd>{nameOf(issuer)}</dd>
          <dt>{t("certificate.fingerprint")}</dt>
          <dd>
            <code>{fingerprint}</code>
          </dd>
        </dl>
        <div class="buttons">
          <button type="button" disabled={act.isBusy} onClick={() => void act.run(reload)}>
            {t("certificate.reload")}
          </button>
          {source !== "file" && (
            <DialogButton label={t("certificate.useOwn")}>
              <Ask title={t("certificate.useOwn")} submit={t("certificate.use")} onSubmit={upload}>
                <p>{t("certificate.useAbout")}</p>
                <PemField name="cert" label={t("certificate.certFile")} hint={t("certificate.certAbout")} />
                <PemField name="key" label={t("certificate.keyFile")} hint={t("certificate.keyAbout")} />
              </Ask>
            </DialogButton>
          )}
          {source === "upload" && (
            <DialogButton class="danger" label={t("remove")}>
              <Ask
                title={t("certificate.removeTitle")}
                submit={t("remove")}
                isDangerous
                onSubmit={() => change("DELETE", PATH, undefined, "certificate.removed")}
              >
                <p>{t("certificate.removeAbout")}</p>
              </Ask>
            </DialogButton>
          )}
        </div>
        <p role="alert">{act.problem}</p>
        <p class="hint">{t(`certificate.${source}Reload`)}</p>
      </Card>
      {source === "own" && <Trust authority={authority} />}
    </>
  );
}

function PemField({ name, label, hint }: { name: string; label: string; hint: string }) {
  return (
    <label>
      {label}
      <input name={name} type="file" accept=".pem,.crt,.cer,.key" required />
      <small class="hint">{hint}</small>
    </label>
  );
}

function Validity({ validTo, nowMs }: { validTo: string; nowMs: number }) {
  const leftMs = Date.parse(validTo) - nowMs;
  const kind = leftMs < 0 ? "bad" : leftMs < SOON_MS ? "lit" : "good";
  return (
    <span class={`tag ${kind}`}>
      {leftMs < 0 ? t("certificate.over") : t("certificate.left", { time: durationText(leftMs) })}
    </span>
  );
}

function Trust({ authority: { subject, validTo, fingerprint, pem } }: Pick<Certificate, "authority">) {
  const save = () => saveFile("domovoi-authority.crt", new Blob([pem], { type: TYPE }));
  return (
    <Card title={t("certificate.trust")}>
      <p>{t("certificate.trustAbout")}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={save}>
          {t("certificate.save")}
        </button>
      </div>
      <dl>
        <dt>{t("certificate.authority")}</dt>
        <dd>{nameOf(subject)}</dd>
        <dt>{t("certificate.valid")}</dt>
        <dd>{t("certificate.until", { to: timeText(Date.parse(validTo), "full") })}</dd>
        <dt>{t("certificate.fingerprint")}</dt>
        <dd>
          <code>{fingerprint}</code>
        </dd>
      </dl>
      <h3>{t("certificate.how")}</h3>
      <dl class="steps">
        {DEVICES.map((device) => (
          <>
            <dt>{t(`certificate.${device}`)}</dt>
            <dd>{t(`certificate.${device}How`)}</dd>
          </>
        ))}
      </dl>
    </Card>
  );
}

/** "CN=Domovoi CA 1234" is shown without its first part. */
function nameOf(subject: string): string {
  return /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? subject;
}

/** `fd00::2` in the place of `FD00:0:0:0:0:0:0:2`. */
function shortAddress(name: string): string {
  return name.includes(":") ? (URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name) : name;
}
