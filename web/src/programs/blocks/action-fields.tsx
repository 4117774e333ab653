/** The fields of an action. */

import { Options } from "../../parts/options.tsx";
import { useHome } from "../../store/context.ts";
import { type TextKey, t } from "../../text/text.ts";
import { useChannels } from "../use-channels.ts";
import { ProgramField, VariableTestFields } from "./condition-fields.tsx";
import { acts, isProgramControl, labelOf, newCommand, targetOf } from "./kinds.ts";
import { RoleActionFields } from "./role-fields.tsx";
import { type KnownAction, type Parameter, PROGRAM_CONTROLS, type Value, type VariableTest } from "./tree.ts";
import {
  Check,
  NumberField,
  OperandFields,
  Select,
  SpanFields,
  TargetField,
  ValueField,
  VariableField,
} from "./value-fields.tsx";

type FieldsProps<T> = { readonly value: T; readonly change: (value: T) => void };
type Of<K extends KnownAction["type"]> = Extract<KnownAction, { type: K }>;

const MESSAGE_CHARS_MAX = 1000;

const ID_MAX = 65_535;
const TIMES_MAX = 99_999;

export function ActionFields({ value, change }: FieldsProps<KnownAction>) {
  switch (value.type) {
    case "roles":
      return <RoleActionFields value={value} change={change} />;
    case "cmd":
      return <CommandFields value={value} change={change} />;
    case "wait":
      return (
        <>
          <SpanFields value={value} change={change} />
          <Check
            label={t("blocks.random")}
            isOn={value.random === true}
            change={(random) => change(withRandom(value, random))}
          />
        </>
      );
    case "repeat":
      return <RepeatFields value={value} change={change} />;
    case "var":
      return <AssignmentFields value={value} change={change} />;
    case "net":
      return <ResourceField value={value} change={change} />;
    case "notify":
      return "text" in value ? (
        <MessageFields value={value} change={change} />
      ) : (
        <NotifyFields value={value} change={change} />
      );
    default:
      return isProgramControl(value) ? <ControlFields value={value} change={change} /> : null;
  }
}

function withRandom<T extends { readonly random?: boolean }>(value: T, random: boolean): T {
  const { random: _old, ...others } = value;
  return (random ? { ...others, random } : others) as T;
}

function CommandFields({ value, change }: FieldsProps<Of<"cmd">>) {
  const target = targetOf(useHome(), value.node);
  if (!target) return null;
  const command = target.accepts.find(({ id }) => id === value.id);
  const set = (parameter: string, val: Value | undefined) => {
    const id = parameter || "n/a";
    const given = new Map(value.p.map((each) => [each.id, each.val]));
    if (val) given.set(id, val);
    else given.delete(id);
    const order = command?.parameters.map((each) => each.id || "n/a") ?? [];
    const p = [...given]
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .map(([each, its]): Parameter => ({ type: "val", id: each, val: its }));
    change({ ...value, p });
  };
  const options = target.accepts.map((each) => [each.id, labelOf(each)] as const);
  return (
    <>
      <TargetField value={target} has={acts} change={(next) => change(newCommand(next) as Of<"cmd">)} />
      <Select
        label={t("blocks.command")}
        value={value.id}
        options={command ? options : [[value.id, value.id], ...options]}
        change={(id) => change({ ...value, id, p: [] })}
      />
      {command?.parameters.map((parameter) => (
        <ValueField
          key={`${value.node} ${value.id} ${parameter.id}`}
          target={target}
          editor={parameter.editor}
          label={labelOf(parameter) || t("blocks.value")}
          isRequired={!parameter.optional}
          value={value.p.find(({ id }) => id === (parameter.id || "n/a"))?.val}
          change={(val) => set(parameter.id, val)}
        />
      ))}
    </>
  );
}

const REPEATS = ["for", "every", "while"] as const;

