/** The beginning of a move: the other controller is read, what comes over is shown, and its home is copied. */

import type { CopyItem, HomeCopy, HomeCopyStatus } from "@domovoi/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";
import { useHome } from "../store/context.ts";
import { type Act, useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { number, type TextKey, t } from "../text/text.ts";

const PATH = "/api/move-in/copy";
const POLL_MS = 700;
/** For a home that the running service cannot replace. */
const COMMANDS = [
  "domovoi move-in https://192.168.1.20 --user NAME --plan",
  "domovoi move-in https://192.168.1.20 --user NAME --data DIRECTORY --yes",
];

export function MoveInCopy() {
  const home = useHome();
  const act = useAct();
  const status = useLoaded<HomeCopyStatus>(PATH);
  const [last, setLast] = useState<HomeCopyStatus | null>(null);
  // All but the password, which a failed try asks for again.
  const [typed, setTyped] = useState<Typed>({ url: "", user: "", insecure: false });
  // While the controller restarts, no request is answered.
  const { copy = null, obstacle = null, present = null } = status.data ?? last ?? {};
  const isRestarting = copy?.state === "restarting" || (copy?.state === "copying" && status.problem !== null);
  const isUnderWay = copy?.state === "reading" || copy?.state === "copying" || isRestarting;
  useEffect(() => {
    if (status.data) setLast(status.data);
    if (!isUnderWay) return;
    const timer = setTimeout(status.reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [status.data, status.problem, isUnderWay]);
  if (!present) return <Rest of={status} />;
  const request = (method: "POST" | "DELETE", path: string, body?: object) =>
    act.run(async () => {
      await home.request(method, path, body);
      status.reload();
    });
  const forget = (label: TextKey) => (
    <button type="button" disabled={act.isBusy} onClick={() => void request("DELETE", PATH)}>
      {t(label)}
    </button>
  );
  if (obstacle) return <Obstacle obstacle={obstacle} />;
  if (isRestarting) {
    return (
      <Card title={t("moveIn.restarting")}>
        <p role="status">{t("moveIn.restartingAbout")}</p>
        <progress class="progress" aria-label={t("moveIn.restarting")} />
      </Card>
    );
  }
  if (copy && isUnderWay) {
    const title = t(`moveIn.state.${copy.state as "reading" | "copying"}`, { url: copy.url });
    return (
      <Card title={title} actions={copy.state === "reading" && forget("cancel")}>
        <progress class="progress" max={1} value={copy.progress} aria-label={title} />
      </Card>
    );
  }
  if (copy?.state === "planned") {
    return (
      <Plan
        copy={copy}
        present={present}
        forget={forget("moveIn.forget")}
        make={(body) => request("POST", `${PATH}/make`, body)}
      />
    );
  }
  const read = (access: Typed, password: string) => {
    setTyped(access);
    void request("POST", PATH, { ...access, password });
  };
  return <Access copy={copy} act={act} typed={typed} read={read} />;
}

function Obstacle({ obstacle }: { obstacle: NonNullable<HomeCopyStatus["obstacle"]> }) {
  return (
    <Card title={t("moveIn.begin")}>
      <p>{t(`moveIn.obstacle.${obstacle}`)}</p>
      {obstacle !== "follows" && (
        <details>
          <summary>{t("moveIn.commands")}</summary>
          {COMMANDS.map((command) => (
            <pre key={command} class="log">
              {command}
            </pre>
          ))}
        </details>
      )}
    </Card>
  );
}

type Typed = { readonly url: string; readonly user: string; readonly insecure: boolean };

type AccessProps = {
  readonly copy: HomeCopy | null;
  readonly act: Act;
  readonly typed: Typed;
  readonly read: (access: Typed, password: string) => void;
};

function Access({ copy, act, typed, read }: AccessProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name));
    const access = { url: text("url").trim(), user: text("user").trim(), insecure: form.has("insecure") };
    read(access, text("password"));
  };
  const failure = copy?.failure ?? null;
  return (
    <Card title={t("moveIn.begin")}>
      <p>{t("moveIn.beginAbout")}</p>
      <form class="fields" onSubmit={submit}>
        <label>
          {t("moveIn.address")}
          <input
            name="url"
            required
            defaultValue={typed.url || copy?.url || ""}
            placeholder="https://192.168.1.20"
            inputMode="url"
            autocapitalize="off"
          />
        </label>
        <label>
          {t("moveIn.user")}
          <input name="user" autocomplete="off" autocapitalize="none" required defaultValue={typed.user} />
        </label>
        <label>
          {t("moveIn.password")}
          <input name="password" type="password" autocomplete="off" required />
          <small class="hint">{t("moveIn.passwordAbout")}</small>
        </label>
        <label class="check">
          <input type="checkbox" name="insecure" defaultChecked={typed.insecure} />
          {t("moveIn.insecure")}
        </label>
        <p role="alert" class="problem">
          {act.problem ?? (failure && t(`moveIn.failure.${failure.reason}`, { sentence: failure.sentence }))}
        </p>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={act.isBusy} aria-busy={act.isBusy}>
            {t("moveIn.read")}
          </button>
        </div>
      </form>
    </Card>
  );
}

type PlanProps = {
  readonly copy: HomeCopy;
  readonly present: HomeCopyStatus["present"];
  readonly forget: ComponentChildren;
  readonly make: (body: object) => Promise<boolean>;
};

function Plan({ copy: { name, url, items }, present, forget, make }: PlanProps) {
  const isEmpty = Object.values(present).every((count) => count === 0);
  return (
    <Card title={t("moveIn.plan", { name: name || url })}>
      {(["yes", "later", "no"] as const).map((comes) => (
        <ItemList key={comes} title={t(`moveIn.comes.${comes}`)} items={items.filter((item) => item.comes === comes)} />
      ))}
      <div class="buttons end">
        {forget}
        <DialogButton class="primary" label={t("moveIn.copy")}>
          <Ask
            title={t("moveIn.copy")}
            submit={t("moveIn.copy")}
            isDangerous={!isEmpty}
            onSubmit={async (form) => make({ replace: form.has("replace") })}
          >
            <p>{t("moveIn.copyAbout")}</p>
            {!isEmpty && (
              <label class="check">
                <input type="checkbox" name="replace" required />
                {t("moveIn.replace", present)}
              </label>
            )}
          </Ask>
        </DialogButton>
      </div>
    </Card>
  );
}

function ItemList({ title, items }: { title: string; items: readonly CopyItem[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="rows">
        {items.map(({ kind, count, detail }) => (
          <li key={kind + detail}>
            <span class="main">
              {t(`moveIn.item.${kind}`, { detail })}
              <small>{t(`moveIn.note.${kind}`, { detail })}</small>
            </span>
            {count !== null && <span>{number(count)}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
