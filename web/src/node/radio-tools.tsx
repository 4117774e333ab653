/** Configuration parameters of a device, and codes of a lock on a radio. */

import type { KnownParameter, Node, Radio } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";

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

/**
 * Configuration parameters of a device: those that are known, by name; others by number.
 * Loads the list when it is opened.
 */
function Parameters({ node }: { node: Node }) {
  const act = useAct();
  const [known, setKnown] = useState<readonly KnownParameter[] | null>(null);
  const load = (event: { currentTarget: HTMLDetailsElement }) => {
    if (!event.currentTarget.open || known !== null) return;
    void act.run(async () => setKnown(await node.parameters()));
  };
  return (
    <details onToggle={load}>
      <summary>{t("radio.parameter")}</summary>
      {known !== null && known.length > 0 && <KnownParameters node={node} known={known} />}
      {known?.length === 0 && !node.radio && <p class="hint">{t("radio.noParameters")}</p>}
      {known !== null && node.radio && <NumberedParameter radio={node.radio} />}
      <p role="alert">{act.problem}</p>
    </details>
  );
}

function KnownParameters({ node, known }: { node: Node; known: readonly KnownParameter[] }) {
  const act = useAct();
  const [parameter, setParameter] = useState<KnownParameter | null>(null);
  const [value, setValue] = useState("");
  const choose = (number: number) =>
    act.run(async () => {
      const chosen = known.find((each) => each.number === number) ?? null;
      setParameter(chosen);
      setValue("");
      if (chosen) setValue(shown(chosen, (await node.readParameter(number)).value));
    });
  const write = (event: Event) => {
    event.preventDefault();
    if (!parameter) return;
    void act.run(() => node.writeParameter(parameter.number, Math.round(Number(value) * 10 ** parameter.prec)));
  };
  return (
    <form class="command-form" onSubmit={write}>
      <label>
        {t("radio.name")}
        <select
          value={parameter?.number ?? ""}
          disabled={act.isBusy}
          onChange={(event) => void choose(Number(event.currentTarget.value))}
        >
          <option value="" />
          <Options
            of={known.map((each) => [each.number, each.name === "" ? each.number : `${each.number} – ${each.name}`])}
          />
        </select>
      </label>
      {parameter && <ValueField parameter={parameter} value={value} setValue={setValue} />}
      <button type="submit" disabled={act.isBusy || parameter === null || value === ""}>
        {t("radio.write")}
      </button>
      <p role="alert">{act.problem}</p>
    </form>
  );
}

type Field = { parameter: KnownParameter; value: string; setValue: (value: string) => void };

function ValueField({ parameter, value, setValue }: Field) {
  const { choices, unit, min, max, prec } = parameter;
  const bound = (raw: number | null) => (raw === null ? undefined : shown(parameter, raw));
  const title = unit === "" ? t("radio.value") : `${t("radio.value")} (${unit})`;
  if (choices.length > 0 && min === null && max === null) {
    return (
      <label>
        {title}
        <select value={value} onChange={(event) => setValue(event.currentTarget.value)}>
          {value === "" && <option value="" />}
          <Options of={choices.map((choice) => [choice.value, choice.name])} />
        </select>
      </label>
    );
  }
  return (
    <label>
      {title}
      <input
        type="number"
        required
        min={bound(min)}
        max={bound(max)}
        step={10 ** -prec}
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      {choices.length > 0 && <small>{choices.map((each) => `${each.value} ${each.name}`).join(", ")}</small>}
    </label>
  );
}

function shown({ prec }: KnownParameter, raw: number): string {
  return (raw / 10 ** prec).toFixed(prec);
}

const SIZES = [1, 2, 4] as const;

function NumberedParameter({ radio }: { radio: Radio }) {
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
          <Options of={SIZES.map((bytes) => [bytes, bytes])} />
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
