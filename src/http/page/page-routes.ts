/** The addresses of the page, on the portal listener. Every place of the page has its address, so that reload and Back work. */

import type { Route } from "../route.ts";

/** Each is answered with the same document, whose script shows the place. @see web/src/app.tsx */
const PLACES = [
  "/",
  "/rooms/*",
  "/node/*",
  "/light",
  "/climate",
  "/safety",
  "/energy",
  "/water",
  "/account",
  // Its token stands behind the #, so this request says nothing.
  "/alert",
  "/scenes",
  "/scene/*",
  "/programs",
  "/program/*",
  "/run/*",
  "/happened",
  "/system",
  "/system/*",
  "/search",
  // The former address of /system. The page redirects.
  "/house",
  "/house/*",
] as const;

const SHARED = { method: "GET", listener: "portal", access: "public", changes: false, page: "page" } as const;

export const pageRoutes: readonly Route[] = [
  ...PLACES.map(
    (path): Route => ({
      ...SHARED,
      path,
      summary: "A screen of the page",
      fileType: "text/html",
      handle: (_request, { page }) => page.document(),
    }),
  ),
  {
    ...SHARED,
    path: "/assets/*",
    summary: "A file of the page, with a hash of its content in the name",
    fileType: "application/octet-stream",
    handle: ({ params }, { page }) => page.file(`assets/${params["*"] ?? ""}`),
  },
  ...["worker.js", "manifest.webmanifest", "icon.svg", "icon-192.png", "icon-512.png"].map(
    (name): Route => ({
      ...SHARED,
      path: `/${name}`,
      summary: "A file of the page",
      fileType: "application/octet-stream",
      handle: (_request, { page }) => page.file(name),
    }),
  ),
];
