/** The page that a message's link opens: what rings, and the buttons that answer. It needs no session: the link has the rights. */

import type { Alert } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { useTitle } from "../parts/use-title.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { answerText } from "./alert-cards.tsx";

type Look = Pick<Alert, "name" | "status" | "text" | "since" | "answer"> & { readonly buttons: readonly string[] };
type Envelope<T> = { readonly data: T | null; readonly error: string };

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const { data, error } = (await answer.json()) as Envelope<T>;
  if (answer.status === 404) throw new Error(t("alert.over"));
  if (data === null) throw new Error(error);
  return data;
}

export function AlertAnswerPage() {
  const token = location.hash.slice(1);
  const [look, setLook] = useState<Look | null>(null);
  const [problem, setProblem] = useState("");
  useTitle(look?.name ?? t("alert.title"));
  const run = (work: () => Promise<void>) => {
    setProblem("");
    work().catch((error: Error) => setProblem(error.message));
  };
  const load = async () => setLook(await post<Look>("/api/alert-look", { token }));
  useEffect(() => run(load), []);
  const press = (button: number) =>
    run(async () => {
      await post("/api/alert-answer", { token, button });
      await load();
    });
  return (
    <main class="sign-in">
      <section class="card">
        <h1>{look?.name ?? t("alert.title")}</h1>
        {look && <p>{look.text}</p>}
        {look?.since && <p>{timeText(Date.parse(look.since))}</p>}
        {look?.answer && <p>{answerText(look.answer)}</p>}
        {look?.status === "ringing" && (
          <div class="buttons">
            {[t("alert.confirm"), ...look.buttons].map((label, button) => (
              <button key={label} type="button" onClick={() => press(button)}>
                {label}
              </button>
            ))}
          </div>
        )}
        <p role="alert">{problem}</p>
        <p>
          <a href="/">{t("alert.page")}</a>
        </p>
      </section>
    </main>
  );
}
