/** Times of the week in words, and fields for them: one fieldset for each, and a button for another one. */

import { Plus, Trash2 } from "lucide-preact";
import { locale, t } from "../text/text.ts";
import { clock, DAYS, type Day, minutesOf, type Window, WORKDAYS } from "./windows.ts";

/** `Mon–Fri 06:30–22:00` */
export function windowText({ days, from, to }: Window): string {
  const [first, last] = [days[0], days.at(-1)];
  const isRun = first && last && DAYS.indexOf(last) - DAYS.indexOf(first) === days.length - 1 && days.length > 2;
  const names = isRun ? `${dayName(first)}–${dayName(last)}` : days.map(dayName).join(", ");
  return `${days.length === DAYS.length ? t("week.daily") : names} ${clock(from)}–${clock(to)}`;
}

/** The fifth of January 1970 was a Monday. */
function dayName(day: Day): string {
  return new Date(Date.UTC(1970, 0, 5 + DAYS.indexOf(day))).toLocaleDateString(locale(), {
    weekday: "short",
    timeZone: "UTC",
  });
}

type WindowsProps = { readonly windows: readonly Window[]; readonly change: (windows: readonly Window[]) => void };

export function WindowFields({ windows, change }: WindowsProps) {
  const set = (at: number, members: Partial<Window>) =>
    change(windows.map((window, each) => (each === at ? { ...window, ...members } : window)));
  return (
    <>
      {windows.map((window, at) => (
        <fieldset key={at} class="week">
          <legend>{t("week.window", { number: at + 1 })}</legend>
          <div class="buttons">
            {DAYS.map((day) => (
              <button
                key={day}
                type="button"
                class="day"
                aria-pressed={window.days.includes(day)}
                onClick={() => set(at, { days: DAYS.filter((each) => (each === day) !== window.days.includes(each)) })}
              >
                {dayName(day)}
              </button>
            ))}
          </div>
          <div class="buttons">
            <TimeField label={t("week.from")} value={window.from} change={(from) => set(at, { from })} />
            <TimeField label={t("week.to")} value={window.to} change={(to) => set(at, { to })} />
            {windows.length > 1 && (
              <button
                type="button"
                class="icon"
                aria-label={t("week.remove", { number: at + 1 })}
                onClick={() => change(windows.filter((_window, each) => each !== at))}
              >
                <Trash2 size={20} aria-hidden />
              </button>
            )}
          </div>
        </fieldset>
      ))}
      <button
        type="button"
        class="add"
        onClick={() => change([...windows, { days: WORKDAYS, from: 6 * 60, to: 8 * 60 }])}
      >
        <Plus size={18} aria-hidden /> {t("week.addWindow")}
      </button>
    </>
  );
}

type TimeFieldProps = { readonly label: string; readonly value: number; readonly change: (minutes: number) => void };

function TimeField({ label, value, change }: TimeFieldProps) {
  return (
    <label>
      {label}
      <input
        type="time"
        required
        value={clock(value)}
        onChange={({ currentTarget }) => currentTarget.value !== "" && change(minutesOf(currentTarget.value))}
      />
    </label>
  );
}
