/** The color and the white of a lamp, by whatever command it takes them. */

import type { CommandDefinition, EditorRange, Home, Node } from "@domovoi/client";
import { Slider } from "../parts/slider.tsx";
import { useHome, useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import { hueOf, rgbOf } from "./hue.ts";
import { rangesOf, useSend } from "./ranges.ts";
import { sendToLit } from "./send-to-lit.ts";

const COLOR = "COLOR";
const [WARM, COLD] = ["WARM", "COLD"];
const RGB = ["RED", "GREEN", "BLUE"] as const;
const CHANNEL_MAX = 255;
/** Units of the interface: hue, mired, kelvin. */
const HUE = "149";
const [MIRED, KELVIN] = ["152", "26"];

export function ColorControls({ node }: { node: Node }) {
  const home = useHome();
  const channels = node.nodedef?.accepts.find(({ id }) => id === COLOR)?.parameters.map(({ id }) => id) ?? [];
  const hue = commandIn(home, node, [HUE]);
  const white = commandIn(home, node, [MIRED, KELVIN]);
  return (
    <>
      {channels.includes("RED") && <ChannelHue node={node} channels={channels} />}
      {hue && <CommandSlider node={node} {...hue} name={t("adjust.hue")} class="hue" />}
      {channels.includes(WARM) && channels.includes(COLD) && <ChannelWhite node={node} channels={channels} />}
      {white && (
        <CommandSlider
          node={node}
          {...white}
          name={t("adjust.white")}
          class={white.range.uom === MIRED ? "white cold-first" : "white"}
        />
      )}
    </>
  );
}

/** The values of all channels, in the order of the command's parameters; the others go off. */
function channelsWith(channels: readonly string[], values: Readonly<Record<string, number>>): readonly number[] {
  const known = channels.filter((id) => id !== "RR");
  return known.map((id) => values[id] ?? 0);
}

function ChannelHue({ node, channels }: { node: Node; channels: readonly string[] }) {
  const store = useStore();
  const send = useSend(node, (...press) => sendToLit(node, ...press));
  const shown = RGB.map((id) => Number(store.property(node.address, id).value?.value ?? 0));
  const { hue, saturation } = hueOf(shown);
  const paint = (nextHue: number, nextSaturation: number) => {
    const values = rgbOf(nextHue, nextSaturation);
    send(COLOR, ...channelsWith(channels, { RED: values[0], GREEN: values[1], BLUE: values[2] }));
  };
  return (
    <>
      <Range
        name={t("adjust.hue")}
        class="hue"
        min={0}
        max={360}
        value={hue}
        act={(value) => paint(value, saturation || 1)}
      />
      <Range
        name={t("adjust.saturation")}
        class=""
        min={0}
        max={100}
        value={Math.round(saturation * 100)}
        act={(value) => paint(hue, value / 100)}
      />
    </>
  );
}

function ChannelWhite({ node, channels }: { node: Node; channels: readonly string[] }) {
  const store = useStore();
  const send = useSend(node, (...press) => sendToLit(node, ...press));
  const [warm, cold] = [WARM, COLD].map((id) =>
    Number(store.property(node.address, id as string).value?.value ?? 0),
  ) as [number, number];
  const share = warm + cold === 0 ? 50 : Math.round((cold * 100) / (warm + cold));
  const act = (value: number) => {
    const coldness = Math.round((value * CHANNEL_MAX) / 100);
    send(COLOR, ...channelsWith(channels, { WARM: CHANNEL_MAX - coldness, COLD: coldness }));
  };
  return <Range name={t("adjust.white")} class="white" min={0} max={100} value={share} act={act} />;
}

type Found = { readonly command: CommandDefinition; readonly range: EditorRange };

function commandIn(home: Home, node: Node, units: readonly string[]): Found | null {
  for (const command of node.nodedef?.accepts ?? []) {
    const range = rangesOf(home, node, command.parameters[0]?.editor).find(({ uom }) => units.includes(uom));
    if (range && range.min !== null && range.max !== null) return { command, range };
  }
  return null;
}

function CommandSlider({
  node,
  command,
  range,
  name,
  class: kind,
}: Found & { node: Node; name: string; class: string }) {
  const store = useStore();
  const send = useSend(node, (...press) => sendToLit(node, ...press));
  const id = command.parameters[0]?.init ?? command.id;
  void store.property(node.address, id).value;
  const [min, max] = [range.min ?? 0, range.max ?? 0];
  return (
    <Range
      name={name}
      class={kind}
      min={min}
      max={max}
      value={node.value(id) ?? min}
      act={(value) => send(command.id, value)}
    />
  );
}

type RangeProps = {
  readonly name: string;
  readonly class: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly act: (value: number) => void;
};

function Range({ name, class: kind, min, max, value, act }: RangeProps) {
  return (
    <label class="adjust">
      {name}
      <Slider class={kind} min={min} max={max} value={value} act={act} />
    </label>
  );
}
