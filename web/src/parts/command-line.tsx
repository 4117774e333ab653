/** The line under a name that says how far the last command came; nothing when all is well. */

import { useEffect, useState } from "preact/hooks";
import type { MemberOutcome } from "../store/command-states.ts";
import { useHome, useStore } from "../store/context.ts";
import { number, t } from "../text/text.ts";

const SOON_MS = 1_000;
const TICK_MS = 200;

export function CommandLine({ address }: { address: string }) {
  const state = useStore().commands.of(address).value;
  if (state === null) return null;
  switch (state.phase) {
    case "sending":
    case "accepted":
      return <WaitingLine text={t(`command.${state.phase}`)} sinceMs={state.sinceMs} />;
    case "queued":
      return (
        <span class="command" role="status">
          {t("command.queued")}
        </span>
      );
    case "failed":
      return <FailedLine text={state.reason || t("command.failed")} retry={state.retry} />;
    case "outcome":
      return <OutcomeLine {...state} />;
  }
}

function WaitingLine({ text, sinceMs }: { text: string; sinceMs: number }) {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const waitedMs = nowMs - sinceMs;
  return (
    <span class="command" role="status">
      {waitedMs < SOON_MS
        ? text
        : t("command.waiting", { phase: text, seconds: number(Math.round(waitedMs / 100) / 10) })}
    </span>
  );
}

function FailedLine({ text, retry }: { text: string; retry: () => void }) {
  return (
    <span class="command failed" role="status">
      {text}{" "}
      <button type="button" class="link" onClick={retry}>
        {t("command.retry")}
      </button>
    </span>
  );
}

/** How many members of a scene followed, and those that did not with their reasons. */
type OutcomeProps = {
  readonly members: readonly MemberOutcome[];
  readonly count: { readonly done: number; readonly all: number };
  readonly retry: () => void;
};

function OutcomeLine({ members, count: { done, all }, retry }: OutcomeProps) {
  const home = useHome();
  const failed = members.filter(({ isDone }) => !isDone);
  const count = t("scene.outcome", { done, all });
  if (done === all)
    return (
      <span class="command" role="status">
        {count}
      </span>
    );
  if (failed.length === 0) return <FailedLine text={`${count}.`} retry={retry} />;
  const reasons = failed.map(({ address, detail }) => `${home.nodes.find(address)?.name ?? address}: ${detail}`);
  return <FailedLine text={`${count}. ${reasons.join("; ")}`} retry={retry} />;
}
