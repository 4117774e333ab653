/** Every command that a node accepts, as a form, except those of a thermostat's own controls. */

import type { CommandDefinition, Node } from "@domovoi/client";
import { useState } from "preact/hooks";
import { effectsOf } from "../controls/ranges.ts";
import { THERMOSTAT_COMMANDS } from "../controls/thermostat-controls.tsx";
import { AskButton } from "../parts/ask-button.tsx";
import { initialValue, ParameterControl, typedValue } from "../parts/editor-control.tsx";
import { useHome, useStore } from "../store/context.ts";
import { asksFirst, controlOf, isAdjustable } from "../store/controls.ts";
import { maySend } from "../store/may-send.ts";
import { localName } from "../text/names.ts";
import { t } from "../text/text.ts";

/** Folded where the head of the page has what people need. */
export function NodeCommands({ node }: { node: Node }) {
  const home = useHome();
  const isElsewhere = (id: string) => node.role === "thermostat" && THERMOSTAT_COMMANDS.has(id);
  const accepts = node.nodedef?.accepts.filter(({ id }) => !isElsewhere(id) && maySend(node, id)) ?? [];
  if (accepts.length === 0 || !node.enabled) return null;
  const plain = accepts.filter(({ parameters }) => parameters.length === 0);
  const others = accepts.filter(({ parameters }) => parameters.length > 0);
  return (
    <details class="card" open={controlOf(home, node).kind === "value" && !isAdjustable(node)}>
      <summary>
        <h2>{t("node.commands")}</h2>
      </summary>
      {plain.length > 0 && (
        <div class="buttons">
          {plain.map((command) => (
            <CommandForm key={command.id} node={node} command={command} />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <ul class="rows">
          {others.map((command) => (
            <li key={command.id}>
              <CommandForm node={node} command={command} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function CommandForm({ node, command }: { node: Node; command: CommandDefinition }) {
  const home = useHome();
  const store = useStore();
  const [values, setValues] = useState<readonly string[]>(() =>
    command.parameters.map((parameter) => initialValue(home, node, parameter)),
  );
  const name = localName(command.name || command.id);
  const asks = asksFirst(node, command);
  const submit = () => {
    const given = values.slice(0, values.findLastIndex((value) => value !== "") + 1);
    const send = () => node.send(command.id, ...given.map(typedValue));
    void store.commands.run(node.address, send, "node", effectsOf(node, command.id));
  };
  return (
    <form
      class={command.parameters.length > 0 ? "command-form main" : ""}
      onSubmit={(event) => {
        event.preventDefault();
        if (!asks) submit();
      }}
    >
      {command.parameters.map((parameter, at) => (
        <ParameterControl
          key={parameter.id}
          node={node}
          parameter={parameter}
          label={parameter.name ? localName(parameter.name) : name}
          value={values[at] ?? ""}
          change={(value) => setValues(values.with(at, value))}
        />
      ))}
      {asks ? <AskButton asks text={name} act={submit} /> : <button type="submit">{name}</button>}
    </form>
  );
}
