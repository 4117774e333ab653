/**
 * A program while it is edited, as blocks and as text. The controller prints the text of a tree and reads the tree of a text, and
 * verifies both at the same time; one of the two is older only while its answer is under way.
 */

import type { Finding, Program } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { useHome } from "../store/context.ts";
import { problemText } from "../text/problem.ts";
import type { Tree } from "./blocks/tree.ts";
import { forgetDraft, keepDraft, keptDraft } from "./kept-draft.ts";

/** The program with name, folder, comment and switches, which its text also has. */
type Whole = Tree & { readonly comment?: string };

/** `whole`: null until the text was read, and when it is the text of no program. */
type State = { readonly text: string; readonly whole: Whole | null; readonly isTextOld: boolean };
type Checked = { readonly findings: readonly Finding[]; readonly refused: string };
type Answer = {
  readonly findings: readonly Finding[];
  readonly program: {
    readonly text: string;
    readonly tree: Whole;
    readonly enabled: boolean;
    readonly runAtStartup: boolean;
  };
};

export type ProgramText = { readonly text: string; readonly version: number };

export type Draft = State &
  Checked & {
    readonly isChanged: boolean;
    /** The program at the start of the edit. */
    readonly version: number;
    setText(text: string): void;
    edit(tree: Tree): void;
    /** null: nothing to take back */
    readonly undo: (() => void) | null;
    /** Also of blocks whose text is still under way. */
    finalText(): Promise<string>;
  };

const VERIFY_AFTER_MS = 350;

export function useDraft(program: Program, stored: ProgramText): Draft {
  const home = useHome();
  const [begun] = useState(() => ({ text: stored.text, version: keptDraft(program.id)?.version ?? stored.version }));
  const [state, setState] = useState<State>(() => ({
    text: keptDraft(program.id)?.text ?? stored.text,
    whole: null,
    isTextOld: false,
  }));
  const [checked, setChecked] = useState<Checked & { readonly isFirst: boolean }>({
    findings: [],
    refused: "",
    isFirst: true,
  });
  const [past, setPast] = useState<readonly Whole[]>([]);

  const ask = async ({ text, whole, isTextOld }: State): Promise<Answer> => {
    const id = Number.parseInt(program.id, 16);
    const body = isTextOld && whole ? { comment: "", ...whole, id } : { text };
    const { data } = await home.request("POST", "/api/programs/verify", body);
    return data as Answer;
  };
  useEffect(() => {
    if (state.whole !== null && !state.isTextOld) return;
    let isOver = false;
    const look = async () => {
      try {
        const { findings, program: both } = await ask(state);
        if (isOver) return;
        const { tree, enabled, runAtStartup } = both;
        const whole = state.isTextOld ? state.whole : { ...tree, enabled, runAtStartup };
        setState({ text: state.isTextOld ? both.text : state.text, whole, isTextOld: false });
        setChecked({ findings, refused: "", isFirst: false });
      } catch (error) {
        if (!isOver) setChecked({ findings: [], refused: problemText(error), isFirst: false });
      }
    };
    const timer = setTimeout(look, state.isTextOld || checked.isFirst ? 0 : VERIFY_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [state]);
  const isChanged = state.isTextOld || state.text !== begun.text;
  useEffect(() => {
    if (state.isTextOld) return;
    if (isChanged) keepDraft({ id: program.id, version: begun.version, text: state.text });
    else forgetDraft();
  }, [state]);

  const remember = () => state.whole && setPast([...past, state.whole]);
  return {
    ...state,
    ...checked,
    isChanged,
    version: begun.version,
    setText(text) {
      remember();
      setState({ text, whole: null, isTextOld: false });
    },
    edit(tree) {
      remember();
      setState({ text: state.text, whole: { ...state.whole, ...tree }, isTextOld: true });
    },
    undo:
      past.length === 0
        ? null
        : () => {
            setState({ text: state.text, whole: past.at(-1) as Whole, isTextOld: true });
            setPast(past.slice(0, -1));
          },
    finalText: async () => (state.isTextOld ? (await ask(state)).program.text : state.text),
  };
}
