/** Home: what is on, the scenes, and the rooms with their nodes. Rooms are the folders of the home; nothing is configured. */

import type { Group } from "@domovoi/client";
import { ArrowDownUp, CircleUser, Map as MapIcon } from "lucide-preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Link, useLocation, useSearch } from "wouter-preact";
import { Head } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { PURPOSE_NAMES, purposeOf } from "../parts/roles.ts";
import { SceneButton, SceneStrip } from "../parts/scene-button.tsx";
import { ToPast } from "../past/to-past.tsx";
import { hasOwnerRights, seesPast } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { isWall } from "../store/thin-layer.ts";
import { loadTextsOf, t, tn } from "../text/text.ts";
import { Overview } from "./overview.tsx";
import { RoomCard } from "./room-card.tsx";
import { type Room, roomsOf } from "./rooms.ts";

const SCENES_SHOWN = 6;
const USED_SHOWN = 4;
/** So many nodes are shown as a whole where there is space, and so many on a phone: what a guest may reach. */
const [SHOWN_AT_ONCE_MAX, SHOWN_ON_PHONE_MAX] = [150, 20];

const arrange = () => Promise.all([import("./arrange.tsx"), loadTextsOf("places")]).then(([module]) => module.Arrange);
const plan = () =>
  Promise.all([import("./floor-plan.tsx"), loadTextsOf("places")]).then(([module]) => module.FloorPlan);
const clock = () => import("../wall/clock.tsx").then((module) => module.WallClock);

export function HomePlace() {
  const home = useHome();
  const store = useStore();
  const { revision, layer } = store;
  const [isArranging, setArranging] = useState(false);
  const [, navigate] = useLocation();
  const isPlan = new URLSearchParams(useSearch()).has("plan");
  const usedNow = useMemo(() => layer.usedNow(), []);
  const order = layer.list("order");
  const hidden = layer.list("hidden");
  const rooms = useMemo(() => inOrder(roomsOf(home), order), [home, revision.value, order]);
  const scenes = useMemo(() => mostUsedFirst([...home.groups].filter(isUseful), usedNow), [home, revision.value]);
  const nodesAt = (addresses: readonly string[]) => addresses.flatMap((address) => home.nodes.find(address) ?? []);
  const marked = nodesAt(layer.list("favorites"));
  const often = nodesAt(usedNow)
    .filter((node) => !marked.includes(node))
    .slice(0, USED_SHOWN);
  const visible = rooms.filter(({ key }) => !hidden.includes(key));
  const columns = useColumns();
  const cards: readonly Room[] = [
    { key: "favorites", name: t("home.favorites"), folder: null, nodes: marked },
    { key: "often", name: t("home.often"), folder: null, nodes: often },
    ...(isArranging ? [] : visible),
  ].filter(({ key, nodes }) => nodes.length > 0 || (key !== "favorites" && key !== "often"));
  return (
    <>
      <Head title={isWall() ? <Lazy load={clock} /> : home.name || t("place.home")}>
        {seesPast() && (
          <button
            type="button"
            class="icon"
            aria-pressed={isPlan}
            aria-label={t("plan.title")}
            onClick={() => navigate(isPlan ? "/" : "/?plan", { replace: true })}
          >
            <MapIcon size={20} aria-hidden />
          </button>
        )}
        {(rooms.length > 1 || hasOwnerRights()) && (
          <button
            type="button"
            class="icon"
            aria-pressed={isArranging}
            aria-label={t("arrange.title")}
            onClick={() => setArranging(!isArranging)}
          >
            <ArrowDownUp size={20} aria-hidden />
          </button>
        )}
        <ToPast isIcon />
        <Link class="button icon only-small on-wall" href="/account" aria-label={t("place.account")}>
          <CircleUser size={20} aria-hidden />
        </Link>
      </Head>
      <Overview rooms={rooms} />
      {scenes.length > 0 && (
        <SceneStrip>
          {scenes.slice(0, SCENES_SHOWN).map((scene) => (
            <SceneButton key={scene.address} scene={scene} />
          ))}
          <Link class="button" href="/scenes">
            {t("scenes.all")}
          </Link>
        </SceneStrip>
      )}
      {home.nodes.size === 0 && scenes.length === 0 && <Empty />}
      {isPlan && <Lazy load={plan} />}
      <div class="rooms">
        {Array.from({ length: columns }, (_, column) => (
          <div key={column}>
            {cards
              .filter((_card, at) => at % columns === column)
              .map((room) => (
                <RoomCard
                  key={room.key}
                  room={room}
                  isOpenFirst={
                    rooms.length === 1 ||
                    !rooms.includes(room) ||
                    home.nodes.size <= (columns > 1 ? SHOWN_AT_ONCE_MAX : SHOWN_ON_PHONE_MAX)
                  }
                />
              ))}
          </div>
        ))}
      </div>
      {isArranging && <Lazy load={arrange} rooms={rooms} />}
      {!isArranging && <PurposeLinks rooms={rooms} />}
      {!isArranging && visible.length < rooms.length && (
        <p class="hint">
          {tn("arrange.hidden", rooms.length - visible.length)}{" "}
          <button type="button" class="link" onClick={() => setArranging(true)}>
            {t("arrange.title")}
          </button>
        </p>
      )}
    </>
  );
}

