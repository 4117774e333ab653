/** Programs in their folders beside the one that is open, each with what its condition came to and whether it runs. */

import type { Home, Program } from "@domovoi/client";
import { Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Head, Missing, Split } from "../parts/layout.tsx";
import { isOwner } from "../session/role.ts";
import { useHome, useHomeWithStates } from "../store/context.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { loadMessages } from "../text/messages.ts";
import { ProgramDetail } from "./program-detail.tsx";
import { folded } from "../text/folded.ts";

/** The place, with what its sentences need. */
export async function openPrograms(): Promise<typeof ProgramsPlace> {
  await loadMessages();
  return ProgramsPlace;
}

function ProgramsPlace({ id }: { id: string | null }) {
  const home = useHomeWithStates();
  const program = id === null ? null : home.programs.find(id);
  const detail = program ? <ProgramDetail key={program.id} program={program} /> : <Missing text={t("programs.unknown")} />;
  return <Split list={<ProgramList home={home} open={id} />} detail={id === null ? null : detail} />;
}

function ProgramList({ home, open }: { home: Home; open: string | null }) {
  const [filter, setFilter] = useState("");
  const wanted = folded(filter.trim());
  const all = [...home.programs];
  const root = all.find(({ isFolder, parentId }) => isFolder && parentId === null);
  const found = all.filter(({ isFolder, path }) => !isFolder && folded(path).includes(wanted));
  return (
    <>
      <Head title={open === null ? t("place.programs") : <h2>{t("place.programs")}</h2>}>{isOwner() && <NewProgram />}</Head>
      <input type="search" aria-label={t("filter")} placeholder={t("filter")} value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      {found.length === 0 && <p class="empty">{t("programs.none")}</p>}
      <nav class="card tree" aria-label={t("place.programs")}>
        {wanted === "" ? (
          <Branch all={all} parent={root?.id ?? null} open={open} />
        ) : (
          <ul>
            {found.map((program) => (
              <li key={program.id}>
                <Leaf program={program} isOpen={program.id === open} text={program.path} />
              </li>
            ))}
          </ul>
        )}
      </nav>
    </>
  );
}

function Branch({ all, parent, open }: { all: readonly Program[]; parent: string | null; open: string | null }) {
  const own = all
    .filter(({ parentId, id }) => parentId === parent && id !== parent)
    .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || a.name.localeCompare(b.name));
  return (
    <ul>
      {own.map((program) => (
        <li key={program.id}>
          {program.isFolder ? (
            <details open>
              <summary>
                <span class={program.status ? "dot true" : "dot"} />
                <strong>{program.name}</strong>
              </summary>
              <Branch all={all} parent={program.id} open={open} />
            </details>
          ) : (
            <Leaf program={program} isOpen={program.id === open} text={program.name} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Leaf({ program, isOpen, text }: { program: Program; isOpen: boolean; text: string }) {
  const state = program.enabled === false ? "programs.disabled" : program.status ? "programs.true" : "programs.false";
  const isRunning = program.running !== null && program.running !== "idle";
  const dot = program.enabled === false ? "dot off" : program.status ? "dot true" : "dot";
  return (
    <Link class="leaf" href={`/program/${program.id}`} aria-current={isOpen ? "page" : undefined}>
      <span class={dot}><span class="hidden">{t(state)}</span></span>
      <span>{text}</span>
      {isRunning ? (
        <span class="tag lit">{t("programs.running")}</span>
      ) : (
        program.lastRunTime && <span class="hint">{timeText(Date.parse(program.lastRunTime))}</span>
      )}
    </Link>
  );
}

function NewProgram() {
  const home = useHome();
  const [, navigate] = useLocation();
  const folders = [...home.programs].filter(({ isFolder }) => isFolder);
  const create = async (form: FormData) => {
    const [name, parentId] = [String(form.get("name")).trim(), String(form.get("folder"))];
    if (form.get("kind") === "folder") {
      await home.programs.addFolder({ name, parentId });
    } else {
      const { tree } = await home.programs.addTree({ name, parent: Number.parseInt(parentId, 16), if: [], then: [], else: [], enabled: true });
      await home.refresh();
      navigate(`/program/${tree.id.toString(16).toUpperCase().padStart(4, "0")}`);
    }
  };
  return (
    <DialogButton class="icon" name={t("programs.new")} label={<Plus size={22} aria-hidden />}>
      <Ask title={t("programs.new")} submit={t("create")} done={t("done.created")} onSubmit={create}>
        <label>
          {t("rename.name")}
          <input name="name" required maxLength={200} />
        </label>
        <label>
          {t("programs.folder")}
          <select name="folder">
            {folders.map(({ id, path, name }) => (
              <option key={id} value={id}>{path || name}</option>
            ))}
          </select>
        </label>
        <label>
          {t("programs.kind")}
          <select name="kind">
            <option value="program">{t("kind.program")}</option>
            <option value="folder">{t("programs.folder")}</option>
          </select>
        </label>
        <p class="hint">{t("programs.newAbout")}</p>
      </Ask>
    </DialogButton>
  );
}
