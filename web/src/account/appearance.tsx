/** How the page looks in this browser. */

import { useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { chooseTheme, chooseWall, isWall, type Theme, theme } from "../store/thin-layer.ts";
import { chooseLanguage, language, languages, type TextKey, t } from "../text/text.ts";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

export function Appearance() {
  const [chosen, setChosen] = useState(theme());
  const choose = (name: Theme) => {
    chooseTheme(name);
    setChosen(name);
  };
  return (
    <>
      <Card title={t("system.language")}>
        <div class="buttons">
          {languages().map((name) => (
            <button
              key={name}
              type="button"
              lang={name}
              aria-pressed={name === language()}
              onClick={() => chooseLanguage(name)}
            >
              {t(`language.${name}` as TextKey)}
            </button>
          ))}
        </div>
      </Card>
      <Card title={t("system.theme")}>
        <div class="buttons">
          {THEMES.map((name) => (
            <button key={name} type="button" aria-pressed={name === chosen} onClick={() => choose(name)}>
              {t(`theme.${name}`)}
            </button>
          ))}
        </div>
      </Card>
      <Card title={t("wall.title")}>
        <p class="hint">{t("wakeLock" in navigator ? "wall.about" : "wall.aboutNoLock")}</p>
        <div class="buttons">
          <button
            type="button"
            role="switch"
            class="switch"
            aria-checked={isWall()}
            aria-label={t("wall.title")}
            onClick={() => chooseWall(!isWall())}
          >
            <span />
          </button>
        </div>
      </Card>
    </>
  );
}
