/** Why something is as it is: the controller's sentences, with links to the runs of programs behind it. */

import type { Message } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useHome } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { messageText } from "../text/messages.ts";
import { t } from "../text/text.ts";
import { fromLocalInput } from "../text/home-zone.ts";

type Why = {
  readonly sentences: readonly string[];
  readonly messages: readonly Message[];
  readonly steps: readonly { readonly program: string | null; readonly runId: string | null }[];
};

/** @param path null: nothing is read. @param again moves when the answer may be another one */
export function WhyPanel({ path, again }: { path: string | null; again?: unknown }) {
  const home = useHome();
  const [isOpen, setOpen] = useState(matchMedia("(min-width: 64rem)").matches);
  const [at, setAt] = useState("");
  const asked = at === "" ? path : `${path}?at=${new Date(fromLocalInput(at)).toISOString()}`;
  const { data, problem } = useLoaded<Why>(isOpen && path !== null ? asked : null, again);
  const programs = [...new Set(data?.steps.flatMap(({ program }) => program ?? []))].flatMap(
    (id) => home.programs.find(id) ?? [],
  );
  return (
    <section class="card why">
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("why")}
      </button>
      {isOpen && (
        <label>
          {t("why.at")}
          <input
            type="datetime-local"
            value={at}
            onChange={({ currentTarget: { value } }) => setAt(Number.isFinite(fromLocalInput(value)) ? value : "")}
          />
        </label>
      )}
      {isOpen && problem && <p role="alert">{problem}</p>}
      {isOpen && data && (
        <>
          <ol>
            {data.sentences.map((sentence, at) => (
              <li key={sentence}>{messageText(data.messages[at], sentence)}</li>
            ))}
          </ol>
          {programs.map(({ id, name }) => (
            <Link key={id} href={`/program/${id}`}>
              {name}
            </Link>
          ))}
        </>
      )}
    </section>
  );
}
