/** The frame around the places: navigation, state of the connection, and the place that the address names. */

import { Bot, CircleUser, History, House, type LucideIcon, Search, SlidersHorizontal } from "lucide-preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Link, Redirect, Route, Router, Switch, useLocation, useSearch } from "wouter-preact";
import { HomePlace } from "../home/home-place.tsx";
import { useAlarms } from "../home/states.ts";
import { Missing } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { PURPOSE_NAMES } from "../parts/roles.ts";
import { pastMs, useKeptLocation, withMoment } from "../past/moment.ts";
import { ToPast } from "../past/to-past.tsx";
import { forgetDraft } from "../programs/kept-draft.ts";
import { hasOwnerRights, hasUserRights, seesPast } from "../session/role.ts";
import { StoreContext, useStore } from "../store/context.ts";
import { HomeStore } from "../store/home-store.ts";
import { forgetLastSeen } from "../store/last-seen.ts";
import { forgetRecent, isWall, noteOpened } from "../store/thin-layer.ts";
import { problemText } from "../text/problem.ts";
import { loadTextsOf, type TextKey, t } from "../text/text.ts";
import { durationText, timeText } from "../text/time.ts";

/** `for`: also for guests; for accounts that have programs; or only for those that see the whole home. */
type Place = {
  readonly path: string;
  readonly text: TextKey;
  readonly Icon: LucideIcon;
  readonly for: "guests" | "programs" | "whole";
};

const PLACES: readonly Place[] = [
  { path: "/", text: "place.home", Icon: House, for: "guests" },
  { path: "/programs", text: "place.programs", Icon: Bot, for: "programs" },
  { path: "/happened", text: "place.happened", Icon: History, for: "whole" },
  { path: "/system", text: "place.system", Icon: SlidersHorizontal, for: "whole" },
  { path: "/search", text: "place.search", Icon: Search, for: "guests" },
];
const ACCOUNT: Place = { path: "/account", text: "place.account", Icon: CircleUser, for: "guests" };

/** Clocks that differ by more show times that mislead. */
const CLOCK_DIFFERENCE_MAX_MS = 300_000;

/** Texts of the places other than Home. */
const texts = () => loadTextsOf("places");
/** Sentences of the controller in the language of the page. */
const messages = () => import("../text/messages.ts").then((module) => module.loadMessages());
const reasons = () =>
  Promise.all([
    import("../text/reasons.ts").then((module) => module.loadReasons()),
    import("../text/titles.ts").then((module) => module.loadTitles()),
  ]);
const node = () =>
  Promise.all([import("../node/node-place.tsx"), texts(), messages(), reasons()]).then(([module]) => module.NodePlace);
const folder = () => Promise.all([import("../home/folder-place.tsx"), texts()]).then(([module]) => module.FolderPlace);
const scenes = () =>
  Promise.all([import("../scenes/scenes-place.tsx"), texts()]).then(([module]) => module.ScenesPlace);
const scene = () => Promise.all([import("../scenes/scene-place.tsx"), texts()]).then(([module]) => module.ScenePlace);
const programs = () =>
  Promise.all([import("../programs/programs-place.tsx"), texts()]).then(([module]) => module.openPrograms());
const happened = () =>
  Promise.all([import("../happened/happened-place.tsx"), texts(), messages(), reasons()]).then(
    ([module]) => module.HappenedPlace,
  );
const system = () =>
  Promise.all([import("../system/system-place.tsx"), texts(), loadTextsOf("system"), reasons()]).then(
    ([module]) => module.SystemPlace,
  );
const account = () =>
  Promise.all([import("../account/account-place.tsx"), texts(), loadTextsOf("system")]).then(
    ([module]) => module.AccountPlace,
  );
const purposePlace = () =>
  Promise.all([import("../purpose/purpose-place.tsx"), texts()]).then(([module]) => module.PurposePlace);
const band = () => Promise.all([import("../past/band.tsx"), texts()]).then(([module]) => module.Band);
const search = () =>
  Promise.all([import("../search/search-place.tsx"), texts()]).then(([module]) => module.SearchPlace);

/** Of the file that is loaded with this one. */
export { loadNames } from "../text/names.ts";

export type ShellProps = {
  readonly isSignedIn: boolean;
  /** Called before the login is given up: nothing of the home is shown any more. */
  readonly onSignOut: () => void;
};

