/** One integration: its state, its settings, and what can be begun at it, such as pairing a device. */

import type { Integration, IntegrationType } from "@domovoi/client";
import { useLocation } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { SchemaFields, schemaValues } from "../parts/schema-fields.tsx";
import { useHome } from "../store/context.ts";
import { type Act, useAct } from "../store/use-act.ts";
import { reasonText } from "../text/reasons.ts";
import { t, tn } from "../text/text.ts";
import { MatterCodes } from "./matter-codes.tsx";
import { Operations } from "./operations.tsx";
import { PersonsCard } from "./persons-card.tsx";

type DetailProps = { readonly integration: Integration; readonly known: Known; readonly base: string };

export type Known = {
  readonly list: readonly Integration[];
  readonly types: readonly IntegrationType[];
  readonly reload: () => void;
};

export function StateTag({ state }: { state: Integration["state"] }) {
  const kind = { ready: "good", starting: "lit", degraded: "lit", failed: "bad", stopped: "" }[state];
  return <span class={`tag ${kind}`}>{t(`state.${state}`)}</span>;
}

export function IntegrationDetail({ integration, known, base }: DetailProps) {
  const act = useAct();
  const type = known.types.find((some) => some.type === integration.type);
  return (
    <>
      <Card title={integration.name} actions={<StateTag state={integration.state} />}>
        {type && <p class="hint">{type.about}</p>}
        {integration.reason && <p>{reasonText(integration.reason)}</p>}
        {!type?.notifies && <p>{tn("room.nodes", integration.nodes)}</p>}
        <Buttons integration={integration} act={act} known={known} base={base} notifies={type?.notifies ?? false} />
        <p role="alert">{act.problem}</p>
      </Card>
      {type?.type === "matterbridge" && <MatterCodes state={integration.state} />}
      {type?.type === "presence" && integration.state !== "failed" && <PersonsCard />}
      {type && !type.notifies && integration.state === "ready" && <Operations id={integration.id} />}
      {type && <Settings integration={integration} known={known} settings={type.settings} />}
    </>
  );
}

type ButtonsProps = DetailProps & { readonly act: Act; readonly notifies: boolean };

function Buttons({ integration: { id, name, enabled, nodes }, known, base, act, notifies }: ButtonsProps) {
  const home = useHome();
  const [, navigate] = useLocation();
  const run = (work: () => Promise<unknown>) =>
    act.run(async () => {
      await work();
      known.reload();
    });
  const remove = async (form: FormData) => {
    await home.integrations.remove(id, nodes === 0 ? undefined : form.get("nodes") === "remove" ? "remove" : "keep");
    navigate(base);
    known.reload();
  };
  return (
    <div class="buttons">
      {notifies && <TestButton id={id} act={act} />}
      {enabled ? (
        <>
          <button type="button" disabled={act.isBusy} onClick={() => void run(() => home.integrations.restart(id))}>
            {t("integration.restart")}
          </button>
          <button type="button" disabled={act.isBusy} onClick={() => void run(() => home.integrations.stop(id))}>
            {t("integration.stop")}
          </button>
        </>
      ) : (
        <button
          type="button"
          class="primary"
          disabled={act.isBusy}
          onClick={() => void run(() => home.integrations.start(id))}
        >
          {t("integration.start")}
        </button>
      )}
      <DialogButton class="danger" label={t("remove")}>
        <Ask title={t("remove.title", { name })} submit={t("remove")} isDangerous onSubmit={remove}>
          {nodes > 0 && (
            <fieldset>
              <legend>{tn("room.nodes", nodes)}</legend>
              <label class="check">
                <input type="radio" name="nodes" value="keep" defaultChecked />
                {t("integration.keepNodes")}
              </label>
              <label class="check">
                <input type="radio" name="nodes" value="remove" />
                {t("integration.removeNodes")}
              </label>
            </fieldset>
          )}
        </Ask>
      </DialogButton>
    </div>
  );
}

function TestButton({ id, act }: { id: string; act: Act }) {
  const home = useHome();
  return (
    <button
      type="button"
      class="primary"
      disabled={act.isBusy}
      onClick={() => void act.edit(t("integration.delivered"), () => home.integrations.testChannel(id))}
    >
      {t("integration.test")}
    </button>
  );
}

function Settings({
  integration,
  known,
  settings,
}: Omit<DetailProps, "base"> & { settings: Known["types"][number]["settings"] }) {
  const home = useHome();
  const act = useAct();
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void act.edit(t("done.saved"), async () => {
      await home.integrations.change(integration.id, {
        name: String(form.get("integration name")).trim(),
        settings: schemaValues(settings, form, integration.settings),
      });
      known.reload();
    });
  };
  return (
    <Card title={t("integration.settings")}>
      {integration.setting && <p class="hint">{t("integration.bySetting", { setting: integration.setting })}</p>}
      <form class="fields" onSubmit={submit}>
        <label>
          {t("rename.name")}
          <input name="integration name" required maxLength={200} defaultValue={integration.name} />
        </label>
        <SchemaFields settings={settings} values={integration.settings} secrets={integration.secrets} />
        <p role="alert" class="problem">
          {act.problem}
        </p>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={act.isBusy}>
            {t("save")}
          </button>
        </div>
      </form>
    </Card>
  );
}
