/**
 * The one table of everything the listeners serve. A new path is a handler and a line in one of the tables, its page
 * under docs/interface/, and a flow test.
 */

import { apiRoutes } from "./api/api-routes.ts";
import { assistantRoutes } from "./assistant/assistant-routes.ts";
import { monitoringRoutes } from "./monitoring/monitoring-routes.ts";
import { pageRoutes } from "./page/page-routes.ts";
import { restRoutes } from "./rest/rest-routes.ts";
import type { Route } from "./route.ts";
import { soapRoutes } from "./soap/soap-routes.ts";

export const routes: readonly Route[] = [
  ...apiRoutes,
  ...restRoutes,
  ...soapRoutes,
  ...assistantRoutes,
  ...monitoringRoutes,
  ...pageRoutes,
];
