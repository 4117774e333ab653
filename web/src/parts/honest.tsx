/** Controls that show what the device reported, and beside it how far the last command came. */

import type { Node } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { useHome, useStore } from "../store/context.ts";
import { type Control, controlOf, isOn } from "../store/controls.ts";
import { t } from "../text/text.ts";

const SOON_MS = 1_000;
const TICK_MS = 200;

export function NodeControl({ node }: { node: Node }) {
  const store = useStore();
  const home = useHome();
  const control = controlOf(home, node);
  const property = store.property(node.address, "ST").value;
  const send = (command: string, ...values: number[]) =>
    void store.commands.run(node.address, () => node.send(command, ...values));
  if (control.kind === "value" || !node.enabled) return null;
  return <ControlOf control={control} node={node} raw={property?.value} send={send} />;
}

type ControlProps = {
  readonly control: Control;
  readonly node: Node;
  readonly raw: string | undefined;
  readonly send: (command: string, ...values: number[]) => void;
};

function ControlOf({ control, node, raw, send }: ControlProps) {
  switch (control.kind) {
    case "switch":
      return <Switch node={node} isChecked={isOn(raw)} act={() => send(isOn(raw) ? control.off : control.on)} />;
    case "level":
      return (
        <>
          <Level node={node} min={control.min} max={control.max} act={(value) => send(value === 0 ? control.off : control.on, ...(value === 0 ? [] : [value]))} />
          <Switch node={node} isChecked={isOn(raw)} act={() => send(isOn(raw) ? control.off : control.on)} />
        </>
      );
    case "cover":
      return (
        <span class="buttons" role="group" aria-label={node.name}>
          <button type="button" onClick={() => send("FDUP")}>{t("cover.open")}</button>
          <button type="button" onClick={() => send("FDSTOP")}>{t("cover.stop")}</button>
          <button type="button" onClick={() => send("FDDOWN")}>{t("cover.close")}</button>
        </span>
      );
    case "lock":
      return (
        <button type="button" onClick={() => send("SECMD", isOn(raw) ? 0 : 1)}>
          {t(isOn(raw) ? "lock.unlock" : "lock.lock")}
        </button>
      );
    case "value":
      return null;
  }
}

function Switch({ node, isChecked, act }: { node: Node; isChecked: boolean; act: () => void }) {
  const state = useStore().commands.of(node.address).value;
  const isBusy = state !== null && state.phase !== "failed";
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isChecked}
      aria-busy={isBusy}
      aria-label={node.name}
      onClick={act}
    >
      <span />
    </button>
  );
}

/** The thumb follows the finger while it is held, then goes back to what the device reports. */
function Level({ node, min, max, act }: { node: Node; min: number; max: number; act: (value: number) => void }) {
  const store = useStore();
  void store.property(node.address, "ST").value;
  const [held, setHeld] = useState<number | null>(null);
  return (
    <input
      type="range"
      min={min}
      max={max}
      value={held ?? node.value("ST") ?? min}
      aria-label={t("level.of", { name: node.name })}
      aria-valuetext={node.label("ST") ?? t("value.unknown")}
      onInput={(event) => setHeld(Number(event.currentTarget.value))}
      onChange={(event) => {
        setHeld(null);
        act(Number(event.currentTarget.value));
      }}
    />
  );
}

/** The line under a name: nothing when all is well. */
export function CommandLine({ address }: { address: string }) {
  const state = useStore().commands.of(address).value;
  const [nowMs, setNow] = useState(Date.now());
  const isWaiting = state !== null && state.phase !== "failed";
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (state === null) return null;
  if (state.phase === "failed") {
    return (
      <span class="command failed" role="status">
        {state.reason}{" "}
        <button type="button" class="link" onClick={state.retry}>
          {t("command.retry")}
        </button>
      </span>
    );
  }
  const waitedMs = nowMs - state.sinceMs;
  const text = t(state.phase === "sending" ? "command.sending" : "command.accepted");
  return (
    <span class="command" role="status">
      {waitedMs < SOON_MS ? text : t("command.waiting", { phase: text, seconds: (waitedMs / 1000).toFixed(1) })}
    </span>
  );
}
