/** A program as blocks that can be changed: sentences of the controller's own text, each at its place of the tree. */

import type { Finding } from "@domovoi/client";
import { Ellipsis, Plus } from "lucide-preact";
import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { useHome } from "../../store/context.ts";
import { t } from "../../text/text.ts";
import { Findings } from "../findings.tsx";
import { localLine } from "../local-line.ts";
import { type Mark, markOf, NOTHING } from "../marks.ts";
import { type Clause, piecesOf, programLines } from "../program-lines.ts";
import { Sign } from "../sentences.tsx";
import type { TraceEntry } from "../trace-entry.ts";
import type { Draft } from "../use-draft.ts";
import { BlockTools, TOOLS } from "./block-tools.tsx";
import { isChangeable } from "./kinds.ts";
import { StatementDialog } from "./statement-dialog.tsx";
import { type Place, pathOf, type Statement, statementsOf, type Tree } from "./tree.ts";
import { type Edited, insert, isMixed, replace } from "./tree-edits.ts";

const CLAUSES: readonly Clause[] = ["if", "then", "else"];

/** Shared data of all blocks. */
type Context = {
  readonly tree: Tree;
  readonly findings: readonly Finding[];
  /** Path of the block whose buttons are shown. */
  readonly open: string | null;
  setOpen(path: string | null): void;
  sentenceOf(statement: Statement): string;
  markOf(statement: Statement): Mark;
  apply(edited: Edited | null, said: string, focus: string): void;
  /** Opens the dialog. @param statement null: for a new one at this place */
  ask(place: Place, statement: Statement | null): void;
};

const BlocksContext = createContext<Context | null>(null);

function useBlocks(): Context {
  return useContext(BlocksContext) as Context;
}

const FIRST_CONDITION: Place = { clause: "if", indexes: [0] };
const FIRST_ACTION: Place = { clause: "then", indexes: [0] };

type BlocksProps = { readonly draft: Draft; readonly run: TraceEntry | null };
type Asked = { readonly place: Place; readonly statement: Statement | null; readonly opener: Element | null };

export function Blocks({ draft, run }: BlocksProps) {
  const { whole, undo, findings, isTextOld } = draft;
  const root = useRef<HTMLElement>(null);
  const [open, setOpen] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState("");
  const focus = useRef<string | null>(null);
  const sentenceOf = useSentences(draft);
  const markOfStatement = useMarks(draft, run);
  useEffect(() => {
    if (focus.current === null) return;
    const wanted = root.current?.querySelector<HTMLElement>(`${focus.current}:not(:disabled)`);
    (wanted ?? root.current?.querySelector<HTMLElement>(".add"))?.focus();
    focus.current = null;
  });
  const isEmpty = whole !== null && CLAUSES.every((clause) => whole[clause].length === 0);
  // A new program begins with its first condition.
  useEffect(() => {
    if (isEmpty && !undo) setAsked({ place: FIRST_CONDITION, statement: null, opener: null });
  }, [whole === null]);
  if (!whole) return <p class="starting">{t("starting")}</p>;
  const apply: Context["apply"] = (edited, sentence, selector) => {
    if (!edited) return;
    const path = pathOf(edited.place);
    setOpen(open === null || selector === MAIN ? null : path);
    focus.current = `[data-path="${path}"] ${selector}`;
    setSaid(sentence);
    draft.edit(edited.tree);
  };
  const finish = (place: Place, statement: Statement, isNew: boolean) => {
    setAsked(null);
    apply((isNew ? insert : replace)(whole, place, statement), t(isNew ? "blocks.added" : "blocks.changed"), MAIN);
    // What it does then is asked at once.
    if (isEmpty && place.clause === "if") setAsked({ place: FIRST_ACTION, statement: null, opener: null });
  };
  const takeBack = () => {
    setSaid(t("done.undone"));
    undo?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || asked) return;
    event.preventDefault();
    takeBack();
  };
  const ask: Context["ask"] = (place, statement) => setAsked({ place, statement, opener: document.activeElement });
  const close = () => {
    setAsked(null);
    (asked?.opener as HTMLElement | null)?.focus();
  };
  const context = { tree: whole, findings, open, setOpen, sentenceOf, markOf: markOfStatement, apply, ask };
  return (
    <BlocksContext.Provider value={context}>
      <section ref={root} class="blocks" aria-label={t("program.blocks")} aria-busy={isTextOld} onKeyDown={onKeyDown}>
        {CLAUSES.map((clause) => (
          <ClauseBlocks key={clause} clause={clause} list={whole[clause]} />
        ))}
        <div class="buttons">
          <button type="button" disabled={!undo} onClick={takeBack}>
            {t("undo")}
          </button>
          <span role="status" class="hint">
            {said}
          </span>
        </div>
        <p class="hint keys">{t("blocks.keys")}</p>
        <Findings findings={findings.filter(({ path }) => !path)} text="" />
      </section>
      {asked && (
        <StatementDialog
          key={`${pathOf(asked.place)} ${asked.statement === null}`}
          clause={asked.place.clause}
          statement={asked.statement}
          onClose={close}
          onDone={(statement) => finish(asked.place, statement, asked.statement === null)}
        />
      )}
    </BlocksContext.Provider>
  );
}

