/** The fields of a statement by room and role: how many, what, where, which state; and which devices it means now. */

import { MEASURE_NAMES, type Measure, ROLE_WORD_NAMES, type RoleWord } from "@domovoi/client";
import { useHome } from "../../store/context.ts";
import { type TextKey, t } from "../../text/text.ts";
import { labelOf } from "./kinds.ts";
import { commandsOf, isInState, membersOf, statesOf } from "./roles.ts";
import { HOW, type Places, type RoleAction, type RoleCondition, type Span } from "./tree.ts";
import { Check, ComparisonField, NumberField, Select, SpanFields } from "./value-fields.tsx";

type FieldsProps<T> = { readonly value: T; readonly change: (value: T) => void };
type How = RoleCondition["how"];

const LEVEL = { min: 0, max: 100, unit: 51 } as const;
const DEGREES = { celsius: 4, fahrenheit: 17 } as const;
/** The unit of a number by its measure. */
const UNITS: Readonly<Record<Measure, number>> = { temperature: DEGREES.celsius, humidity: 22, light: 36, power: 73 };
const TEN_MINUTES: Span = { minutes: 10 };
const NODES_MAX = 99_999;

export function RoleConditionFields({ value, change }: FieldsProps<RoleCondition>) {
  const home = useHome();
  const word = value.measure ?? value.role ?? "lamp";
  const isSummary = value.measure !== undefined;
  const begin = (how: How, role: RoleWord | null, measure: Measure) => change(conditionOf(value, how, role, measure));
  const words = isSummary ? MEASURE_NAMES : ROLE_WORD_NAMES.filter((each) => fits(value.how, each));
  const { op = "IS", number = 0, val } = value;
  return (
    <>
      <Select
        label={t("blocks.how")}
        value={value.how}
        options={HOW.map((how) => [how, t(`blocks.how.${how}`)] as const)}
        change={(how) => begin(how, value.role ?? null, value.measure ?? "temperature")}
      />
      <Select
        label={t("blocks.role")}
        value={word}
        options={words.map((each) => [each, roleText(each)] as const)}
        change={(next) =>
          isSummary
            ? begin(value.how, null, next as Measure)
            : begin(value.how, next as RoleWord, value.measure ?? "temperature")
        }
      />
      <PlaceFields word={word} value={value} change={change} />
      {value.is !== undefined && value.role !== undefined && (
        <Select
          label={t("blocks.state")}
          value={value.is}
          options={statesOf(value.role).map((each) => [each, t(`blocks.state.${each}`)] as const)}
          change={(is) => change({ ...value, is })}
        />
      )}
      {(value.how === "number" || isSummary) && (
        <ComparisonField value={op} isOrdered change={(next) => change({ ...value, op: next })} />
      )}
      {value.how === "number" && (
        <NumberField
          label={t("blocks.value")}
          value={number}
          min={0}
          max={NODES_MAX}
          change={(next) => change({ ...value, number: next })}
        />
      )}
      {val && (
        <NumberField
          key={word}
          label={t("blocks.value")}
          value={val.value / 10 ** (val.prec ?? 0)}
          step="any"
          change={(next) => change({ ...value, val: decimal(next, val.uom ?? 0) })}
        />
      )}
      {value.how === "sends" && <SentFields value={value} change={change} />}
      {(value.how === "any" || value.how === "all" || value.how === "none") && (
        <ForFields
          value={value.for}
          change={(lasting) => {
            const { for: _for, ...others } = value;
            change(lasting ? { ...others, for: lasting } : others);
          }}
        />
      )}
      <Members
        word={word}
        value={value}
        isIn={(node) => value.is !== undefined && isInState(node, value.is) === true}
      />
      {!isSummary && membersOf(home, word, value).length === 0 && <p class="hint">{t("blocks.meansNothing")}</p>}
    </>
  );
}

/** The same question in another form: it keeps its places. */
function conditionOf(value: RoleCondition, how: How, role: RoleWord | null, measure: Measure): RoleCondition {
  const places = { type: "roles", how, in: value.in, except: value.except } as const;
  const op = value.how === "sends" ? undefined : value.op;
  if (how === "average" || how === "min" || how === "max") {
    const val = value.measure === measure && value.val ? value.val : { value: 20, prec: 0, uom: UNITS[measure] };
    return { ...places, measure, op: op ?? "LT", val };
  }
  const word = role !== null && fits(how, role) ? role : (ROLE_WORD_NAMES.find((each) => fits(how, each)) ?? "lamp");
  if (how === "sends")
    return { ...places, role: word, cmd: value.cmd ?? "DON", op: value.op === "ISNOT" ? "ISNOT" : "IS" };
  const states = statesOf(word);
  const is = value.is !== undefined && states.includes(value.is) ? value.is : (states[0] ?? "on");
  if (how === "number") return { ...places, role: word, is, op: op ?? "GT", number: value.number ?? 0 };
  return { ...places, role: word, is, ...(value.for && { for: value.for }) };
}

function fits(how: How, role: RoleWord): boolean {
  return how === "sends" || statesOf(role).length > 0;
}

