/** Configuration parameters of a device, and codes of a lock on a radio. */

import type { Node, Radio } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { Parameters } from "./parameters.tsx";

export function RadioTools({ node }: { node: Node }) {
  return (
    <Card title={t("radio.title")}>
      <Parameters node={node} />
      {node.radio && node.role === "lock" && (
        <details>
          <summary>{t("radio.codes")}</summary>
          <Codes radio={node.radio} />
        </details>
      )}
    </Card>
  );
}

function Codes({ radio }: { radio: Radio }) {
  const act = useAct();
  const [slot, setSlot] = useState("1");
  const [code, setCode] = useState("");
  const set = (event: Event) => {
    event.preventDefault();
    void act.run(() => radio.setUserCode(Number(slot), code));
  };
  return (
    <form class="command-form" onSubmit={set}>
      <label>
        {t("radio.slot")}
        <input
          type="number"
          min="1"
          max="250"
          required
          value={slot}
          onInput={(event) => setSlot(event.currentTarget.value)}
        />
      </label>
      <label>
        {t("radio.code")}
        <input
          inputMode="numeric"
          pattern="[0-9]{4,10}"
          required
          autocomplete="off"
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={act.isBusy}>
        {t("radio.setCode")}
      </button>
      <button
        type="button"
        disabled={act.isBusy}
        onClick={() => void act.run(() => radio.deleteUserCode(Number(slot)))}
      >
        {t("radio.deleteCode")}
      </button>
      <p role="alert">{act.problem}</p>
    </form>
  );
}