/** The element of a block that has the focus after an edit. */
const MAIN = ".sentence";

/**
 * The text of a statement from the controller. For the statement that was just changed the text is still loading; the
 * others keep theirs.
 */
function useSentences({ whole, text, isTextOld }: Draft): (statement: Statement) => string {
  const known = useRef(new WeakMap<Statement, string>());
  if (whole && !isTextOld) {
    const lines = new Map(programLines(text).map((line) => [line.path, line.text]));
    for (const [statement, place] of statementsOf(whole)) known.current.set(statement, lines.get(pathOf(place)) ?? "");
  }
  return (statement) => localLine((known.current.get(statement) ?? "…").replace(/^(And|Or) /i, ""));
}

/** A run is laid over the statements that it ran, wherever they have moved since. */
function useMarks({ whole, isChanged, isTextOld }: Draft, run: TraceEntry | null): (statement: Statement) => Mark {
  const places = useRef(new WeakMap<Statement, Place>());
  if (whole && !isTextOld && !isChanged) {
    for (const [statement, place] of statementsOf(whole)) places.current.set(statement, place);
  }
  return (statement) => {
    const place = places.current.get(statement);
    return run && place ? markOf({ clause: place.clause, path: pathOf(place) }, run) : NOTHING;
  };
}

function ClauseBlocks({ clause, list }: { clause: Clause; list: readonly Statement[] }) {
  const { ask } = useBlocks();
  const add = t(clause === "if" ? "blocks.addCondition" : "blocks.addAction");
  return (
    <section class="clause" aria-label={t(`clause.${clause}`)}>
      <h3>{t(`clause.${clause}`)}</h3>
      {list.length === 0 && <p class="hint">{t(clause === "if" ? "clause.always" : "clause.nothing")}</p>}
      <BlockList clause={clause} above={[]} list={list} />
      <button
        type="button"
        class="add"
        aria-label={`${t(`clause.${clause}`)}: ${add}`}
        onClick={() => ask({ clause, indexes: [list.length] }, null)}
      >
        <Plus size={18} aria-hidden /> {add}
      </button>
    </section>
  );
}

type ListProps = { readonly clause: Clause; readonly above: readonly number[]; readonly list: readonly Statement[] };

function BlockList({ clause, above, list }: ListProps) {
  const firstRepeat = clause === "if" ? -1 : list.findIndex(({ type }) => type === "repeat");
  return (
    <>
      <ol class="block-list">
        {list.map((statement, at) => {
          const isRepeated = firstRepeat >= 0 && at > firstRepeat && statement.type !== "repeat";
          return (
            <Block key={at} statement={statement} place={{ clause, indexes: [...above, at] }} isRepeated={isRepeated} />
          );
        })}
      </ol>
      {clause === "if" && isMixed(list) && <p class="hint">{t("blocks.mixed")}</p>}
    </>
  );
}

