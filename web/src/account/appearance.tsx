/** How the page looks in this browser. */

import { useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import {
  chooseLetterSize,
  chooseTheme,
  chooseWall,
  isWall,
  LETTER_SIZES,
  letterSize,
  type Theme,
  theme,
} from "../store/thin-layer.ts";
import { chooseLanguage, language, languages, type TextKey, t } from "../text/text.ts";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

export function Appearance() {
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
      <Choice
        title={t("system.theme")}
        names={THEMES}
        text={(name) => t(`theme.${name}`)}
        now={theme}
        choose={chooseTheme}
      />
      <Choice
        title={t("letters.title")}
        names={LETTER_SIZES}
        text={(size) => t(`letters.${size}`)}
        now={letterSize}
        choose={chooseLetterSize}
      />
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

type ChoiceProps<Name extends string> = {
  readonly title: string;
  readonly names: readonly Name[];
  readonly text: (name: Name) => string;
  readonly now: () => Name;
  readonly choose: (name: Name) => void;
};

function Choice<Name extends string>({ title, names, text, now, choose }: ChoiceProps<Name>) {
  const [chosen, setChosen] = useState(now());
  return (
    <Card title={title}>
      <div class="buttons">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chosen}
            onClick={() => {
              choose(name);
              setChosen(name);
            }}
          >
            {text(name)}
          </button>
        ))}
      </div>
    </Card>
  );
}
