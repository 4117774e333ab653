/** One node: every property with unit, every command that it accepts with the control that its editor wants. */

import type { CommandDefinition, EditorRange, Node, ParameterDefinition } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { CommandLine, NodeControl } from "../parts/honest.tsx";
import { useHome, useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import { Renamer } from "../parts/renamer.tsx";
import { WhyPanel } from "../parts/why-panel.tsx";

export function NodePlace({ address }: { address: string }) {
  const home = useHome();
  const node = home.nodes.find(decodeURIComponent(address));
  if (!node) return <p role="alert">{t("node.unknown")}</p>;
  const folder = node.path.split("/").slice(0, -1).join(" / ");
  return (
    <article class="detail">
      <p class="crumb">
        <Link href="/">{t("place.home")}</Link>
        {folder && ` / ${folder}`}
      </p>
      <Renamer name={node.name} rename={(name) => node.rename(name)} />
      <div class="node-controls">
        <NodeControl node={node} />
        <CommandLine address={node.address} />
      </div>
      <Properties node={node} />
      <WhyPanel path={`/api/why/node/${encodeURIComponent(node.address)}`} />
      <Commands node={node} />
      <Memberships node={node} />
      <section>
        <h2>{t("node.about")}</h2>
        <dl>
          <dt>{t("node.address")}</dt>
          <dd>{node.address}</dd>
          <dt>{t("node.kind")}</dt>
          <dd>{node.nodedef?.name || node.nodeDefId || "–"}</dd>
        </dl>
        <button type="button" onClick={() => void (node.enabled ? node.disable() : node.enable())}>
          {t(node.enabled ? "node.disable" : "node.enable")}
        </button>
        <button type="button" onClick={() => void node.query()}>
          {t("node.query")}
        </button>
      </section>
    </article>
  );
}

function Properties({ node }: { node: Node }) {
  const store = useStore();
  const rows = [...node.properties.keys()].map((id) => {
    void store.property(node.address, id).value;
    const name = node.nodedef?.properties.find((property) => property.id === id)?.name || id;
    return { id, name, label: node.label(id) ?? t("value.unknown") };
  });
  return (
    <section>
      <h2>{t("node.properties")}</h2>
      <table>
        <tbody>
          {rows.map(({ id, name, label }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Commands({ node }: { node: Node }) {
  const accepts = node.nodedef?.accepts ?? [];
  if (accepts.length === 0) return null;
  return (
    <section>
      <h2>{t("node.commands")}</h2>
      <ul class="commands">
        {accepts.map((command) => (
          <li key={command.id}>
            <CommandForm node={node} command={command} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function CommandForm({ node, command }: { node: Node; command: CommandDefinition }) {
  const store = useStore();
  const [values, setValues] = useState<readonly string[]>(command.parameters.map(() => ""));
  const submit = (event: Event) => {
    event.preventDefault();
    const given = values.slice(0, values.findLastIndex((value) => value !== "") + 1);
    const typed = given.map((value) => (value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value));
    void store.commands.run(node.address, () => node.send(command.id, ...typed));
  };
  return (
    <form class="command-form" onSubmit={submit}>
      {command.parameters.map((parameter, at) => (
        <ParameterField
          key={parameter.id}
          node={node}
          parameter={parameter}
          label={parameter.name || command.name || command.id}
          value={values[at] ?? ""}
          change={(value) => setValues(values.with(at, value))}
        />
      ))}
      <button type="submit">{command.name || command.id}</button>
    </form>
  );
}

type FieldProps = {
  readonly node: Node;
  readonly parameter: ParameterDefinition;
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
};

/** Choices where the editor names them all, else a number within its range. */
function ParameterField({ node, parameter, label, value, change }: FieldProps) {
  const home = useHome();
  const ranges = home.profile.editor(parameter.editor, node.family, node.instance)?.ranges ?? [];
  const choices = choicesOf(ranges);
  const [range] = ranges;
  return (
    <label>
      {label}
      {choices ? (
        <select value={value} required={!parameter.optional} onChange={(event) => change(event.currentTarget.value)}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="number"
          value={value}
          required={!parameter.optional}
          min={range?.min ?? undefined}
          max={range?.max ?? undefined}
          step={range?.step ?? "any"}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </label>
  );
}

function choicesOf(ranges: readonly EditorRange[]): readonly string[] | null {
  const [only, ...others] = ranges;
  if (!only || others.length > 0 || only.names.size === 0) return null;
  const isListed = only.subset !== null || (only.min === null && only.max === null);
  return isListed ? [...only.names.values()] : null;
}

function Memberships({ node }: { node: Node }) {
  if (node.groups.length === 0) return null;
  return (
    <section>
      <h2>{t("node.scenes")}</h2>
      <ul>
        {node.groups.map((group) => (
          <li key={group.address}>{group.path}</li>
        ))}
      </ul>
    </section>
  );
}
