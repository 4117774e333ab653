/** Another node in the place of one, in all programs at once; one edit, so that it can be undone. */

import type { Home } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Ask } from "../parts/dialog.tsx";
import { Options } from "../parts/options.tsx";
import { useHome } from "../store/context.ts";
import { t, tn } from "../text/text.ts";
import { touchedBy } from "./touched.ts";

export function ReplaceDevice() {
  const home = useHome();
  const touched = touchedBy(home);
  const [from, setFrom] = useState("");
  const named = [...touched.keys()]
    .filter((key) => !key.startsWith("variable ") && !home.groups.find(key))
    .map((key) => [key, nameOf(home, key)] as const);
  const role = home.nodes.find(from)?.role;
  const others = [...home.nodes].filter(({ address, enabled }) => address !== from && enabled);
  const alike = others.filter((node) => role !== undefined && node.role === role);
  return (
    <Ask
      title={t("programs.replace")}
      submit={t("programs.replaceDo")}
      done={t("programs.replaced")}
      onSubmit={(form) =>
        home.edits.replace(from, String(form.get("by")), { programsOnly: true, force: form.has("force") })
      }
    >
      <p class="hint">{t("programs.replaceAbout")}</p>
      <label>
        {t("programs.replaceFrom")}
        <select required value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
          <option value="" />
          <Options
            of={named.sort(([, one], [, other]) => one.localeCompare(other)).map(([key, name]) => [key, name])}
          />
        </select>
        {from !== "" && <small class="hint">{tn("programs.usedIn", touched.get(from)?.size ?? 0)}</small>}
      </label>
      <label>
        {t("programs.replaceBy")}
        <select name="by" required>
          <option value="" />
          {alike.length > 0 && (
            <optgroup label={t("programs.alike")}>
              <Options of={alike.map(({ address, path }) => [address, path])} />
            </optgroup>
          )}
          <optgroup label={t("programs.others")}>
            <Options of={others.filter((node) => !alike.includes(node)).map(({ address, path }) => [address, path])} />
          </optgroup>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name="force" />
        {t("programs.replaceForce")}
      </label>
    </Ask>
  );
}

function nameOf(home: Home, address: string): string {
  return home.nodes.find(address)?.path ?? address;
}
