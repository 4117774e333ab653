/** The address of every thing on the page. */

import type { Home } from "@domovoi/client";
import { t } from "../text/text.ts";
import type { Crumb } from "./layout.tsx";

export function nodeHref(address: string): string {
  return `/node/${encodeURIComponent(address)}`;
}

export function sceneHref(address: string): string {
  return `/scene/${encodeURIComponent(address)}`;
}

export function folderHref(address: string): string {
  return `/rooms/${encodeURIComponent(address)}`;
}

/** "Ceiling" for "Hall Ceiling" in the hall. @param room empty: none */
export function nameWithout(name: string, room: string): string {
  const rest =
    room !== "" && name.toLowerCase().startsWith(`${room.toLowerCase()} `) ? name.slice(room.length + 1) : "";
  return rest === "" ? name : rest.charAt(0).toLocaleUpperCase() + rest.slice(1);
}

/** The folders above a thing. @param path of the thing */
export function roomOf(path: string): string {
  return path.split("/").slice(0, -1).join(" / ");
}

/** Where the page shows a thing of this kind and key; null when it has no place of its own. */
export function hrefOf(home: Home, kind: string, key: string): string | null {
  if (kind === "node") return home.nodes.find(key) ? nodeHref(key) : null;
  if (kind === "group" || kind === "scene") return home.groups.find(key) ? sceneHref(key) : null;
  if (kind === "folder") return folderHref(key);
  if (kind === "program") return home.programs.find(key) ? `/program/${key}` : null;
  if (kind === "variable") return "/system/variables";
  return kind === "resource" ? "/system/resources" : null;
}

/** Home, then the folders down to the thing. @param parent address of the folder or node above it */
export function crumbsTo(home: Home, parent: string | null): readonly Crumb[] {
  const folder = parent === null ? null : home.folders.find(parent);
  if (folder) return [...crumbsTo(home, folder.parent), { text: folder.name, href: folderHref(folder.address) }];
  const above = parent === null ? null : home.nodes.find(parent);
  if (above) return [...crumbsTo(home, above.parent), { text: above.name, href: nodeHref(above.address) }];
  return [{ text: t("place.home"), href: "/" }];
}