function SentFields({ value, change }: FieldsProps<RoleCondition>) {
  const home = useHome();
  const members = membersOf(home, value.role ?? "button", value);
  const sent = new Map(
    members.flatMap(({ nodedef }) => nodedef?.sends.map((each) => [each.id, labelOf(each)] as const) ?? []),
  );
  const { cmd = "DON", op = "IS" } = value;
  if (!sent.has(cmd)) sent.set(cmd, cmd);
  return (
    <>
      <Select
        label={t("blocks.command")}
        value={cmd}
        options={[...sent]}
        change={(next) => change({ ...value, cmd: next })}
      />
      <Select
        label={t("blocks.comparison")}
        value={op === "ISNOT" ? "ISNOT" : "IS"}
        options={[
          ["IS", t("blocks.isSent")],
          ["ISNOT", t("blocks.isNotSent")],
        ]}
        change={(next) => change({ ...value, op: next })}
      />
    </>
  );
}

export function RoleActionFields({ value, change }: FieldsProps<RoleAction>) {
  const roles = ROLE_WORD_NAMES.filter((each) => commandsOf(each).length > 0);
  const begin = (role: RoleWord, command: RoleAction["do"]) => {
    const { val: _val, ...others } = value;
    const isSetPoint = command === "heat" || command === "cool";
    change({ ...others, role, do: command, ...(isSetPoint && { val: decimal(20, DEGREES.celsius) }) });
  };
  return (
    <>
      <Select
        label={t("blocks.role")}
        value={value.role}
        options={roles.map((each) => [each, roleText(each)] as const)}
        change={(role) => begin(role, commandsOf(role)[0] ?? "off")}
      />
      <PlaceFields word={value.role} value={value} change={change} />
      <Select
        label={t("blocks.command")}
        value={value.do}
        options={commandsOf(value.role).map((each) => [each, t(`blocks.do.${each}`)] as const)}
        change={(command) => begin(value.role, command)}
      />
      {value.do === "on" && (
        <Check
          label={t("blocks.atLevel")}
          isOn={value.val !== undefined}
          change={(isOn) => {
            const { val: _val, ...others } = value;
            change(isOn ? { ...others, val: decimal(50, LEVEL.unit) } : others);
          }}
        />
      )}
      {value.val && (
        <NumberField
          key={value.do}
          label={t(value.do === "on" ? "blocks.percent" : "blocks.degrees")}
          value={value.val.value / 10 ** (value.val.prec ?? 0)}
          {...(value.do === "on" ? { min: LEVEL.min, max: LEVEL.max } : { step: "any" as const })}
          change={(next) => change({ ...value, val: decimal(next, value.val?.uom ?? LEVEL.unit) })}
        />
      )}
      <Members word={value.role} value={value} isIn={() => false} />
    </>
  );
}

/** Rooms with all below them; none chosen is the whole home. */
function PlaceFields<T extends Places>({
  word,
  value,
  change,
}: FieldsProps<T> & { readonly word: RoleWord | Measure }) {
  const home = useHome();
  const folders = [...home.folders].sort((a, b) => a.path.localeCompare(b.path));
  const all = membersOf(home, word, { in: value.in, except: [] });
  const toggled = (list: readonly string[], address: string, isOn: boolean) =>
    isOn ? [...list, address] : list.filter((each) => each !== address);
  return (
    <>
      {folders.length > 0 && (
        <fieldset class="choices">
          <legend>{t("blocks.rooms")}</legend>
          {folders.map(({ address, path }) => (
            <Check
              key={address}
              label={path.replaceAll("/", " / ")}
              isOn={value.in.includes(address)}
              change={(isOn) => change({ ...value, in: toggled(value.in, address, isOn) })}
            />
          ))}
        </fieldset>
      )}
      {all.length > 0 && (
        <details open={value.except.length > 0}>
          <summary>{t("blocks.except")}</summary>
          <fieldset class="choices">
            {all.map(({ address, path }) => (
              <Check
                key={address}
                label={path.replaceAll("/", " / ")}
                isOn={value.except.includes(address)}
                change={(isOn) => change({ ...value, except: toggled(value.except, address, isOn) })}
              />
            ))}
          </fieldset>
        </details>
      )}
    </>
  );
}

/** A check, and the time behind it. */
export function ForFields({ value, change }: FieldsProps<Span | undefined>) {
  return (
    <>
      <Check
        label={t("blocks.for")}
        isOn={value !== undefined}
        change={(isOn) => change(isOn ? TEN_MINUTES : undefined)}
      />
      {value && <SpanFields value={value} change={change} />}
    </>
  );
}

/** "Now: Bed Left, Bed Right (1 open)". */
function Members({
  word,
  value,
  isIn,
}: {
  readonly word: RoleWord | Measure;
  readonly value: Places & { readonly is?: RoleCondition["is"] };
  readonly isIn: (node: ReturnType<typeof membersOf>[number]) => boolean;
}) {
  const members = membersOf(useHome(), word, value);
  if (members.length === 0) return null;
  const names = members.map(({ name }) => name).join(", ");
  const count = members.filter(isIn).length;
  const state = value.is === undefined ? "" : ` (${count} ${t(`blocks.state.${value.is}`)})`;
  return (
    <p class="hint" role="status">
      {t("blocks.means", { names })}
      {state}
    </p>
  );
}

function roleText(word: RoleWord | Measure): string {
  return t(`blocks.role.${word}` as TextKey);
}

function decimal(value: number, uom: number) {
  const text = String(value);
  const prec = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  return { value: Math.round(value * 10 ** prec), prec, uom };
}
