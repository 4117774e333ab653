/** Rows of the route table of the JSON interface. A new path: a handler, a row beside it, its page, a flow test. */

import type { Method, Route } from "../route.ts";

type Target = `${Method} /api/${string}`;
type Extras = Partial<Omit<Route, "method" | "path" | "listener" | "page" | "summary" | "handle">>;

/**
 * Rows of one page of the reference. A row may replace what its page has in common.
 * @param page under docs/interface/, without ".md"
 */
export function apiRoute(page: string, access: Route["access"], shared: Extras = {}) {
  return (target: Target, summary: string, handle: Route["handle"], extras: Extras = {}): Route => {
    const [method, path] = target.split(" ") as [Method, string];
    const changes = method !== "GET";
    return { method, path, listener: "portal", access, changes, page, summary, handle, ...shared, ...extras };
  };
}

/** Also for accounts with limits, as far as these go. */
export const VIEW = { limited: "view" } as const;
/** Like VIEW, with `?at=` for a past time. */
export const PAST = { ...VIEW, past: "at" } as const;
