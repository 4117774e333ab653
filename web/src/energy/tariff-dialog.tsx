/** What a kilowatt-hour costs: always the same, by time of day, or as a device says it. */

import { Plus, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { Ask } from "../parts/dialog.tsx";
import { Options } from "../parts/options.tsx";
import { clock, minutesOf } from "../parts/windows.ts";
import { useHome } from "../store/context.ts";
import { t } from "../text/text.ts";
import type { Tariff } from "./tariff.ts";

/** Roles of devices that may tell a price. */
const TELLING: ReadonlySet<string> = new Set(["sensor", "other", "meter"]);
const NEW = { from: 0, price: 0 } as const;

export function TariffDialog({ tariff }: { tariff: Tariff | null }) {
  const home = useHome();
  const [count, setCount] = useState(tariff?.prices.length ?? 1);
  const devices = [...home.nodes].filter(
    ({ address, role }) =>
      address === tariff?.node || (TELLING.has(role ?? "") && home.nodes.find(address)?.value("ST") !== null),
  );
  const save = async (form: FormData) => {
    const [froms, prices] = [form.getAll("from").map(String), form.getAll("price").map(Number)];
    const rows = prices.map((price, at) => ({ from: at === 0 ? 0 : minutesOf(froms[at - 1] ?? ""), price }));
    return home.edits.setPlace({
      tariff: {
        currency: String(form.get("currency")).trim().toUpperCase(),
        prices: rows.sort((one, other) => one.from - other.from),
        node: String(form.get("node")) || null,
      },
    });
  };
  return (
    <Ask title={t("energy.price")} submit={t("save")} done={t("done.saved")} onSubmit={save}>
      <label>
        {t("energy.currency")}
        <input name="currency" required pattern="[A-Za-z]{3}" maxLength={3} defaultValue={tariff?.currency ?? "EUR"} />
      </label>
      {Array.from({ length: count }, (_, at) => {
        const row = tariff?.prices[at] ?? NEW;
        return (
          <div key={at} class="buttons">
            {at > 0 && (
              <label>
                {t("energy.from")}
                <input name="from" type="time" required defaultValue={clock(row.from)} />
              </label>
            )}
            <label>
              {t("energy.perUnit")}
              <input
                name="price"
                type="number"
                step="any"
                required
                defaultValue={row === NEW ? "" : String(row.price)}
              />
            </label>
            {at > 0 && at === count - 1 && (
              <button type="button" class="icon" aria-label={t("remove")} onClick={() => setCount(count - 1)}>
                <Trash2 size={20} aria-hidden />
              </button>
            )}
          </div>
        );
      })}
      <button type="button" class="add" onClick={() => setCount(count + 1)}>
        <Plus size={18} aria-hidden /> {t("energy.addPrice")}
      </button>
      {devices.length > 0 && (
        <label>
          {t("energy.device")}
          <select name="node">
            <option value="">{t("energy.noDevice")}</option>
            <Options of={devices.map(({ address, name }) => [address, name])} chosen={tariff?.node} />
          </select>
          <small class="hint">{t("energy.deviceAbout")}</small>
        </label>
      )}
    </Ask>
  );
}