type BlockProps = { readonly statement: Statement; readonly place: Place; readonly isRepeated: boolean };

function Block({ statement, place, isRepeated }: BlockProps) {
  const blocks = useBlocks();
  const path = pathOf(place);
  const mark = blocks.markOf(statement);
  const findings = blocks.findings.filter((finding) => finding.path === path);
  const isOpen = blocks.open === path;
  const isFirst = place.indexes.at(-1) === 0;
  const name = nameOf(statement, blocks.sentenceOf(statement));
  const use = (tool: keyof typeof TOOLS, selector: string) => {
    const edited = TOOLS[tool].edit(blocks.tree, place);
    blocks.apply(edited, t(TOOLS[tool].said, { name }), selector);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const tool =
      event.altKey && event.key === "ArrowUp"
        ? "up"
        : event.altKey && event.key === "ArrowDown"
          ? "down"
          : event.key === "Delete"
            ? "remove"
            : null;
    if (tool === null) return;
    event.preventDefault();
    event.stopPropagation();
    use(tool, MAIN);
  };
  return (
    <li
      class={`block ${mark.kind} ${isRepeated ? "repeated" : ""} ${findings.length > 0 ? "has-finding" : ""}`}
      data-path={path}
      onKeyDown={onKeyDown}
    >
      <div class="block-line">
        {place.clause === "if" && !isFirst && (
          <button
            type="button"
            class="join"
            aria-label={t("blocks.join", { name: t(`blocks.${statement.andOr ?? "and"}`) })}
            onClick={() => use("join", ".join")}
          >
            {t(`blocks.${statement.andOr ?? "and"}`)}
          </button>
        )}
        <Sign mark={mark} />
        <Sentence statement={statement} place={place} />
        {mark.found && <span class="found">{mark.found}</span>}
        <button
          type="button"
          class="icon"
          aria-expanded={isOpen}
          aria-label={t("blocks.more", { name })}
          onClick={() => blocks.setOpen(isOpen ? null : path)}
        >
          <Ellipsis size={20} aria-hidden />
        </button>
      </div>
      {isOpen && (
        <BlockTools
          tree={blocks.tree}
          place={place}
          name={name}
          use={(tool) => use(tool, tool === "remove" ? MAIN : `[data-tool="${tool}"]`)}
          addBelow={() => blocks.ask(below(place), null)}
        />
      )}
      {statement.conditions && <Parentheses statement={statement} place={place} />}
      <Findings findings={findings} text="" />
    </li>
  );
}

function below({ clause, indexes }: Place): Place {
  return { clause, indexes: indexes.with(-1, (indexes.at(-1) ?? 0) + 1) };
}

function nameOf(statement: Statement, sentence: string): string {
  if (statement.conditions) return t("blocks.parentheses");
  return piecesOf(sentence)
    .map(({ text }) => text)
    .join("");
}

function Sentence({ statement, place }: { statement: Statement; place: Place }) {
  const { sentenceOf, ask } = useBlocks();
  const home = useHome();
  if (statement.conditions)
    return (
      <span class="sentence fixed" tabIndex={-1}>
        {t("blocks.parentheses")}
      </span>
    );
  const words = piecesOf(sentenceOf(statement)).map(({ text, isName }) => (isName ? <b>{text}</b> : text));
  if (isChangeable(home, statement)) {
    return (
      <button type="button" class="sentence" onClick={() => ask(place, statement)}>
        {words}
      </button>
    );
  }
  return (
    <span class="sentence fixed" tabIndex={-1}>
      {words} <small class="hint">{t("blocks.onlyText")}</small>
    </span>
  );
}

function Parentheses({
  statement: { conditions = [] },
  place: { clause, indexes },
}: {
  statement: Statement;
  place: Place;
}) {
  const { ask } = useBlocks();
  return (
    <div class="parentheses">
      <BlockList clause={clause} above={indexes} list={conditions} />
      <button type="button" class="add" onClick={() => ask({ clause, indexes: [...indexes, conditions.length] }, null)}>
        <Plus size={18} aria-hidden /> {t("blocks.addInside")}
      </button>
    </div>
  );
}