function RepeatFields({ value, change }: FieldsProps<Of<"repeat">>) {
  const [variable] = useHome().variables;
  const kind = REPEATS.find((each) => value[each] !== undefined) ?? "for";
  const begin = (next: (typeof REPEATS)[number]) => {
    if (next === "for") change({ type: "repeat", for: { times: 3 } });
    else if (next === "every") change({ type: "repeat", every: { minutes: 5 } });
    else if (variable)
      change({
        type: "repeat",
        while: { var: { varType: `${variable.type}`, id: Number(variable.id), op: "IS", val: { value: 0, prec: 0 } } },
      });
  };
  const kinds = REPEATS.filter((each) => each !== "while" || variable);
  return (
    <>
      <Select
        label={t("blocks.repeat")}
        value={kind}
        options={kinds.map((each) => [each, t(`blocks.repeat.${each}`)] as const)}
        change={begin}
      />
      {value.for && (
        <>
          <NumberField
            label={t("blocks.times")}
            value={value.for.times}
            min={0}
            max={TIMES_MAX}
            change={(times) => change({ ...value, for: { ...value.for, times } })}
          />
          <Check
            label={t("blocks.random")}
            isOn={value.for.random === true}
            change={(random) => value.for && change({ ...value, for: withRandom(value.for, random) })}
          />
        </>
      )}
      {value.every && (
        <>
          <SpanFields value={value.every} change={(every) => change({ ...value, every })} />
          <Check
            label={t("blocks.random")}
            isOn={value.every.random === true}
            change={(random) => value.every && change({ ...value, every: withRandom(value.every, random) })}
          />
        </>
      )}
      {value.while && (
        <VariableTestFields
          value={value.while.var}
          change={(test: VariableTest) => change({ ...value, while: { var: test } })}
        />
      )}
      <p class="hint">{t("blocks.repeatAbout")}</p>
    </>
  );
}

const OPERATORS = ["EQ", "ADD=", "SUB=", "MUL=", "DIV=", "REM=", "AND=", "OR=", "XOR=", "RDM=", "INIT"] as const;

function AssignmentFields({ value, change }: FieldsProps<Of<"var">>) {
  const { val: _val, var: _var, status: _status, ...rest } = value;
  return (
    <>
      <VariableField
        label={t("blocks.kind.variable")}
        value={{ type: value.varType, id: value.id }}
        change={({ type, id }) => change({ ...value, varType: type, id })}
      />
      <Select
        label={t("blocks.operator")}
        value={value.op}
        options={OPERATORS.map((each) => [each, t(`blocks.operator.${each}` as TextKey)] as const)}
        change={(op) => change({ ...value, op })}
      />
      <OperandFields value={value} of={value} hasStatus change={(operand) => change({ ...rest, ...operand })} />
    </>
  );
}

function ControlFields({
  value,
  change,
}: FieldsProps<Extract<KnownAction, { type: (typeof PROGRAM_CONTROLS)[number] }>>) {
  return (
    <>
      <Select
        label={t("blocks.command")}
        value={value.type}
        options={PROGRAM_CONTROLS.map((each) => [each, t(`blocks.control.${each}`)] as const)}
        change={(type) => change({ ...value, type })}
      />
      <ProgramField id={value.id} change={(id) => change({ ...value, id })} />
    </>
  );
}

function ResourceField({ value, change }: FieldsProps<Of<"net">>) {
  const options = Array.from(useHome().resources, ({ id, name }) => [id, name] as const);
  return (
    <Select
      label={t("blocks.kind.resource")}
      value={String(value.id)}
      options={options}
      change={(id) => change({ ...value, id: Number(id) })}
    />
  );
}

type Message = Extract<KnownAction, { readonly text: string }>;

function MessageFields({ value, change }: FieldsProps<Message>) {
  const channels = useChannels();
  const isListed = channels.some(([id]) => id === value.to);
  return (
    <>
      <label>
        {t("blocks.message")}
        <input
          type="text"
          required
          maxLength={MESSAGE_CHARS_MAX}
          value={value.text}
          onInput={({ currentTarget }) => change({ ...value, text: currentTarget.value })}
        />
      </label>
      {channels.length > 0 ? (
        <label>
          {t("blocks.channel")}
          <select
            required
            value={value.to}
            onChange={({ currentTarget }) => change({ ...value, to: currentTarget.value })}
          >
            {!isListed && <option value={value.to}>{value.to}</option>}
            <Options of={channels.map(([id, name]) => [id, name])} />
          </select>
        </label>
      ) : (
        <label>
          {t("blocks.channel")}
          <input
            type="text"
            required
            value={value.to}
            onInput={({ currentTarget }) => change({ ...value, to: currentTarget.value })}
          />
        </label>
      )}
      <p class="hint">{t("blocks.messageAbout")}</p>
    </>
  );
}

function NotifyFields({ value, change }: FieldsProps<Exclude<Of<"notify">, Message>>) {
  const { content, ...bare } = value;
  return (
    <>
      <NumberField
        label={t("blocks.recipient")}
        value={value.recipient}
        min={0}
        max={ID_MAX}
        change={(recipient) => change({ ...value, recipient })}
      />
      <Check
        label={t("blocks.ownContent")}
        isOn={content !== undefined}
        change={(isOn) => change(isOn ? { ...bare, content: 1 } : bare)}
      />
      {content !== undefined && (
        <NumberField
          label={t("blocks.content")}
          value={content}
          min={0}
          max={ID_MAX}
          change={(next) => change({ ...value, content: next })}
        />
      )}
      <p class="hint">{t("blocks.notifyAbout")}</p>
    </>
  );
}
