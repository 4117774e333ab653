/** One field for nodes, scenes, programs and variables. */

import type { Home } from "@domovoi/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useHome } from "../store/context.ts";
import { type TextKey, t } from "../text/text.ts";

const SHOWN_MAX = 40;

type Hit = { readonly key: string; readonly kind: TextKey; readonly text: string; readonly href: string };

export function SearchPlace() {
  const home = useHome();
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  useEffect(() => field.current?.focus(), []);
  const hits = query.trim() === "" ? [] : find(home, query.trim().toLowerCase());
  return (
    <>
      <h1>{t("place.search")}</h1>
      <input ref={field} type="search" aria-label={t("place.search")} value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
      <p role="status">{query.trim() !== "" && hits.length === 0 && t("search.none")}</p>
      <ul class="hits">
        {hits.slice(0, SHOWN_MAX).map(({ key, kind, text, href }) => (
          <li key={key}>
            <Link href={href}>{text}</Link> <span class="value">{t(kind)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function find(home: Home, query: string): readonly Hit[] {
  const all: Hit[] = [
    ...[...home.nodes].map((node): Hit => ({
      key: node.address,
      kind: "kind.node",
      text: node.path,
      href: `/node/${encodeURIComponent(node.address)}`,
    })),
    ...[...home.groups].map((group): Hit => ({ key: group.address, kind: "kind.scene", text: group.path, href: "/scenes" })),
    ...[...home.programs].filter(({ isFolder }) => !isFolder).map((program): Hit => ({
      key: program.id,
      kind: "kind.program",
      text: program.path,
      href: `/program/${program.id}`,
    })),
    ...[...home.variables].map((variable): Hit => ({ key: variable.key, kind: "kind.variable", text: variable.name, href: "/house" })),
  ];
  return all.filter(({ text, key }) => text.toLowerCase().includes(query) || key.toLowerCase() === query);
}
