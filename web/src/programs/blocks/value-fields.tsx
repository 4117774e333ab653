/** Fields of statements: values with a unit, numbers, spans, variables, operands. */

import type { Editor } from "@domovoi/client";
import { useState } from "preact/hooks";
import { EditorControl, editorOf, typedValue } from "../../parts/editor-control.tsx";
import { keypadFor } from "../../parts/keypad.ts";
import { Options } from "../../parts/options.tsx";
import { useHome } from "../../store/context.ts";
import { t } from "../../text/text.ts";
import { labelOf, type Target, targetOf } from "./kinds.ts";
import type { Comparison, Operand, Span, Value, VariableName } from "./tree.ts";

type ValueProps = {
  readonly target: Target;
  readonly editor: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly value: Value | undefined;
  /** undefined: no value */
  readonly change: (value: Value | undefined) => void;
};

/**
 * A value with the control for its editor. A value in another unit keeps its unit. Give it a key that names the
 * value.
 */
export function ValueField({ target, editor: id, label, isRequired, value, change }: ValueProps) {
  const editor = editorOf(useHome(), target, id);
  const [text, setText] = useState(() => shownText(editor, value));
  const [isInOtherUnit] = useState(
    () =>
      value !== undefined && editor !== null && Number.isFinite(Number(text)) && editor.units[0] !== String(value.uom),
  );
  if (isInOtherUnit && value) {
    return (
      <>
        <NumberField
          label={label}
          value={Number(text)}
          step="any"
          change={(_value, typed) => change({ ...decimal(typed), uom: value.uom ?? 0 })}
        />
        <p class="hint">{t("blocks.otherUnit")}</p>
      </>
    );
  }
  return (
    <EditorControl
      editor={editor}
      label={label}
      isRequired={isRequired}
      value={text}
      change={(next) => {
        setText(next);
        change(encoded(editor, next));
      }}
    />
  );
}

function shownText(editor: Editor | null, value: Value | undefined): string {
  if (!value) return "";
  const { value: raw, prec = 0, uom = 0 } = value;
  return editor?.decode({ value: String(raw), prec, uom: String(uom) }).label ?? (raw / 10 ** prec).toFixed(prec);
}

/** The decimals that were typed are the precision. undefined: the editor does not take it. */
function encoded(editor: Editor | null, text: string): Value | undefined {
  if (text.trim() === "") return undefined;
  try {
    const typed = typedValue(text);
    const { value, uom } = editor?.encode(typed) ?? { value: Number(typed), uom: "0" };
    return { ...decimal(typeof typed === "number" ? text.trim() : String(value)), uom: Number(uom) };
  } catch {
    return undefined;
  }
}

function decimal(text: string): { readonly value: number; readonly prec: number } {
  const prec = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  return { value: Math.round(Number(text) * 10 ** prec), prec };
}

type NumberProps = {
  readonly label: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | "any";
  readonly change: (value: number, text: string) => void;
};

export function NumberField({ label, value, min, max, step = 1, change }: NumberProps) {
  const [text, setText] = useState(String(value));
  return (
    <label>
      {label}
      <input
        type="number"
        inputMode={keypadFor(min, step)}
        required
        min={min}
        max={max}
        step={step}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          if (currentTarget.validity.valid) change(Number(currentTarget.value), currentTarget.value);
        }}
      />
    </label>
  );
}

const SPAN_PART_MAX = 99_999;
const PARTS = ["hours", "minutes", "seconds"] as const;

/** @param value may have other members; they stay */
export function SpanFields<T extends Span>({ value, change }: { value: T; change: (value: T) => void }) {
  return (
    <div class="inline">
      {PARTS.map((part) => (
        <NumberField
          key={part}
          label={t(`blocks.${part}`)}
          value={value[part] ?? 0}
          min={0}
          max={SPAN_PART_MAX}
          change={(count) => {
            const { [part]: _old, ...others } = value;
            change((count === 0 ? others : { ...others, [part]: count }) as T);
          }}
        />
      ))}
    </div>
  );
}

export function Check({ label, isOn, change }: { label: string; isOn: boolean; change: (isOn: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      {label}
    </label>
  );
}

type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly change: (value: T) => void;
};

export function Select<T extends string>({ label, value, options, change }: ChoiceProps<T>) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value as T)}>
        <Options of={options.map(([each, text]) => [each, text])} />
      </select>
    </label>
  );
}

const COMPARISONS: readonly Comparison[] = ["IS", "ISNOT", "GT", "GE", "LT", "LE"];

