/** Work that a button begins: whether it is under way, and why it failed. */

import type { MeaningEdited } from "@domovoi/client";
import { useState } from "preact/hooks";
import { problemText } from "../text/problem.ts";
import { t } from "../text/text.ts";
import { useStore } from "./context.ts";

export type Act = {
  readonly isBusy: boolean;
  readonly problem: string | null;
  /** @returns whether it worked */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /** An edit of the home: shows what was done, with a button that takes it back. @param done in words */
  edit(done: string, work: () => Promise<unknown>): Promise<boolean>;
};

export function useAct(): Act {
  const store = useStore();
  // A component with state is not rendered again for the same handle of a thing, which may have another name or value by now.
  void [store.revision.value, store.states.value];
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(problemText(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const edit = (done: string, work: () => Promise<unknown>) =>
    run(async () => {
      const result = await work();
      await store.refresh();
      store.say({ text: done + meaningOf(result), edit: editOf(result) });
    });
  return { isBusy, problem, run, edit };
}

/** Programs by room and role that an edit brings a device to, or takes it from. */
function meaningOf(result: unknown): string {
  const { programs = [] } = (result ?? {}) as Partial<MeaningEdited>;
  const named = (isMeant: boolean) =>
    programs.filter((each) => each.isMeant === isMeant).map(({ name }) => `“${name}”`);
  const [more, fewer] = [named(true), named(false)];
  return [
    ...(more.length > 0 ? [` ${t("done.meant", { programs: more.join(", ") })}`] : []),
    ...(fewer.length > 0 ? [` ${t("done.meant.not", { programs: fewer.join(", ") })}`] : []),
  ].join("");
}

/** The number of the edit in an answer; null when it has none. */
function editOf(result: unknown): number | null {
  const { edit = null } = (result ?? {}) as { readonly edit?: number | null };
  return typeof edit === "number" ? edit : null;
}