export function Shell({ isSignedIn, onSignOut }: ShellProps) {
  const store = useMemo(() => new HomeStore(), []);
  useEffect(() => {
    if (isSignedIn) store.connect();
  }, [isSignedIn]);
  useEffect(() => {
    const again = () => document.visibilityState === "visible" && store.connect();
    addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
    return () => {
      removeEventListener("online", again);
      document.removeEventListener("visibilitychange", again);
    };
  }, []);
  useEffect(() => {
    if (!isWall()) return;
    const awake = import("../wall/keep-awake.ts").then(({ keepAwake }) => keepAwake(store));
    return () => void awake.then((end) => end());
  }, []);
  const signOut = () => {
    onSignOut();
    forgetLastSeen();
    forgetDraft();
    forgetRecent();
    store.layer.forget();
    void import("../parts/push-subscription.ts").then(({ endPush }) => endPush()).catch(() => {});
    void store.signOut();
  };
  return (
    <StoreContext.Provider value={store}>
      <Router hook={useKeptLocation} hrefs={withMoment}>
        <Frame onSignOut={signOut} />
      </Router>
    </StoreContext.Provider>
  );
}

function Frame({ onSignOut }: { onSignOut: () => void }) {
  const store = useStore();
  const atMs = pastMs(useSearch());
  const [path] = useLocation();
  const isLoaded = store.home.value !== null;
  const past = store.past.value;
  useEffect(() => {
    if (isLoaded) void store.show(atMs);
  }, [isLoaded, atMs]);
  // Until the past moment is there, nothing of the present is shown in its place.
  const isReady = isLoaded && (atMs === null || Boolean(past?.home));
  return (
    <div class={["shell", atMs !== null && "is-past", isWall() && path === "/" && "is-wall"].filter(Boolean).join(" ")}>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <ConnectionNotice />
        {isReady && <Places onSignOut={onSignOut} />}
        {!isReady && (atMs === null ? <AsLastSeen /> : <p class="starting">{t("starting")}</p>)}
      </main>
      {past && <Lazy load={band} past={past} />}
      <Toast />
    </div>
  );
}

function Places({ onSignOut }: { onSignOut: () => void }) {
  const [path] = useLocation();
  useEffect(() => {
    noteOpened(path);
    // Focus moves to the top, as after loading a page.
    scrollTo(0, 0);
  }, [path]);
  return (
    <Switch>
      <Route path="/" component={HomePlace} />
      <Route path="/node/:address">{({ address }) => <Lazy load={node} address={decodeURIComponent(address)} />}</Route>
      <Route path="/rooms/:address">
        {({ address }) => <Lazy load={folder} address={decodeURIComponent(address)} />}
      </Route>
      <Route path="/scenes">{() => <Lazy load={scenes} />}</Route>
      <Route path="/scene/:address">
        {({ address }) => <Lazy load={scene} address={decodeURIComponent(address)} />}
      </Route>
      {PURPOSE_NAMES.map((purpose) => (
        <Route key={purpose} path={`/${purpose}`}>
          {() => <Lazy load={purposePlace} purpose={purpose} />}
        </Route>
      ))}
      <Route path="/programs">{() => <Lazy load={programs} id={null} />}</Route>
      <Route path="/program/:id">{({ id }) => <Lazy load={programs} id={id} />}</Route>
      <Route path="/happened">{() => <Lazy load={happened} />}</Route>
      <Route path="/system/appearance">
        <Redirect to="/account" replace />
      </Route>
      <Route path="/system/*?">{(params) => <Lazy load={system} section={params["*"] ?? ""} />}</Route>
      <Route path="/account">{() => <Lazy load={account} onSignOut={onSignOut} />}</Route>
      <Route path="/search">{() => <Lazy load={search} />}</Route>
      {/* Links from before the rename. */}
      <Route path="/house/*?">{(params) => <Redirect to={`/system/${params["*"] ?? ""}`} replace />}</Route>
      <Route>{() => <Missing text={t("place.unknown")} />}</Route>
    </Switch>
  );
}

/** Mounted once the home is there. */
function AlarmMark({ follow }: { follow: (hasAlarm: boolean) => void }) {
  const hasAlarm = useAlarms().length > 0;
  useEffect(() => follow(hasAlarm), [hasAlarm]);
  return null;
}

