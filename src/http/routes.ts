/**
 * The one table of everything the door serves. A new path is a handler and a line in one of the two tables, its page
 * under docs/interface/, and a flow test.
 */

import { apiRoutes } from "./api/api-routes.ts";
import { restRoutes } from "./rest/rest-routes.ts";
import type { Route } from "./route.ts";

export const routes: readonly Route[] = [...apiRoutes, ...restRoutes];
