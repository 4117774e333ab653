/**
 * The control for an editor: choices when it names all values, a slider for percent, else a number within its range.
 */

import type { Editor, EditorRange, Home, Node, ParameterDefinition } from "@domovoi/client";
import { useHome } from "../store/context.ts";
import { localName } from "../text/names.ts";
import { keypadFor } from "./keypad.ts";
import { Options } from "./options.tsx";
import { Slider } from "./slider.tsx";

const PERCENT = "51";

type ControlProps = {
  readonly editor: Editor | null;
  readonly label: string;
  readonly isRequired: boolean;
  readonly value: string;
  readonly change: (value: string) => void;
};

export function EditorControl({ editor, label, isRequired, value, change }: ControlProps) {
  const ranges = editor?.ranges ?? [];
  const choices = choicesOf(ranges);
  const [range] = ranges;
  if (choices) {
    return (
      <label>
        {label}
        <select value={value} required={isRequired} onChange={(event) => change(event.currentTarget.value)}>
          <option value="" />
          <Options of={choices.map((choice) => [choice, localName(choice)])} />
        </select>
      </label>
    );
  }
  const limits = { min: range?.min ?? undefined, max: range?.max ?? undefined, step: range?.step ?? "any" } as const;
  const bounds = range && boundsText(range);
  const isSlider = range?.uom === PERCENT && range.min !== null && range.max !== null && range.subset === null;
  return (
    <label>
      {label}
      <span class="with-unit">
        {isSlider && (
          <Slider
            {...limits}
            value={Number(value || range.max)}
            aria-label={label}
            follow={(chosen) => change(String(chosen))}
          />
        )}
        <input
          type="number"
          aria-label={label}
          {...limits}
          value={value}
          required={isRequired}
          inputMode={keypadFor(limits.min, limits.step)}
          onInput={(event) => change(event.currentTarget.value)}
        />
      </span>
      {bounds && <small class="hint">{bounds}</small>}
    </label>
  );
}

/** In signs that every language has: `0 – 100 %`. */
function boundsText({ min, max, uom }: EditorRange): string | null {
  return min === null || max === null ? null : `${min} – ${max}${uom === PERCENT ? " %" : ""}`;
}

/** Shows the present value of the node when a property holds it. */
export function ParameterControl({
  node,
  parameter,
  label,
  value,
  change,
}: {
  node: Node;
  parameter: ParameterDefinition;
  label: string;
  value: string;
  change: (value: string) => void;
}) {
  const editor = editorOf(useHome(), node, parameter.editor);
  return <EditorControl editor={editor} label={label} isRequired={!parameter.optional} value={value} change={change} />;
}

export function editorOf(
  home: Home,
  { family, instance }: Pick<Node, "family" | "instance">,
  id: string,
): Editor | null {
  return home.profile.editor(id, family, instance);
}

/** Its values are names in a list, in no order. */
export function hasChoices(editor: Editor | null): boolean {
  return choicesOf(editor?.ranges ?? []) !== null;
}

/** The content of a field, as `send` takes it. */
export function typedValue(text: string): number | string {
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The value that a parameter begins with: the one that the property has which it writes. */
export function initialValue(home: Home, node: Node, parameter: ParameterDefinition): string {
  if (parameter.init === null || parameter.optional) return "";
  const ranges = editorOf(home, node, parameter.editor)?.ranges ?? [];
  if (choicesOf(ranges)) return node.label(parameter.init) ?? "";
  return String(node.value(parameter.init) ?? "");
}

function choicesOf(ranges: readonly EditorRange[]): readonly string[] | null {
  const [only, ...others] = ranges;
  if (!only || others.length > 0 || only.names.size === 0) return null;
  const isListed =
    only.subset !== null ||
    (only.min === null && only.max === null) ||
    only.names.size > (only.max ?? 0) - (only.min ?? 0);
  return isListed ? [...new Set(only.names.values())] : null;
}
