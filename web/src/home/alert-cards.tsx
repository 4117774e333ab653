/** Alerts that ring, above everything: what, who got it, and the buttons that answer. Loaded when there is one. */

import type { Alert, AlertAnswer, Node } from "@domovoi/client";
import { BellRing } from "lucide-preact";
import { stateText } from "../parts/node-state.ts";
import { useHome, useStore } from "../store/context.ts";
import { maySend } from "../store/may-send.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { type TextKey, t } from "../text/text.ts";
import { timeText } from "../text/time.ts";

/** @param nodes those of alerts */
export function useAlerts(nodes: readonly Node[]) {
  const store = useStore();
  const said = nodes.flatMap(({ address }) => ["ST", "GV1", "GV2"].map((id) => store.property(address, id).value));
  const again = JSON.stringify(said.map((property) => [property?.value, property?.formatted]));
  const isPast = store.past.value !== null;
  const { data, reload } = useLoaded<readonly Alert[]>(nodes.length > 0 && !isPast ? "/api/alerts" : null, again);
  return { alerts: (data ?? []).filter(({ status }) => status !== "off"), reload };
}

type AlertCardProps = {
  readonly alert: Alert;
  readonly node: Node;
  readonly deviceOf: (node: Node) => Node;
  readonly reload: () => void;
};

export function AlertCard({ alert, node, deviceOf, reload }: AlertCardProps) {
  const home = useHome();
  const act = useAct();
  const { name, kind, text, sources, since, status, buttons, told, answer } = alert;
  const press = (button: number) =>
    act.run(async () => {
      const { first, answer: counted } = await home.alerts.answer(node.address, button);
      reload();
      if (!first) throw new Error(t("alert.first", { answer: answerText(counted) }));
    });
  const said = sources.flatMap((address) => home.nodes.find(address) ?? []);
  const devices = new Map(said.map((each) => [deviceOf(each).address, `${deviceOf(each).name}: ${stateText(each)}`]));
  // The sentence of the controller is English; that of an owner is the owner's.
  const shown = kind === "" || devices.size === 0 ? text : [...devices.values()].join(", ");
  const reached = told.filter(({ failure }) => failure === "").map(({ channel }) => channel);
  const about = [
    ADVICE[kind] ? t(ADVICE[kind]) : "",
    since === null ? "" : timeText(Date.parse(since)),
    reached.length > 0 ? t("alert.told", { channels: reached.join(", ") }) : "",
  ];
  const mayAnswer = status === "ringing" && maySend(node, "CONFIRM");
  return (
    <section class="card alarm" role="alert" aria-label={name}>
      <BellRing size={24} aria-hidden />
      <span>
        <strong>{shown === "" ? name : `${name}: ${shown}`}</strong>
        <span>{about.filter(Boolean).join(" · ")}</span>
        {answer && <span>{answerText(answer)}</span>}
        {act.problem && <span>{act.problem}</span>}
      </span>
      {mayAnswer && (
        <div class="buttons">
          {[t("alert.confirm"), ...buttons.map(({ label }) => label)].map((label, button) => (
            <button key={label} type="button" disabled={act.isBusy} onClick={() => void press(button)}>
              {label}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

/** What to do first. */
const ADVICE: Readonly<Record<string, TextKey>> = {
  water: "alarm.leak",
  smoke: "alarm.smoke",
  gas: "alarm.gas",
  "carbon-monoxide": "alarm.gas",
  jam: "alarm.jam",
};

export function answerText({ by, at, button, outcome }: AlertAnswer): string {
  const time = timeText(Date.parse(at));
  const confirmed = by === "" ? t("alert.confirmed", { time }) : t("alert.confirmedBy", { by, time });
  return button === "" ? confirmed : `${confirmed} ${button}: ${outcome}`;
}
