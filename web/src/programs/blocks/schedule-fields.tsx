/** The fields of a condition about the time. */

import { language, t } from "../../text/text.ts";
import type { Days, KnownCondition, Span, Time, Weekday } from "./tree.ts";
import { Check, NumberField, Select, SpanFields } from "./value-fields.tsx";

type Schedule = Extract<KnownCondition, { type: "schedule" }>;
type When = { readonly [K in "at" | "from" | "to" | "for"]?: Schedule[K] | undefined };

const SHAPES = ["at", "to", "for"] as const;
type Shape = (typeof SHAPES)[number];

const SUNSET: Time = { type: "sunset", offsetSec: 0 };
const SUNRISE: Time = { type: "sunrise", offsetSec: 0, offsetDays: 1 };

export function ScheduleFields({ value, change }: { value: Schedule; change: (value: Schedule) => void }) {
  const { type, daysofweek, at, from, to, for: lasting } = value;
  const shape: Shape = at ? "at" : to ? "to" : "for";
  const set = (when: When) =>
    change({ ...value, at: undefined, from: undefined, to: undefined, for: undefined, ...when } as Schedule);
  const first = at ?? from ?? SUNSET;
  const choose = (next: Shape) => {
    if (next === "at") set({ at: first });
    else if (next === "to") set({ from: first, to: to ?? SUNRISE });
    else set({ from: first, for: lasting ?? { type: "for", hours: 1 } });
  };
  return (
    <>
      <Select
        label={t("blocks.when")}
        value={shape}
        options={SHAPES.map((each) => [each, t(`blocks.when.${each}`)] as const)}
        change={choose}
      />
      <TimeFields
        label={t(at ? "blocks.at" : "blocks.from")}
        value={first}
        change={(time) => (at ? set({ at: time }) : set({ from: time, to, for: lasting }))}
      />
      {to && (
        <>
          <TimeFields label={t("blocks.to")} value={to} change={(time) => set({ from: first, to: time })} />
          <Check
            label={t("blocks.nextDay")}
            isOn={(to.offsetDays ?? 0) > 0}
            change={(isOn) => set({ from: first, to: withDays(to, isOn ? 1 : 0) })}
          />
        </>
      )}
      {lasting && (
        <SpanFields<Span & { readonly type: "for" }>
          value={lasting}
          change={(span) => set({ from: first, for: span })}
        />
      )}
      <DayFields value={daysofweek} change={(days) => change({ ...value, type, daysofweek: days } as Schedule)} />
    </>
  );
}

function withDays(time: Time, offsetDays: number): Time {
  const { offsetDays: _old, ...others } = time;
  return (offsetDays === 0 ? others : { ...others, offsetDays }) as Time;
}

const KINDS = ["time", "sunrise", "sunset"] as const;
const MINUTE_S = 60;
const OFFSET_MINUTES_MAX = 1440;

/** Days and the date stay as they are. */
function TimeFields({ label, value, change }: { label: string; value: Time; change: (time: Time) => void }) {
  const { date, offsetDays } = value;
  const others = { ...(date !== undefined && { date }), ...(offsetDays !== undefined && { offsetDays }) };
  const begin = (kind: (typeof KINDS)[number]) =>
    change(kind === "time" ? { ...others, type: "time", time: 43_200 } : { ...others, type: kind, offsetSec: 0 });
  if (value.type === "lastruntime") return null;
  return (
    <fieldset class="fields">
      <legend>{label}</legend>
      <Select
        label={t("blocks.timeKind")}
        value={value.type}
        options={KINDS.map((kind) => [kind, t(`blocks.timeKind.${kind}`)] as const)}
        change={begin}
      />
      {value.type === "time" ? (
        <label>
          {t("blocks.clock")}
          <input
            type="time"
            required
            step={value.time % MINUTE_S === 0 ? MINUTE_S : 1}
            value={clockText(value.time)}
            onInput={({ currentTarget }) =>
              currentTarget.value && change({ ...others, type: "time", time: secondOfDay(currentTarget.value) })
            }
          />
        </label>
      ) : (
        <NumberField
          key={value.type}
          label={t("blocks.offset")}
          value={(value.offsetSec ?? 0) / MINUTE_S}
          min={-OFFSET_MINUTES_MAX}
          max={OFFSET_MINUTES_MAX}
          step="any"
          change={(minutes) => change({ ...others, type: value.type, offsetSec: Math.round(minutes * MINUTE_S) })}
        />
      )}
      {date !== undefined && <p class="hint">{t("blocks.onlyOn", { date })}</p>}
    </fieldset>
  );
}

function clockText(second: number): string {
  const parts = [Math.floor(second / 3600), Math.floor(second / MINUTE_S) % 60, second % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return (second % MINUTE_S === 0 ? parts.slice(0, 2) : parts).join(":");
}

function secondOfDay(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 3600 + minutes * MINUTE_S + seconds;
}

const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

function DayFields({ value, change }: { value: Days | undefined; change: (days: Days | undefined) => void }) {
  const toggle = (day: Weekday, isOn: boolean) => {
    const days = WEEKDAYS.filter((each) => (each === day ? isOn : value?.[each]));
    change(days.length === 0 ? undefined : Object.fromEntries(days.map((each) => [each, true] as const)));
  };
  return (
    <fieldset>
      <legend>{t("blocks.days")}</legend>
      <div class="buttons">
        {WEEKDAYS.map((day, at) => (
          <Check key={day} label={dayText(at)} isOn={value?.[day] === true} change={(isOn) => toggle(day, isOn)} />
        ))}
      </div>
      <p class="hint">{t("blocks.everyDay")}</p>
    </fieldset>
  );
}

/** @param at 0 is Monday; the first of January 2024 was one */
function dayText(at: number): string {
  return new Date(2024, 0, at + 1).toLocaleDateString(language(), { weekday: "short" });
}
