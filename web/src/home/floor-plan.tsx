/**
 * The owner's picture of the home with its devices on it, or without a picture the rooms as they lie in folders. Owners choose the picture
 * and place devices by dragging or by keys. It can play the last evening.
 */

import type { Node } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { NodeIcon } from "../parts/node-icon.tsx";
import { followState, stateText } from "../parts/node-state.ts";
import { Options } from "../parts/options.tsx";
import { nodeHref } from "../parts/things.ts";
import { showMoment } from "../past/moment.ts";
import { isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { dayOf, fromLocalInput } from "../text/home-zone.ts";
import { problemText } from "../text/problem.ts";
import { t } from "../text/text.ts";
import { DrawnPlan } from "./drawn-plan.tsx";

type Place = { readonly address: string; readonly x: number; readonly y: number };
type Plan = { readonly image: string | null; readonly places: readonly Place[] };

const PATH = "/api/floor-plan";
/** A step of an arrow key, as a share of the picture. */
const STEP = 0.01;

export function FloorPlan() {
  const home = useHome();
  const store = useStore();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [dragged, setDragged] = useState<string | null>(null);
  const send = async (work: () => Promise<Readonly<Record<string, unknown>>>) => {
    try {
      setPlan((await work()).data as Plan);
      setProblem(null);
    } catch (error) {
      setProblem(problemText(error));
    }
  };
  // Once: that of now lies under every past moment.
  useEffect(() => void send(() => (store.home.value ?? home).request("GET", PATH)), []);
  if (!plan) return <p role="status">{problem ?? t("starting")}</p>;
  const setPlaces = (places: readonly Place[]) => setPlan({ ...plan, places });
  const savePlaces = (places: readonly Place[]) => send(() => home.request("PUT", `${PATH}/places`, { places }));
  const moved = (address: string, x: number, y: number) =>
    plan.places.map((place) => (place.address === address ? { address, x: withinPlan(x), y: withinPlan(y) } : place));
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    await send(() => home.upload("PUT", `${PATH}/image`, bytes));
    setEditing(true);
  };
  const unplaced = [...home.nodes].filter(
    (node) => node.address === node.primary && !plan.places.some(({ address }) => address === node.address),
  );
  const follow = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    if (dragged)
      setPlaces(moved(dragged, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height));
  };
  const drop = () => {
    if (dragged) void savePlaces(plan.places);
    setDragged(null);
  };
  const keys = (event: KeyboardEvent, { address, x, y }: Place) => {
    const [right, down] = STEPS[event.key] ?? [0, 0];
    if (right === 0 && down === 0) return;
    event.preventDefault();
    void savePlaces(moved(address, x + right, y + down));
  };
  return (
    <section class="card" aria-label={t("plan.title")}>
      {problem && <p role="alert">{problem}</p>}
      <div class="buttons">
        {store.past.value === null && (
          <button type="button" onClick={() => showMoment(lastEveningMs(store.nowMs()), false, true)}>
            {t("plan.play")}
          </button>
        )}
        {isOwner() && (
          <>
            {plan.image && (
              <button type="button" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
                {t("plan.place")}
              </button>
            )}
            {(isEditing || !plan.image) && (
              <label class="button">
                {t(plan.image ? "plan.other" : "plan.choose")}
                <input
                  class="hidden"
                  type="file"
                  accept="image/png,image/jpeg,image/webp"
                  onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
                />
              </label>
            )}
            {plan.image && isEditing && (
              <DialogButton label={t("plan.remove")}>
                <Ask
                  title={t("plan.remove")}
                  submit={t("plan.remove")}
                  isDangerous
                  onSubmit={() => send(() => home.request("DELETE", PATH))}
                >
                  <p>{t("plan.removeAsk")}</p>
                </Ask>
              </DialogButton>
            )}
          </>
        )}
      </div>
      {!plan.image && <DrawnPlan />}
      {plan.image && (
        <div class="plan" onPointerMove={follow} onPointerUp={drop} onPointerCancel={() => setDragged(null)}>
          <img src={plan.image} alt={t("plan.title")} draggable={false} />
          {plan.places.map((place) => {
            const node = home.nodes.find(place.address);
            if (!node) return null;
            if (!isEditing) return <PlacedNode key={place.address} node={node} place={place} />;
            return (
              <button
                key={place.address}
                type="button"
                class="placed grip"
                ref={at(place)}
                aria-label={t("arrange.drag", { name: node.name })}
                onPointerDown={() => setDragged(place.address)}
                onKeyDown={(event) => keys(event, place)}
              >
                <NodeIcon node={node} isSimulated={false} />
              </button>
            );
          })}
        </div>
      )}
      {isEditing && (
        <>
          <label>
            {t("plan.add")}
            <select
              value=""
              onChange={({ currentTarget: { value } }) =>
                value && void savePlaces([...plan.places, { address: value, x: 0.5, y: 0.5 }])
              }
            >
              <option value="">{t("plan.addWhich")}</option>
              <Options of={unplaced.map(({ address, name }) => [address, name])} />
            </select>
          </label>
          <ul class="rows">
            {plan.places.map(({ address }) => (
              <li key={address}>
                <span class="main">{home.nodes.find(address)?.name}</span>
                <button
                  type="button"
                  onClick={() => void savePlaces(plan.places.filter((place) => place.address !== address))}
                >
                  {t("plan.takeOff")}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const HOUR_MS = 3_600_000;

/** Five in the afternoon of the last day on which an hour has passed since. */
function lastEveningMs(nowMs: number): number {
  return fromLocalInput(`${dayOf(nowMs - 18 * HOUR_MS)}T17:00:00`);
}

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

function withinPlan(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** The page's policy allows no styles in its text. */
function at({ x, y }: Place) {
  return (element: HTMLElement | null) => {
    element?.style.setProperty("left", `${100 * x}%`);
    element?.style.setProperty("top", `${100 * y}%`);
  };
}

function PlacedNode({ node, place }: { readonly node: Node; readonly place: Place }) {
  const store = useStore();
  followState(store, node);
  const words = [node.name, stateText(node)].filter(Boolean).join(", ");
  return (
    <span class="placed" ref={at(place)}>
      <Link href={nodeHref(node.address)} aria-label={words} title={words}>
        <NodeIcon node={node} isSimulated={store.simulated.value.has(node.address)} />
      </Link>
    </span>
  );
}
