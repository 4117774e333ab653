/** What an integration has to move in from: a plan to look at, line by line, and the edit that carries it out. */

import type { WayIn, WayInAutomation, WayInLine } from "@domovoi/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";

import { useHome, useStore } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { messageText } from "../text/messages.ts";
import { t, tn } from "../text/text.ts";

const PATH = "/api/move-in/from";
type Source = { readonly id: string; readonly name: string; readonly system: string };

export function WaysIn() {
  const { integrations } = useStore();
  const { data } = useLoaded<readonly Source[]>(PATH, integrations.value);
  return (
    <>
      {data?.map((source) => (
        <WayInCard key={source.id} source={source} />
      ))}
    </>
  );
}

function WayInCard({ source: { id, system } }: { source: Source }) {
  const [isRead, setRead] = useState(false);
  return (
    <Card title={t("wayIn.title", { system })}>
      <p>{t("wayIn.about", { system })}</p>
      {isRead ? (
        <Plan path={`${PATH}/${encodeURIComponent(id)}`} />
      ) : (
        <div class="buttons end">
          <button type="button" class="primary" onClick={() => setRead(true)}>
            {t("moveIn.read")}
          </button>
        </div>
      )}
    </Card>
  );
}

function Plan({ path }: { path: string }) {
  const home = useHome();
  const status = useLoaded<WayIn>(path);
  if (!status.data) return <Rest of={status} />;
  const { system, digest, problems, folders, nodes, scenes, automations, switchOff } = status.data;
  const isNew = [...folders, ...nodes, ...scenes].some(({ state }) => state === "new" || state === "moved");
  const comes = automations.filter(({ state, programs }) => state === "new" && programs.length > 0);
  const carryOut = async () => {
    const { data } = await home.request("POST", path, { digest });
    status.reload();
    return { edit: (data as { readonly edit: number | null }).edit ?? 0 };
  };
  return (
    <>
      {problems.map(({ sentence, message }) => (
        <p key={sentence} class="problem">
          {messageText(message, sentence)}
        </p>
      ))}
      <ul class="rows">
        {folders.map(({ address, path: names, state }) => (
          <Row key={address} name={names.join(" / ")} state={t(`wayIn.state.${state}`)} />
        ))}
        {scenes.map(({ id, name, state, lines }) => (
          <Row key={id} name={name} state={t(`wayIn.state.${state}`)} lines={lines} />
        ))}
      </ul>
      <p>{tn("wayIn.nodes", nodes.filter(({ state }) => state === "moved").length)}</p>
      <h3>{t("wayIn.automations")}</h3>
      <ul class="rows">
        {automations.map((automation) => (
          <AutomationRow key={automation.id} automation={automation} />
        ))}
      </ul>
      {switchOff.length > 0 && (
        <p class="hint">{t("wayIn.switchOff", { system, automations: switchOff.join(", ") })}</p>
      )}
      {isNew || comes.length > 0 ? (
        <div class="buttons end">
          <DialogButton class="primary" label={t("wayIn.carryOut")}>
            <Ask title={t("wayIn.carryOut")} submit={t("wayIn.carryOut")} done={t("wayIn.done")} onSubmit={carryOut}>
              <p>{t("wayIn.carryOutAbout")}</p>
            </Ask>
          </DialogButton>
        </div>
      ) : (
        <p role="status">{t("wayIn.allHere")}</p>
      )}
    </>
  );
}

function AutomationRow({ automation: { name, verdict, state, programs, lines } }: { automation: WayInAutomation }) {
  const said = state === "there" ? `${t(`wayIn.${verdict}`)} · ${t("wayIn.state.there")}` : t(`wayIn.${verdict}`);
  return (
    <Row name={name} state={said} lines={lines}>
      {state === "there" &&
        programs.map(({ id, name: program, part }) => (
          <small key={id}>
            <Link href={`/program/${id}`}>{program}</Link>
            {part === "waits" && ` · ${t("wayIn.waits")}`}
          </small>
        ))}
    </Row>
  );
}

type RowProps = {
  readonly name: string;
  readonly state: string;
  readonly lines?: readonly WayInLine[];
  readonly children?: ComponentChildren;
};

function Row({ name, state, lines = [], children }: RowProps) {
  return (
    <li>
      <span class="main">
        {name}
        <small>{state}</small>
        {children}
        {lines.length > 0 && (
          <details>
            <summary>{t("wayIn.lines")}</summary>
            <ul>
              {lines.map(({ at, text, fate, becomes, notes }) => (
                <li key={at}>
                  <small>
                    {at} {text}
                  </small>
                  {becomes.map((line) => (
                    <code key={line}>{line}</code>
                  ))}
                  {notes.map(({ sentence, message }) => (
                    <small key={sentence} class={fate === "out" ? "problem" : "hint"}>
                      {messageText(message, sentence)}
                    </small>
                  ))}
                </li>
              ))}
            </ul>
          </details>
        )}
      </span>
    </li>
  );
}
