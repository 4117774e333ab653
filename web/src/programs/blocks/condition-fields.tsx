/** The fields of a condition. */

import { editorOf, hasChoices } from "../../parts/editor-control.tsx";
import { useHome } from "../../store/context.ts";
import { t } from "../../text/text.ts";
import { hexId, labelOf, newNodeCondition, type Target, targetOf } from "./kinds.ts";
import { ForFields, RoleConditionFields } from "./role-fields.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";
import type { KnownCondition, Operand, VariableTest } from "./tree.ts";
import { ComparisonField, OperandFields, Select, TargetField, ValueField, VariableField } from "./value-fields.tsx";

type FieldsProps<T> = { readonly value: T; readonly change: (value: T) => void };
type Of<K extends KnownCondition["type"]> = Extract<KnownCondition, { type: K }>;

export function ConditionFields({ value, change }: FieldsProps<KnownCondition>) {
  switch (value.type) {
    case "roles":
      return <RoleConditionFields value={value} change={change} />;
    case "held":
    case "status":
    case "control":
      return <NodeFields value={value} change={change} />;
    case "var":
      return <VariableTestFields value={value} change={(test) => change({ ...test, type: "var" })} />;
    case "triggerref":
      return <ProgramFields value={value} change={change} />;
    case "schedule":
      return <ScheduleFields value={value} change={change} />;
  }
}

/** A property and a command may have the same id: the first letter of a choice says which. */
function NodeFields({
  value,
  change,
}: {
  value: Of<"status"> | Of<"held"> | Of<"control">;
  change: (value: KnownCondition) => void;
}) {
  const home = useHome();
  const target = targetOf(home, value.node);
  if (!target) return null;
  const choose = (choice: string) => {
    const id = choice.slice(2);
    const { node } = value;
    change(
      choice.startsWith("s ")
        ? ({ type: "status", id, node, op: "IS" } as Of<"status">)
        : { type: "control", id, node, op: "IS" },
    );
  };
  const group = (label: string, kind: "s" | "c", things: readonly { readonly id: string; readonly name: string }[]) =>
    things.length > 0 && (
      <optgroup label={label}>
        {things.map((thing) => (
          <option key={thing.id} value={`${kind} ${thing.id}`}>
            {labelOf(thing)}
          </option>
        ))}
      </optgroup>
    );
  return (
    <>
      <TargetField
        value={target}
        has={({ properties, sends }) => properties.length + sends.length > 0}
        change={(next) => change(newNodeCondition(next) as KnownCondition)}
      />
      <label>
        {t("blocks.what")}
        <select
          value={`${value.type === "control" ? "c" : "s"} ${value.id}`}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {group(t("blocks.reports"), "s", target.properties)}
          {group(t("blocks.sends"), "c", target.sends)}
        </select>
      </label>
      {value.type !== "control" ? (
        <StatusFields value={value} target={target} change={change} />
      ) : (
        <Select
          label={t("blocks.comparison")}
          value={value.op}
          options={[
            ["IS", t("blocks.isSent")],
            ["ISNOT", t("blocks.isNotSent")],
          ]}
          change={(op) => change({ ...value, op })}
        />
      )}
    </>
  );
}

type StatusProps = {
  readonly value: Of<"status"> | Of<"held">;
  readonly change: (value: KnownCondition) => void;
  readonly target: Target;
};

function StatusFields({ value, target, change }: StatusProps) {
  const editor = target.properties.find(({ id }) => id === value.id)?.editor ?? "";
  const isOrdered = !hasChoices(editorOf(useHome(), target, editor));
  return (
    <>
      <ComparisonField value={value.op} isOrdered={isOrdered} change={(op) => change({ ...value, op })} />
      <ValueField
        key={`${value.node} ${value.id}`}
        target={target}
        editor={editor}
        label={t("blocks.value")}
        isRequired
        value={value.val}
        change={(val) => change({ ...value, val } as Of<"status">)}
      />
      <ForFields
        value={value.type === "held" ? value.for : undefined}
        change={(lasting) => {
          const { id, node, op, val } = value;
          change(lasting ? { type: "held", id, node, op, val, for: lasting } : { type: "status", id, node, op, val });
        }}
      />
    </>
  );
}

/** Also of a repeat. */
export function VariableTestFields({ value, change }: FieldsProps<VariableTest>) {
  const { val: _val, var: _var, ...rest } = value;
  return (
    <>
      <VariableField
        label={t("blocks.kind.variable")}
        value={{ type: value.varType, id: value.id }}
        change={({ type, id }) => change({ ...value, varType: type, id })}
      />
      <ComparisonField value={value.op} isOrdered change={(op) => change({ ...value, op })} />
      <OperandFields
        value={value}
        of={value}
        hasStatus={false}
        change={(operand: Operand) => change({ ...rest, ...operand })}
      />
    </>
  );
}

function ProgramFields({ value, change }: FieldsProps<Of<"triggerref">>) {
  return (
    <>
      <ProgramField id={value.refid} change={(refid) => change({ ...value, refid })} />
      <Select
        label={t("blocks.comparison")}
        value={value.is ? "true" : "false"}
        options={[
          ["true", t("blocks.isTrue")],
          ["false", t("blocks.isFalse")],
        ]}
        change={(is) => change({ ...value, is: is === "true" })}
      />
    </>
  );
}

export function ProgramField({ id, change }: { id: number; change: (id: number) => void }) {
  const programs = [...useHome().programs].filter(({ isFolder }) => !isFolder);
  return (
    <Select
      label={t("blocks.kind.program")}
      value={hexId(id)}
      options={programs.map(({ id: each, path }) => [each, path] as const)}
      change={(each) => change(Number.parseInt(each, 16))}
    />
  );
}
