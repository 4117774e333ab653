/** Configuration parameters and lock codes of a radio device. */

import type { Radio } from "@domovoi/client";
import { useState } from "preact/hooks";
import { useAct } from "../store/use-act.ts";
import { Card } from "../parts/layout.tsx";
import { t } from "../text/text.ts";

const SIZES = [1, 2, 4] as const;

export function RadioTools({ radio }: { radio: Radio }) {
  return (
    <Card title={t("radio.title")}>
      <details>
        <summary>{t("radio.parameter")}</summary>
        <Parameter radio={radio} />
      </details>
      <details>
        <summary>{t("radio.codes")}</summary>
        <Codes radio={radio} />
      </details>
    </Card>
  );
}

function Parameter({ radio }: { radio: Radio }) {
  const act = useAct();
  const [parameter, setParameter] = useState("");
  const [value, setValue] = useState("");
  const [size, setSize] = useState(1);
  const read = () =>
    act.run(async () => {
      const found = await radio.readParameter(Number(parameter));
      setValue(String(found.value));
      setSize(found.size);
    });
  const write = (event: Event) => {
    event.preventDefault();
    void act.run(() => radio.writeParameter(Number(parameter), Number(value), size));
  };
  return (
    <form class="command-form" onSubmit={write}>
      <label>
        {t("radio.number")}
        <input
          type="number"
          min="1"
          max="255"
          required
          value={parameter}
          onInput={(event) => setParameter(event.currentTarget.value)}
        />
      </label>
      <label>
        {t("radio.value")}
        <input type="number" required value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      </label>
      <label>
        {t("radio.size")}
        <select value={size} onChange={(event) => setSize(Number(event.currentTarget.value))}>
          {SIZES.map((bytes) => (
            <option key={bytes} value={bytes}>
              {bytes}
            </option>
          ))}
        </select>
      </label>
      <button type="button" disabled={act.isBusy || parameter === ""} onClick={() => void read()}>
        {t("radio.read")}
      </button>
      <button type="submit" disabled={act.isBusy}>
        {t("radio.write")}
      </button>
      <p role="alert">{act.problem}</p>
    </form>
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
