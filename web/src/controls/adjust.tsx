/** Everything that a person sets at a thermostat, fan, cover or lamp with colors. */

import type { EditorRange, Node } from "@domovoi/client";
import { Level } from "../parts/honest.tsx";
import { useHome, useStore } from "../store/context.ts";
import { levelOf, pressOf } from "../store/controls.ts";
import { maySend } from "../store/may-send.ts";
import { localName } from "../text/names.ts";
import { t } from "../text/text.ts";
import { ColorControls } from "./color-controls.tsx";
import { rangesOf, useSend } from "./ranges.ts";
import { ThermostatControls } from "./thermostat-controls.tsx";

export function Adjust({ node }: { node: Node }) {
  const store = useStore();
  if (!node.enabled || store.past.value || store.simulated.value.has(node.address)) return null;
  if (!maySend(node, node.role === "thermostat" ? "CLISPH" : "DON")) return null;
  switch (node.role) {
    case "thermostat":
      return <ThermostatControls node={node} />;
    case "fan":
      return <FanSteps node={node} />;
    case "cover":
      return <CoverPosition node={node} />;
    case "color-lamp":
    case "white-lamp":
      return <ColorControls node={node} />;
    default:
      return null;
  }
}

function FanSteps({ node }: { node: Node }) {
  const home = useHome();
  const store = useStore();
  const send = useSend(node);
  void store.property(node.address, "ST").value;
  const on = node.nodedef?.accepts.find(({ id }) => id === "DON");
  const steps = stepsOf(rangesOf(home, node, on?.parameters[0]?.editor));
  if (steps.length === 0)
    return on && levelOf(home, node.nodedef as NonNullable<Node["nodedef"]>, on) ? <CoverPosition node={node} /> : null;
  const now = node.value("ST");
  return (
    <fieldset class="buttons" aria-label={node.name}>
      {steps.map(([value, name]) => (
        <button
          key={value}
          type="button"
          aria-pressed={now === value}
          onClick={() => (value === 0 ? send("DOF") : send("DON", value))}
        >
          {value === 0 ? t("state.off") : name}
        </button>
      ))}
    </fieldset>
  );
}

/** Named speeds, or those of a list. */
function stepsOf([range]: readonly EditorRange[]): readonly (readonly [value: number, name: string])[] {
  if (!range || range.subset === null) return [];
  const values = range.subset.split(",").map(Number).filter(Number.isFinite);
  return values.map((value) => [value, localName(range.names.get(value) ?? `${value} %`)] as const);
}

function CoverPosition({ node }: { node: Node }) {
  const home = useHome();
  const send = useSend(node);
  const on = node.nodedef?.accepts.find(({ id }) => id === "DON");
  const range = node.nodedef && on && levelOf(home, node.nodedef, on);
  if (!range) return null;
  const [closing = "DOF"] = pressOf(node.nodedef, "close") ?? [];
  return (
    <div class="adjust">
      <span>{t("adjust.position")}</span>
      <Level node={node} {...range} act={(value) => (value === 0 ? send(closing) : send("DON", value))} />
    </div>
  );
}
