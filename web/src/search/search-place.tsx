/** One field for everything that has an address on the page. Empty, it shows what was opened last. */

import type { Home } from "@domovoi/client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { Head } from "../parts/layout.tsx";
import { folderHref, nodeHref, roomOf, sceneHref } from "../parts/things.ts";
import { hasUserRights } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { recent } from "../store/thin-layer.ts";
import { folded } from "../text/folded.ts";
import { type TextKey, t, tn } from "../text/text.ts";

const SHOWN_MAX = 40;
const ACCOUNT = "/account";

type Hit = { readonly key: string; readonly kind: TextKey; readonly text: string; readonly href: string };

export function SearchPlace() {
  const home = useHome();
  const { revision } = useStore();
  const field = useRef<HTMLInputElement>(null);
  const [, navigate] = useLocation();
  const [query, setQuery] = useState("");
  const all = useMemo(() => everything(home), [home, revision.value]);
  useEffect(() => field.current?.focus(), []);
  const wanted = folded(query.trim());
  const opened = recent().flatMap(
    (path) => all.find(({ href }) => decodeURIComponent(href) === decodeURIComponent(path)) ?? [],
  );
  const hits = wanted === "" ? opened : find(all, wanted);
  const [first] = wanted === "" ? [] : hits;
  return (
    <>
      <Head title={t("place.search")} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (first) navigate(first.href);
        }}
      >
        <input
          ref={field}
          type="search"
          aria-label={t("place.search")}
          placeholder={t("search.about")}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </form>
      <p role="status" class="hint">
        {wanted !== "" && (hits.length === 0 ? t("search.none") : tn("search.found", hits.length))}
      </p>
      {wanted === "" && opened.length > 0 && <h2>{t("search.recent")}</h2>}
      {hits.length > 0 && (
        <ul class="card rows">
          {hits.slice(0, SHOWN_MAX).map(({ key, kind, text, href }) => (
            <li key={`${kind} ${key}`}>
              <Link class="main" href={href}>
                {text.split("/").at(-1)}
                {text.includes("/") && <small>{roomOf(text)}</small>}
              </Link>
              <span class="tag">{t(kind)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Names that begin with the words first. */
function find(all: readonly Hit[], wanted: string): readonly Hit[] {
  const rank = ({ text }: Hit) =>
    Number(
      !folded(text)
        .split("/")
        .some((name) => name.startsWith(wanted)),
    );
  return all
    .filter(({ text, key }) => folded(text).includes(wanted) || folded(key) === wanted)
    .sort((a, b) => rank(a) - rank(b));
}

const SECTIONS: readonly { readonly path: string; readonly text: TextKey }[] = [
  { path: "/scenes", text: "scenes.title" },
  { path: "/happened", text: "place.happened" },
  { path: "/system/integrations", text: "system.integrations" },
  { path: "/system/notifications", text: "system.notifications" },
  { path: "/system/people", text: "system.people" },
  { path: "/system/certificate", text: "system.certificate" },
  { path: "/system/history", text: "system.history" },
  { path: "/system/backup", text: "system.backup" },
  { path: "/system/location", text: "system.location" },
  { path: ACCOUNT, text: "place.account" },
];

function everything(home: Home): readonly Hit[] {
  const hits = <T,>(things: Iterable<T>, hit: (thing: T) => Hit) => Array.from(things, hit);
  return [
    ...hits(home.nodes, ({ address, path }) => ({
      key: address,
      kind: "kind.node",
      text: path,
      href: nodeHref(address),
    })),
    ...hits(home.groups, ({ address, path }) => ({
      key: address,
      kind: "kind.scene",
      text: path,
      href: sceneHref(address),
    })),
    ...hits(home.folders, ({ address, path }) => ({
      key: address,
      kind: "folder",
      text: path,
      href: folderHref(address),
    })),
    ...hits(
      [...home.programs].filter(({ isFolder }) => !isFolder),
      ({ id, path }) => ({ key: id, kind: "kind.program", text: path, href: `/program/${id}` }),
    ),
    ...hits(home.variables, ({ key, name }) => ({ key, kind: "kind.variable", text: name, href: "/system/variables" })),
    ...hits(home.resources, ({ id, name }) => ({
      key: id,
      kind: "kind.resource",
      text: name,
      href: "/system/resources",
    })),
    ...SECTIONS.filter(({ path }) => hasUserRights() || path === ACCOUNT).map(
      ({ path, text }): Hit => ({ key: path, kind: "kind.place", text: t(text), href: path }),
    ),
  ];
}
