/** Controls that show what the device reported. */

import type { Node } from "@domovoi/client";
import { isWaiting } from "../store/command-states.ts";
import { useHome, useStore } from "../store/context.ts";
import { type Control, controlOf, type Press, pressesOf } from "../store/controls.ts";
import { maySend } from "../store/may-send.ts";
import { t } from "../text/text.ts";
import { isOn } from "./activity.ts";
import { AskButton } from "./ask-button.tsx";
import { stateText } from "./node-state.ts";
import { Slider } from "./slider.tsx";

export function NodeControl({ node }: { node: Node }) {
  const store = useStore();
  const home = useHome();
  const property = store.property(node.address, "ST").value;
  const send = ([command, ...values]: Press) =>
    void store.commands.run(node.address, () => node.send(command, ...values));
  if (!node.enabled || store.simulated.value.has(node.address) || store.past.value) return null;
  const control = controlOf(home, node);
  if (!pressesOf(control).every(([command]) => maySend(node, command))) return null;
  return <ControlOf control={control} node={node} isOnNow={isOn(property)} send={send} />;
}

type ControlProps = {
  readonly control: Control;
  readonly node: Node;
  readonly isOnNow: boolean;
  readonly send: (press: Press) => void;
};

function ControlOf({ control, node, isOnNow, send }: ControlProps) {
  switch (control.kind) {
    case "switch":
      return <Switch node={node} isChecked={isOnNow} act={() => send(isOnNow ? control.off : control.on)} />;
    case "level":
      return (
        <>
          <Level
            node={node}
            min={control.min}
            max={control.max}
            act={(value) => send(value === 0 ? control.off : [...control.on, value])}
          />
          <Switch node={node} isChecked={isOnNow} act={() => send(isOnNow ? control.off : control.on)} />
        </>
      );
    case "siren":
      return (
        <AskButton
          asks={!isOnNow}
          text={t(isOnNow ? "siren.off" : "siren.on")}
          label={`${t(isOnNow ? "siren.off" : "siren.on")}: ${node.name}`}
          act={() => send(isOnNow ? control.off : control.on)}
        />
      );
    case "cover": {
      const { open, stop, close } = control;
      return (
        <fieldset class="buttons cover" aria-label={node.name}>
          <AskButton asks={node.isSecured} text={t("cover.open")} act={() => send(open)} />
          {stop && (
            <button type="button" onClick={() => send(stop)}>
              {t("cover.stop")}
            </button>
          )}
          <button type="button" onClick={() => send(close)}>
            {t("cover.close")}
          </button>
        </fieldset>
      );
    }
    case "lock":
      return (
        <LockButton
          node={node}
          isLocked={isOnNow}
          lock={() => send(control.lock)}
          unlock={() => send(control.unlock)}
        />
      );
    case "value":
      return null;
  }
}

function LockButton({
  node,
  isLocked,
  lock,
  unlock,
}: {
  node: Node;
  isLocked: boolean;
  lock: () => void;
  unlock: () => void;
}) {
  const isBusy = isWaiting(useStore().commands.of(node.address).value);
  const text = t(isLocked ? "lock.unlock" : "lock.lock");
  return (
    <AskButton
      class="lock"
      isBusy={isBusy}
      asks={isLocked}
      text={text}
      label={`${text}: ${node.name}`}
      act={isLocked ? unlock : lock}
    />
  );
}

function Switch({ node, isChecked, act }: { node: Node; isChecked: boolean; act: () => void }) {
  const state = useStore().commands.of(node.address).value;
  const isBusy = isWaiting(state);
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

export function Level({ node, min, max, act }: { node: Node; min: number; max: number; act: (value: number) => void }) {
  const store = useStore();
  void store.property(node.address, "ST").value;
  return (
    <Slider
      min={min}
      max={max}
      value={node.value("ST") ?? min}
      aria-label={t("level.of", { name: node.name })}
      aria-valuetext={stateText(node) || t("value.unknown")}
      act={act}
    />
  );
}
