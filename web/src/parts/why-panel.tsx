/** Why something is as it is: the controller's own sentences, newest first. */

import { useState } from "preact/hooks";
import { useLoaded } from "../store/use-loaded.ts";
import { t } from "../text/text.ts";

type Why = { readonly sentences: readonly string[] };

export function WhyPanel({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, problem } = useLoaded<Why>(isOpen ? path : null);
  return (
    <section class="card why">
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("why")}
      </button>
      {isOpen && problem && <p role="alert">{problem}</p>}
      {isOpen && data && (
        <ol>
          {data.sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
      )}
    </section>
  );
}