/** Widths of the window, in the height of its letters, from which there is one column more. */
const COLUMNS_FROM = [58, 86, 110] as const;

/** Each column is filled by itself, so that an open card leaves no hole beside it. */
function useColumns(): number {
  const [columns, setColumns] = useState(columnsNow);
  useEffect(() => {
    const follow = () => setColumns(columnsNow());
    addEventListener("resize", follow);
    return () => removeEventListener("resize", follow);
  }, []);
  return columns;
}

/** A wall tablet has larger letters, which no media query knows. */
function columnsNow(): number {
  const letters = innerWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return 1 + COLUMNS_FROM.filter((from) => letters >= from).length;
}

/** A limited account is not shown the members of its scenes. */
function isUseful({ members }: Group): boolean {
  return members.length > 0 || !hasOwnerRights();
}

/** Where a purpose has devices, it has a screen. */
function PurposeLinks({ rooms }: { rooms: readonly Room[] }) {
  const found = new Set(rooms.flatMap(({ nodes }) => nodes.map(purposeOf)));
  const shown = PURPOSE_NAMES.filter((purpose) => found.has(purpose));
  if (shown.length === 0) return null;
  return (
    <nav class="purposes" aria-label={t("purpose.label")}>
      {shown.map((purpose) => (
        <Link key={purpose} class={`button for-${purpose}`} href={`/${purpose}`}>
          {t(`purpose.${purpose}`)}
        </Link>
      ))}
    </nav>
  );
}

function Empty() {
  if (!hasOwnerRights()) return <p class="empty">{t("home.nothingShared")}</p>;
  return (
    <section class="empty">
      <p>{t("home.empty")}</p>
      <p class="buttons">
        <Link class="button primary" href="/system/integrations">
          {t("home.add")}
        </Link>
        <Link class="button" href="/system/move-in">
          {t("home.moveIn")}
        </Link>
      </p>
    </section>
  );
}

/** By the person's order; rooms that are newer than it come last. */
function inOrder(rooms: readonly Room[], order: readonly string[]): readonly Room[] {
  const placeOf = ({ key }: Room) => (order.includes(key) ? order.indexOf(key) : order.length);
  return rooms.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function mostUsedFirst(scenes: readonly Group[], used: readonly string[]): readonly Group[] {
  const placeOf = ({ address }: Group) => (used.includes(address) ? used.indexOf(address) : used.length);
  return scenes.toSorted((one, other) => placeOf(one) - placeOf(other));
}
