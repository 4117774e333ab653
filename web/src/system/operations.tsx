/**
 * Operations in several steps that may ask a person, such as pairing or removing a device. The same for every type of
 * integration.
 */

import type { IntegrationOperation, IntegrationOperationKind } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { SchemaFields, schemaValues } from "../parts/schema-fields.tsx";
import { nodeHref } from "../parts/things.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";

const ENDED: ReadonlySet<string> = new Set(["done", "failed", "cancelled"]);

export function Operations({ id }: { id: string }) {
  const home = useHome();
  const store = useStore();
  const act = useAct();
  const [kinds, setKinds] = useState<readonly IntegrationOperationKind[]>([]);
  const [operation, setOperation] = useState<IntegrationOperation | null>(null);
  const isUnderWay = operation !== null && !ENDED.has(operation.stage);
  useEffect(() => {
    void act.run(async () => {
      setKinds(await home.integrations.operationKinds(id));
      setOperation(await home.integrations.operation(id));
    });
  }, [id]);
  // Every step is on the stream.
  const moved = store.operations.value;
  useEffect(() => {
    if (!isUnderWay) return;
    void home.integrations.operation(id).then(
      async (next) => {
        setOperation(next);
        if (next && ENDED.has(next.stage)) await store.refresh();
      },
      () => {},
    );
  }, [isUnderWay, operation?.id, moved]);
  if (kinds.length === 0) return null;
  return (
    <Card title={t("operation.title")}>
      {operation && <Progress id={id} operation={operation} isUnderWay={isUnderWay} show={setOperation} />}
      <p role="alert">{act.problem}</p>
      {!isUnderWay && (
        <ul class="rows">
          {kinds.map((kind) => (
            <li key={kind.kind}>
              <span class="main">
                {kind.name}
                <small>{kind.about}</small>
              </span>
              <DialogButton label={t("operation.begin")} name={t("operation.beginOf", { name: kind.name })}>
                <Ask
                  title={kind.name}
                  submit={t("operation.begin")}
                  onSubmit={async (form) =>
                    setOperation(await home.integrations.begin(id, kind.kind, schemaValues(kind.input, form)))
                  }
                >
                  <p>{kind.about}</p>
                  <SchemaFields settings={kind.input} />
                </Ask>
              </DialogButton>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type ProgressProps = {
  readonly id: string;
  readonly operation: IntegrationOperation;
  readonly isUnderWay: boolean;
  readonly show: (operation: IntegrationOperation) => void;
};

function Progress({ id, operation, isUnderWay, show }: ProgressProps) {
  const home = useHome();
  const act = useAct();
  const { question, stage, detail, percent, address } = operation;
  const answer = (event: Event) => {
    event.preventDefault();
    if (!question) return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void act.run(async () =>
      show(await home.integrations.answer(id, { kind: question.kind, ...schemaValues(question.answer, form) })),
    );
  };
  return (
    <div class="fields" role="status">
      <p>
        <span class={stage === "failed" ? "tag bad" : isUnderWay ? "tag lit" : "tag good"}>
          {t(`stage.${stage as "waiting"}`)}
        </span>{" "}
        {detail}
      </p>
      {isUnderWay && (
        <progress
          class="progress"
          max={100}
          {...(percent !== null && { value: percent })}
          aria-label={t("operation.title")}
        />
      )}
      {question && (
        <form class="fields" onSubmit={answer}>
          <h3>{t("operation.question")}</h3>
          <dl>
            {Object.entries(question.data).map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{Array.isArray(value) ? value.join(", ") : String(value)}</dd>
              </>
            ))}
          </dl>
          <SchemaFields settings={question.answer.filter(({ name }) => name !== "kind")} />
          <div class="buttons">
            <button type="submit" class="primary" disabled={act.isBusy}>
              {t("operation.answer")}
            </button>
            <button
              type="button"
              onClick={() => void act.run(async () => show(await home.integrations.answer(id, { kind: "refuse" })))}
            >
              {t("operation.refuse")}
            </button>
          </div>
        </form>
      )}
      <div class="buttons">
        {isUnderWay && (
          <button type="button" onClick={() => void act.run(async () => show(await home.integrations.cancel(id)))}>
            {t("operation.cancel")}
          </button>
        )}
        {stage === "done" && address && home.nodes.find(address) && (
          <Link class="button" href={nodeHref(address)}>
            {t("operation.open")}
          </Link>
        )}
      </div>
      <p role="alert">{act.problem}</p>
    </div>
  );
}
