/** What assistants propose: the change, what is known about it, and the decision. Loaded when it is opened. */

import type { Proposal } from "@domovoi/client";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t, tn } from "../text/text.ts";
import { timeText } from "../text/time.ts";

export function ProposalsSection() {
  const proposals = useLoaded<readonly Proposal[]>("/api/proposals");
  return (
    <Card title={t("system.proposals")}>
      <p class="hint">{t("proposals.about")}</p>
      <Rest of={proposals} empty={t("proposals.none")} />
      <ul class="rows">
        {proposals.data?.map((proposal) => (
          <Row key={proposal.id} proposal={proposal} reload={proposals.reload} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ proposal, reload }: { proposal: Proposal; reload: () => void }) {
  const { proposals } = useHome();
  const act = useAct();
  const { id, title, account, at, why, state, decidedBy, isSecured, findings } = proposal;
  const approve = async () => {
    if (await act.edit(title, () => proposals.approve(id))) reload();
  };
  const reject = async () => {
    if (await act.run(() => proposals.reject(id))) reload();
  };
  const stop = async () => {
    await proposals.stop(account);
    reload();
  };
  return (
    <li>
      <span class="main">
        {title}
        <small>{t("proposals.from", { account, time: timeText(Date.parse(at)) })}</small>
        <small>{why}</small>
      </span>
      {isSecured && <span class="tag lit">{t("proposals.secured")}</span>}
      {state !== "waiting" && <span class="tag">{t(`proposals.${state}`, { by: decidedBy ?? account })}</span>}
      {/* Above the buttons: nobody approves what they were not shown. */}
      {findings.length > 0 && (
        <ul class="wide findings">
          {findings.map(({ severity, sentence }) => (
            <li key={sentence} class={severity}>
              <span class={severity === "error" ? "tag bad" : "tag lit"}>
                {t(`severity.${severity as "error" | "warning" | "hint"}`)}
              </span>{" "}
              {sentence}
            </li>
          ))}
        </ul>
      )}
      <span class="buttons">
        {state === "waiting" && (
          <>
            <button
              type="button"
              class="primary"
              disabled={act.isBusy}
              aria-label={t("proposals.approveOf", { title })}
              onClick={() => void approve()}
            >
              {t("proposals.approve")}
            </button>
            <button
              type="button"
              disabled={act.isBusy}
              aria-label={t("proposals.rejectOf", { title })}
              onClick={() => void reject()}
            >
              {t("proposals.reject")}
            </button>
          </>
        )}
        <DialogButton class="danger" label={t("proposals.stop")} name={t("proposals.stopOf", { account })}>
          <Ask title={t("proposals.stopOf", { account })} submit={t("proposals.stop")} isDangerous onSubmit={stop}>
            <p>{t("proposals.stopAbout")}</p>
          </Ask>
        </DialogButton>
      </span>
      {proposal.text !== null && <Details proposal={proposal} text={proposal.text} />}
      <p role="alert">{act.problem}</p>
    </li>
  );
}

function Details({ proposal: { before, lastWeek }, text }: { proposal: Proposal; text: string }) {
  return (
    <details class="below">
      <summary>{t("proposals.details")}</summary>
      <Lines of={changedLines(before ?? "", text)} />
      <p>{lastWeek ? tn("proposals.week", lastWeek.differences) : t("proposals.noWeek")}</p>
      {lastWeek && lastWeek.lines.length > 0 && <Lines of={lastWeek.lines} />}
    </details>
  );
}

function Lines({ of }: { of: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <pre class="log" tabIndex={0}>
      {of.join("\n")}
    </pre>
  );
}

/** The part between the lines that both texts begin and end with, as lines that go and lines that come. */
function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map((each) => (each === "" ? [] : each.trimEnd().split("\n"))) as [
    string[],
    string[],
  ];
  const same = (from: string[], to: string[]) => {
    const end = from.findIndex((line, at) => line !== to[at]);
    return end < 0 ? from.length : end;
  };
  const head = Math.min(same(old, now), now.length);
  const tail = Math.min(same(old.slice(head).reverse(), now.slice(head).reverse()), now.length - head);
  return [
    ...old.slice(0, head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...now.slice(now.length - tail).map((line) => `  ${line}`),
  ];
}
