/** Finds the route of a normalised path. Paths of the other listener's surface do not exist here. */

import createRouter from "find-my-way";
import type { Method, Route } from "../route.ts";

export type Match = { readonly route: Route; readonly params: Readonly<Record<string, string>> };

export type Router = {
  /**
   * HEAD is answered like GET on paths where GET only reads. HEAD stays safe even where a path's GET changes
   * something (RFC 9110, 9.3.2).
   */
  find(method: string, path: string): Match | null;
  /** All routes at a path, one per method. */
  routesAt(path: string): readonly Route[];
};

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** @param paramLengthMax characters of one path segment. */
export function buildRouter(routes: readonly Route[], paramLengthMax: number): Router {
  const tree = createRouter({ maxParamLength: paramLengthMax });
  for (const route of routes) tree.on(route.method, route.path, noHandler, describe(route));
  const find = (method: Method, path: string): Match | null => {
    const found = tree.find(method, path);
    if (!found) return null;
    const { route, tailFrom } = found.store as Stored;
    const params = found.params as Record<string, string>;
    if (tailFrom >= 0) params["*"] = path.split("/").slice(tailFrom).join("/");
    return { route, params };
  };
  return {
    find(method, path) {
      const asked = method === "HEAD" ? "GET" : METHODS.find((known) => known === method);
      const match = asked ? find(asked, path) : null;
      return method === "HEAD" && match?.route.changes ? null : match;
    },
    routesAt: (path) => METHODS.map((method) => find(method, path)?.route).filter((route) => route !== undefined),
  };
}

/** `tailFrom`: index of the first segment that a wildcard covers, −1 without one. */
type Stored = { readonly route: Route; readonly tailFrom: number };

function describe(route: Route): Stored {
  return { route, tailFrom: route.path.endsWith("*") ? route.path.split("/").length - 1 : -1 };
}

function noHandler(): void {}
