/** Findings of a program's verification: code, sentence, and the chain of steps that leads to each. */

import type { Finding } from "@domovoi/client";
import { messageText } from "../text/messages.ts";
import { t } from "../text/text.ts";
import { programLines } from "./program-lines.ts";

export function Findings({ findings, text }: { findings: readonly Finding[]; text: string }) {
  if (findings.length === 0) return null;
  const lines = programLines(text);
  return (
    <ul class="findings" aria-label={t("findings")}>
      {findings.map(({ code, path, severity, sentence, message, chain }) => {
        const line = lines.find((some) => some.path === path);
        return (
          <li key={`${code} ${path} ${sentence}`} class={severity}>
            <p>
              <span class={severity === "error" ? "tag bad" : "tag lit"}>
                {t(`severity.${severity as "error" | "warning" | "hint"}`)}
              </span>{" "}
              {line && <strong>{t("findings.line", { line: line.number })}</strong>} {messageText(message, sentence)}
            </p>
            {chain.length > 0 && (
              <details>
                <summary>{t("findings.how")}</summary>
                <ol>
                  {chain.map((step) => (
                    <li key={step.text}>{messageText(step.message, step.text)}</li>
                  ))}
                </ol>
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}
