/**
 * The steps of a move from another controller: what is still simulated, who takes it over, the end, and the way back.
 * @see docs/interface/move-in.md
 */

import type { MoveIn, MoveInIntegration, PlayedNode } from "@domovoi/client";
import { Link } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { nodeHref } from "../parts/things.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t, tn } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { titleText } from "../text/titles.ts";
import { StateTag } from "./integration-detail.tsx";
import { MoveInCopy } from "./move-in-copy.tsx";
import { WaysIn } from "./way-in.tsx";

const PATH = "/api/move-in";
export function MoveInSection() {
  const { integrations, revision } = useStore();
  const move = useLoaded<MoveIn>(PATH, `${revision.value} ${integrations.value}`);
  if (!move.data) return <p class="hint">{move.problem ?? t("starting")}</p>;
  const { steps, played, programsWait } = move.data;
  if (steps.length === 0 && !programsWait)
    return (
      <>
        <WaysIn />
        <MoveInCopy />
      </>
    );
  return (
    <>
      <Card title={t("moveIn.nodes")}>
        <p role="status">{played.length === 0 ? t("moveIn.allHere") : tn("moveIn.left", played.length)}</p>
        <ul class="rows">
          {move.data.integrations.map((taker) => (
            <TakerRow key={taker.id} taker={taker} played={played} />
          ))}
        </ul>
        {played.length > 0 && (
          <details class="below">
            <summary>{t("moveIn.show")}</summary>
            <ul class="rows">
              {played.map(({ address, name, suggestion }) => (
                <li key={address}>
                  <span class="main">
                    <Link class="main" href={nodeHref(address)}>
                      {name}
                    </Link>
                    <small>
                      {address}
                      {suggestion &&
                        ` · ${t("moveIn.looksLike", { address: suggestion.address, integration: suggestion.integration })}`}
                    </small>
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
        <p class="hint">
          <Link href="/system/integrations">{t("integration.add")}</Link>
        </p>
      </Card>
      <Programs isWaiting={programsWait} left={played.length} />
      <Steps move={move.data} />
    </>
  );
}

function TakerRow({
  taker: { id, name, state, nodes, offers },
  played,
}: {
  taker: MoveInIntegration;
  played: readonly PlayedNode[];
}) {
  const home = useHome();
  const act = useAct();
  const alike = played.filter(({ suggestion }) => suggestion?.integration === id);
  const path = `${PATH}/take/${encodeURIComponent(id)}`;
  const take = async (body?: object) => (await home.request("POST", path, body)).data as { readonly edit: number };
  const map = (form: FormData) => {
    const chosen = alike.filter(({ address }) => form.has(address));
    const pairs = chosen.map(({ address, suggestion }) => [address, suggestion?.address ?? ""] as const);
    if (pairs.length === 0) throw new Error(t("scene.chooseFirst"));
    return take({ map: Object.fromEntries(pairs), force: form.has("force of all") });
  };
  return (
    <li>
      <span class="main">
        {name}
        <small>
          {tn("room.nodes", nodes)}
          {offers > 0 && ` · ${tn("moveIn.offers", offers)}`}
        </small>
        <span role="alert">{act.problem}</span>
      </span>
      <StateTag state={state} />
      <span class="buttons">
        {offers > 0 && (
          <button
            type="button"
            class="primary"
            disabled={act.isBusy}
            onClick={() => void act.edit(t("moveIn.taken"), () => take())}
          >
            {t("moveIn.take")}
          </button>
        )}
        {alike.length > 0 && (
          <DialogButton label={t("moveIn.map")}>
            <Ask
              title={t("moveIn.mapTitle", { name })}
              submit={t("moveIn.take")}
              done={t("moveIn.taken")}
              onSubmit={async (form) => map(form)}
            >
              <p class="hint">{t("moveIn.mapAbout")}</p>
              {alike.map(({ address, name: node, suggestion }) => (
                <label key={address} class="check">
                  <input type="checkbox" name={address} />
                  {`${node}: ${address} → ${suggestion?.address}`}
                </label>
              ))}
              <label class="check">
                <input type="checkbox" name="force of all" />
                {t("moveIn.force")}
              </label>
            </Ask>
          </DialogButton>
        )}
      </span>
    </li>
  );
}

function Programs({ isWaiting, left }: { isWaiting: boolean; left: number }) {
  const home = useHome();
  const finish = async () => (await home.request("POST", `${PATH}/finish`)).data as { readonly edit: number };
  return (
    <Card title={t("place.programs")}>
      <p>{t(isWaiting ? "moveIn.waiting" : "moveIn.running")}</p>
      {isWaiting && (
        <DialogButton class="primary" label={t("moveIn.finish")}>
          <Ask title={t("moveIn.finish")} submit={t("moveIn.finish")} done={t("moveIn.finished")} onSubmit={finish}>
            <p>{t("moveIn.finishAbout")}</p>
            {left > 0 && <p class="problem">{tn("moveIn.left", left)}</p>}
          </Ask>
        </DialogButton>
      )}
    </Card>
  );
}

/** Only the last step can be taken back, and never the first one alone: the programs would run here and there. */
function Steps({ move: { steps, programsWait } }: { move: MoveIn }) {
  const home = useHome();
  const act = useAct();
  const [last] = steps.slice(-1);
  const canUndo = last !== undefined && !(programsWait && steps.length === 1);
  return (
    <Card title={t("moveIn.steps")}>
      <ol class="rows trace">
        {steps.map(({ edit, at, title }) => (
          <li key={edit}>
            <time dateTime={at}>{timeText(Date.parse(at))}</time>
            <span class="main">{titleText(title)}</span>
          </li>
        ))}
      </ol>
      <p role="alert">{act.problem}</p>
      {canUndo && (
        <div class="buttons">
          <button
            type="button"
            disabled={act.isBusy}
            onClick={() => void act.edit(t("done.undone"), () => home.edits.undo(last.edit))}
          >
            {t("moveIn.undo")}
          </button>
        </div>
      )}
    </Card>
  );
}
