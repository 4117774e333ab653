/** Name, place, time zone and units of the home. */

import type { Place } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";

export function LocationSection() {
  const home = useHome();
  const act = useAct();
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => void act.run(async () => setPlace(await home.edits.place())), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name)).trim();
    void act.edit(t("done.saved"), async () => {
      const elevation = text("elevation");
      setPlace(
        await home.edits.setPlace({
          name: text("name"),
          timeZone: text("timeZone"),
          latitude: Number(text("latitude")),
          longitude: Number(text("longitude")),
          units: text("units") as Place["units"],
          ...(elevation !== "" && { elevation: Number(elevation) }),
        }),
      );
    });
  };
  return (
    <Card title={t("system.location")}>
      <p class="hint">{t("location.about")}</p>
      {place && (
        <form class="fields" onSubmit={submit}>
          <label>
            {t("location.name")}
            <input name="name" required maxLength={200} defaultValue={place.name} />
          </label>
          <label>
            {t("location.zone")}
            <input name="timeZone" required list="zones" defaultValue={place.timeZone} />
            <datalist id="zones">
              {Intl.supportedValuesOf("timeZone").map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </label>
          <label>
            {t("location.latitude")}
            <input
              name="latitude"
              type="number"
              min="-90"
              max="90"
              step="any"
              required
              defaultValue={String(place.latitude)}
            />
          </label>
          <label>
            {t("location.longitude")}
            <input
              name="longitude"
              type="number"
              min="-180"
              max="180"
              step="any"
              required
              defaultValue={String(place.longitude)}
            />
          </label>
          <label>
            {t("location.elevation")}
            <input
              name="elevation"
              type="number"
              min="-500"
              max="9000"
              step="any"
              defaultValue={String(place.elevation ?? "")}
            />
          </label>
          <label>
            {t("location.units")}
            <select name="units">
              <Options
                of={(["metric", "us"] as const).map((units) => [units, t(`location.${units}`)])}
                chosen={place.units}
              />
            </select>
          </label>
          <div class="buttons end">
            <button type="submit" class="primary" disabled={act.isBusy}>
              {t("save")}
            </button>
          </div>
        </form>
      )}
      <p role="alert">{act.problem}</p>
    </Card>
  );
}
