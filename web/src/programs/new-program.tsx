/** Makes a program or a folder of programs; a program may begin as one that many homes have, and is then open in the editor. */

import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Ask } from "../parts/dialog.tsx";
import { Options } from "../parts/options.tsx";
import { useHome, useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import { keepDraft } from "./kept-draft.ts";
import { nodesFor, STARTING_POINTS, textOf } from "./starting-points.ts";
import { useChannels } from "./use-channels.ts";
import type { ProgramText } from "./use-draft.ts";

export function NewProgram() {
  const home = useHome();
  const store = useStore();
  const [, navigate] = useLocation();
  const [kind, setKind] = useState("program");
  const start = STARTING_POINTS.find(({ name }) => name === kind);
  const folders = [...home.programs].filter(({ isFolder }) => isFolder);
  const create = async (form: FormData) => {
    const [name, parentId] = [String(form.get("name")).trim(), String(form.get("folder"))];
    if (kind === "folder") return void (await home.programs.addFolder({ name, parentId }));
    const { tree } = await home.programs.addTree({
      name,
      parent: Number.parseInt(parentId, 16),
      if: [],
      then: [],
      else: [],
      enabled: true,
    });
    const id = tree.id.toString(16).toUpperCase().padStart(4, "0");
    // It opens in the editor.
    const { version, text } = (await home.request("GET", `/api/programs/${id}/text`)).data as ProgramText;
    keepDraft({ id, version, text: start ? textOf(start, home, text, form) : text });
    await store.refresh();
    navigate(`/program/${id}`);
  };
  return (
    <Ask title={t("programs.new")} submit={t("create")} done={t("done.created")} onSubmit={create}>
      <label>
        {t("rename.name")}
        <input name="name" required maxLength={200} />
      </label>
      <label>
        {t("programs.folder")}
        <select name="folder">
          <Options of={folders.map(({ id, path, name }) => [id, path || name])} />
        </select>
      </label>
      <label>
        {t("programs.kind")}
        <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
          <option value="program">{t("start.empty")}</option>
          <optgroup label={t("start.title")}>
            <Options of={STARTING_POINTS.map(({ name }) => [name, t(`start.kind.${name}`)])} />
          </optgroup>
          <option value="folder">{t("programs.folder")}</option>
        </select>
      </label>
      {start?.questions.map((question) => (
        <Choice key={`${kind} ${question.key}`} question={question} />
      ))}
      <p class="hint">{t(start ? "start.about" : "programs.newAbout")}</p>
    </Ask>
  );
}

function Choice({ question }: { question: (typeof STARTING_POINTS)[number]["questions"][number] }) {
  const home = useHome();
  const channels = useChannels();
  const { key, label, of, isMany = false, isOptional = false } = question;
  const options: readonly (readonly [string, string])[] =
    of === "channel"
      ? channels
      : of === "room"
        ? Array.from(home.folders, ({ address, path }) => [address, path.replaceAll("/", " / ")] as const)
        : of === "variable"
          ? [...home.variables]
              .filter(({ type }) => String(type) === "2")
              .map(({ id, name }) => [String(id), name] as const)
          : nodesFor(home, question).map(({ address, path }) => [address, path.replaceAll("/", " / ")] as const);
  if (options.length === 0) return <p class="hint">{t("start.none", { what: t(label) })}</p>;
  if (isMany) {
    return (
      <fieldset class="choices">
        <legend>{t(label)}</legend>
        {options.map(([value, text]) => (
          <label key={value} class="check">
            <input type="checkbox" name={key} value={value} />
            {text}
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <label>
      {t(label)}
      <select name={key} required={!isOptional}>
        <option value="" />
        <Options of={options.map(([value, text]) => [value, text])} />
      </select>
    </label>
  );
}