/** @param isOrdered more and less mean something */
export function ComparisonField({
  value,
  isOrdered,
  change,
}: {
  value: Comparison;
  isOrdered: boolean;
  change: (value: Comparison) => void;
}) {
  const options = COMPARISONS.filter((each) => isOrdered || each === value || each === "IS" || each === "ISNOT");
  return (
    <Select
      label={t("blocks.comparison")}
      value={value}
      options={options.map((each) => [each, t(`blocks.op.${each}`)] as const)}
      change={change}
    />
  );
}

/** @param has which targets may be chosen */
export function TargetField({
  value,
  has,
  change,
}: {
  value: Target;
  has: (target: Target) => boolean;
  change: (target: Target) => void;
}) {
  const home = useHome();
  const targets = [...home.nodes, ...home.groups].flatMap(({ address }) => targetOf(home, address) ?? []);
  const options = targets
    .filter((target) => target.address === value.address || has(target))
    .sort((a, b) => a.path.localeCompare(b.path));
  return (
    <Select
      label={t("blocks.thing")}
      value={value.address}
      options={options.map(({ address, path }) => [address, path] as const)}
      change={(address) => change(targetOf(home, address) as Target)}
    />
  );
}

export function VariableField({
  label,
  value,
  change,
}: {
  label: string;
  value: VariableName;
  change: (value: VariableName) => void;
}) {
  const home = useHome();
  const options = Array.from(
    home.variables,
    ({ key, name, type }) => [key, `${name} (${t(`blocks.type.${type}`)})`] as const,
  );
  return (
    <Select
      label={label}
      value={`${value.type}.${value.id}`}
      options={options}
      change={(key) => {
        const [type, id] = key.split(".") as ["1" | "2", string];
        change({ type, id: Number(id) });
      }}
    />
  );
}

type ConstantProps = Pick<OperandProps, "of"> & { readonly value: Value; readonly change: (value: Value) => void };

function ConstantField({ value: { value, prec = 0 }, of, change }: ConstantProps) {
  const variable = useHome().variables.find(`${of.varType}.${of.id}`);
  const names = Object.entries(variable?.valueNames ?? {});
  const shown = value / 10 ** prec;
  const raw = String(Math.round(shown * 10 ** (variable?.prec ?? 0)));
  if (!variable || !names.some(([each]) => each === raw)) {
    return (
      <NumberField
        label={t("blocks.value")}
        value={shown}
        step="any"
        change={(_value, text) => change(decimal(text))}
      />
    );
  }
  const choose = (next: string) => change({ value: Number(next), prec: variable.prec });
  return <Select label={t("blocks.value")} value={raw} options={names} change={choose} />;
}

const SOURCES = ["val", "var", "status"] as const;
type Source = (typeof SOURCES)[number];

type OperandProps = {
  readonly value: Operand;
  /** The variable that is compared or set: its values may have names. */
  readonly of: { readonly varType: "1" | "2"; readonly id: number };
  readonly hasStatus: boolean;
  readonly change: (value: Operand) => void;
};

/** A number or the name of a value, another variable or a value that a node reports. */
export function OperandFields({ value, of, hasStatus, change }: OperandProps) {
  const home = useHome();
  const source = SOURCES.find((each) => value[each] !== undefined) ?? "val";
  const begin = (next: Source) => {
    const [variable] = home.variables;
    const target = Array.from(home.nodes, ({ address }) => targetOf(home, address)).find(
      (each) => each && each.properties.length > 0,
    );
    if (next === "var" && variable) change({ var: { type: `${variable.type}`, id: Number(variable.id) } });
    else if (next === "status" && target)
      change({ status: { node: target.address, id: target.properties[0]?.id ?? "ST" } });
    else change({ val: { value: 0, prec: 0 } });
  };
  const sources = SOURCES.filter((each) => hasStatus || each !== "status");
  const { val, var: variable, status } = value;
  const target = status && targetOf(home, status.node);
  return (
    <>
      <Select
        label={t("blocks.source")}
        value={source}
        options={sources.map((each) => [each, t(`blocks.source.${each}`)] as const)}
        change={begin}
      />
      {val && <ConstantField value={val} of={of} change={(next) => change({ val: next })} />}
      {variable && (
        <VariableField label={t("blocks.kind.variable")} value={variable} change={(next) => change({ var: next })} />
      )}
      {status && target && (
        <>
          <TargetField
            value={target}
            has={({ properties }) => properties.length > 0}
            change={({ address, properties }) => change({ status: { node: address, id: properties[0]?.id ?? "ST" } })}
          />
          <Select
            label={t("blocks.what")}
            value={status.id}
            options={target.properties.map((property) => [property.id, labelOf(property)] as const)}
            change={(id) => change({ status: { ...status, id } })}
          />
        </>
      )}
    </>
  );
}
