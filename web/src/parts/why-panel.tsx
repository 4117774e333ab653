/** Why something is as it is: the controller's sentences, with links to the runs of programs behind it. */

import type { Message } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { isLimited } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { fromLocalInput } from "../text/home-zone.ts";
import { messageText } from "../text/messages.ts";
import { t } from "../text/text.ts";

type Why = {
  readonly sentences: readonly string[];
  readonly messages: readonly Message[];
  readonly steps: readonly { readonly program: string | null; readonly runId: string | null }[];
};

type WhyProps = {
  /** Null: nothing is read. */
  readonly path: string | null;
  /** Moves when the answer may be another one. */
  readonly again?: unknown;
  /** Index of the sentence that is shown while the others are folded. Default: the first. */
  readonly shown?: number;
  /** Shown there alone: a phone has it below what is now, a desk beside it. Left out: on both. */
  readonly on?: "phone" | "desk";
};

const DESK = "(min-width: 64rem)";

export function WhyPanel(props: WhyProps) {
  const [isDesk] = useState(() => matchMedia(DESK).matches);
  const isHere = props.on === undefined || isDesk === (props.on === "desk");
  return isHere && !isLimited() ? <Panel {...props} /> : null;
}

/** What it is stands above; the reason is the second sentence. */
export function NodeWhy({ address, on }: { readonly address: string } & Pick<WhyProps, "on">) {
  const status = useStore().property(address, "ST").value;
  const path = `/api/why/node/${encodeURIComponent(address)}`;
  return <WhyPanel path={path} again={status?.value} shown={1} {...(on && { on })} />;
}

function Panel({ path, again, shown = 0, on }: WhyProps) {
  const home = useHome();
  const [isOpen, setOpen] = useState(on === "desk");
  const [at, setAt] = useState("");
  const asked = path === null || at === "" ? path : `${path}?at=${new Date(fromLocalInput(at)).toISOString()}`;
  const { data, problem } = useLoaded<Why>(asked, again);
  const programs = [...new Set(data?.steps.flatMap(({ program }) => program ?? []))].flatMap(
    (id) => home.programs.find(id) ?? [],
  );
  const said = data?.sentences.map((sentence, at) => messageText(data.messages[at], sentence)) ?? [];
  return (
    <section class="card why">
      {!isOpen && said.length > 0 && <p>{said[shown] ?? said[0]}</p>}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("why")}
      </button>
      {isOpen && problem && <p role="alert">{problem}</p>}
      {isOpen && data && (
        <>
          <ol>
            {said.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
          {programs.map(({ id, name }) => (
            <Link key={id} href={`/program/${id}`}>
              {name}
            </Link>
          ))}
        </>
      )}
      {isOpen && (
        <details open={at !== ""}>
          <summary>{t("why.other")}</summary>
          <label>
            {t("why.at")}
            <input
              type="datetime-local"
              value={at}
              onChange={({ currentTarget: { value } }) => setAt(Number.isFinite(fromLocalInput(value)) ? value : "")}
            />
          </label>
        </details>
      )}
    </section>
  );
}
