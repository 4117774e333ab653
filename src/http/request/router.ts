/** Finds the route of a normalised path. */

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

type Tree = ReturnType<typeof createRouter>;

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** @param paramLengthMax characters of one path segment. */
export function buildRouter(routes: readonly Route[], paramLengthMax: number): Router {
  const treeAt = lazyTrees(routes, paramLengthMax);
  const find = (method: Method, path: string): Match | null => {
    for (const prefix of prefixesOf(path)) {
      const found = treeAt(prefix)?.find(method, path);
      if (!found) continue;
      const { route, tailFrom } = found.store as Stored;
      const params = found.params as Record<string, string>;
      if (tailFrom >= 0) params["*"] = path.split("/").slice(tailFrom).join("/");
      return { route, params };
    }
    return null;
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

/** Routes that begin alike are in one tree. It is made when the first request needs it: all of them take a tenth of a start. */
function lazyTrees(routes: readonly Route[], paramLengthMax: number): (prefix: string) => Tree | null {
  const groups = Map.groupBy(routes, ({ path }) => prefixesOf(path).find((prefix) => !/[:*]/.test(prefix)) ?? "");
  const trees = new Map<string, Tree>();
  return (prefix) => {
    const group = groups.get(prefix);
    const known = trees.get(prefix);
    if (!group || known) return known ?? null;
    const tree = createRouter({ maxParamLength: paramLengthMax });
    for (const route of group) tree.on(route.method, route.path, noHandler, describe(route));
    trees.set(prefix, tree);
    return tree;
  };
}

/** `/rest/nodes`, `/rest` and nothing: what the routes of one tree have in common, the longest first. */
function prefixesOf(path: string): readonly string[] {
  const [, first = "", second] = path.split("/", 3);
  return [...(second === undefined ? [] : [`/${first}/${second}`]), `/${first}`, ""];
}

/** `tailFrom`: index of the first segment that a wildcard covers, −1 without one. */
type Stored = { readonly route: Route; readonly tailFrom: number };

function describe(route: Route): Stored {
  return { route, tailFrom: route.path.endsWith("*") ? route.path.split("/").length - 1 : -1 };
}

function noHandler(): void {}