function Navigation() {
  const [path, navigate] = useLocation();
  const needsAttention = useNeedsAttention();
  const store = useStore();
  const home = store.home.value;
  void store.revision.value;
  const [hasAlarm, setAlarm] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
      const isSearch =
        (event.key === "/" && !isTyping) || (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey));
      if (!isSearch || event.defaultPrevented) return;
      event.preventDefault();
      for (const dialog of document.querySelectorAll("dialog")) dialog.close();
      navigate("/search");
      document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const isPerson = hasUserRights();
  // Its programs are those that its owner chose, mostly none.
  const hasPrograms = seesPast() || [...(home?.programs ?? [])].some(({ isFolder }) => !isFolder);
  const isFor: Readonly<Record<Place["for"], boolean>> = {
    guests: true,
    programs: isPerson && hasPrograms,
    whole: seesPast(),
  };
  const shown = [...PLACES.filter((place) => isFor[place.for]), ACCOUNT];
  const isHere = (place: string) =>
    place === "/"
      ? /^\/($|node|scene|rooms|light|climate|safety|energy|water)/.test(path)
      : path.startsWith(place.replace(/s$/, ""));
  return (
    <nav class="places" aria-label={t("nav.label")}>
      <a class="skip" href="#main">
        {t("nav.skip")}
      </a>
      {shown.map(({ path: place, text, Icon }) => (
        <Link
          key={place}
          href={place}
          class={place === ACCOUNT.path && isPerson ? "account" : undefined}
          aria-current={isHere(place) ? "page" : undefined}
        >
          <Icon size={22} aria-hidden />
          <span>{t(text)}</span>
          {place === "/" && hasAlarm && (
            <span class="badge">
              <span class="hidden">{t("room.alarm")}</span>
            </span>
          )}
          {place === "/system" && needsAttention && (
            <span class="badge">
              <span class="hidden">{t("place.needsAttention")}</span>
            </span>
          )}
        </Link>
      ))}
      <ToPast />
      {home && <AlarmMark follow={setAlarm} />}
    </nav>
  );
}

/** The last edit, with a button that undoes it. */
function Toast() {
  const store = useStore();
  const notice = store.notice.value;
  const undo = async (edit: number) => {
    try {
      await store.home.value?.edits.undo(edit);
      await store.refresh();
      store.say({ text: t("done.undone"), edit: null });
    } catch (error) {
      store.say({ text: problemText(error), edit: null });
    }
  };
  return (
    <div role="status">
      {notice && (
        <p class="toast">
          {notice.text}
          {notice.edit !== null && (
            <button type="button" onClick={() => void undo(notice.edit as number)}>
              {t("undo")}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function ConnectionNotice() {
  const store = useStore();
  const isOnline = useOnline();
  const state = store.connection.value;
  const problem = store.problem.value;
  const aheadMs = store.clockAheadMs.value ?? 0;
  const isWrong = Math.abs(aheadMs) > CLOCK_DIFFERENCE_MAX_MS;
  return (
    <>
      <p class="connection" role="status">
        {!isOnline && t("connection.offline")}
        {isOnline && state === "waiting" && (problem ?? t("connection.waiting"))}
        {state === "refused" && t("connection.refused")}
        {isOnline && state === "waiting" && (
          <button type="button" class="link" onClick={() => store.connect()}>
            {t("connection.retry")}
          </button>
        )}
        {state !== "waiting" && problem}
      </p>
      <p class="connection" role="status">
        {isWrong &&
          t(aheadMs > 0 ? "connection.clockAhead" : "connection.clockBehind", {
            difference: durationText(Math.abs(aheadMs)),
          })}
      </p>
    </>
  );
}

/** Whether the device has a network at all, by what the browser knows. */
function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    for (const name of ["online", "offline"]) addEventListener(name, update);
    return () => {
      for (const name of ["online", "offline"]) removeEventListener(name, update);
    };
  }, []);
  return isOnline;
}

/** Last known values, shown until the home is loaded: grey, with their time, without controls. */
function AsLastSeen() {
  const { lastSeen } = useStore();
  if (!lastSeen) return <p class="starting">{t("starting")}</p>;
  return (
    <section class="stale" aria-label={t("lastSeen", { time: timeText(lastSeen.atMs) })}>
      <p>{t("lastSeen", { time: timeText(lastSeen.atMs) })}</p>
      {lastSeen.rooms.map(({ name, nodes }) => (
        <section key={name} class="room">
          <h2>{name || t("room.none")}</h2>
          <ul>
            {nodes.map((node) => (
              <li key={node.name}>
                <span>{node.name}</span> <span class="value">{node.label}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

const POLL_MS = 60_000;

/** Whether the controller needs its owner: a disk that is full, an integration that failed. */
function useNeedsAttention(): boolean {
  const [isNeeded, setNeeded] = useState(false);
  const isOwner = hasOwnerRights();
  useEffect(() => {
    if (!isOwner) return;
    const look = async () => {
      // Without a login it says no reasons, which are not needed here.
      const answer = await fetch("/healthz").catch(() => null);
      const health: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
      if (health) setNeeded((health as { readonly status?: string }).status === "degraded");
    };
    void look();
    const timer = setInterval(() => void look(), POLL_MS);
    return () => clearInterval(timer);
  }, [isOwner]);
  return isNeeded;
}
