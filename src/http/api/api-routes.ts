/** The table of the JSON interface: the rows of every resource. */

import type { Route } from "../route.ts";
import { accountRoutes } from "./accounts/accounts.ts";
import { guestRoutes } from "./accounts/guests.ts";
import { pageLayerRoutes } from "./accounts/page-layer.ts";
import { passkeyRoutes } from "./accounts/passkeys.ts";
import { secondFactorRoutes } from "./accounts/second-factor.ts";
import { actRoutes } from "./act.ts";
import { alertRoutes } from "./alerts.ts";
import { apiRoute, VIEW } from "./api-route.ts";
import { backupRoutes } from "./backup/backup.ts";
import { certificateRoutes } from "./certificate.ts";
import { channelRoutes } from "./channels.ts";
import { commandRoutes } from "./commands.ts";
import { configRoutes } from "./config.ts";
import { editHistoryRoutes } from "./edit/edits.ts";
import { nodeEditRoutes } from "./edit/node-edits.ts";
import { placeRoutes } from "./edit/place.ts";
import { resourceRoutes } from "./edit/resources.ts";
import { sceneEditRoutes } from "./edit/scene-edits.ts";
import { floorPlanRoutes } from "./floor-plan.ts";
import { groupRoutes } from "./groups.ts";
import { historyRoutes } from "./history.ts";
import { homeCopyRoutes } from "./home-copy.ts";
import { integrationRoutes } from "./integrations.ts";
import { loginRoutes } from "./login.ts";
import { matterRoutes } from "./matter.ts";
import { moveInRoutes } from "./move-in.ts";
import { nodeEventRoutes } from "./node-events.ts";
import { nodeRoutes } from "./nodes.ts";
import { createOpenApiHandler } from "./openapi.ts";
import { operationRoutes } from "./operations.ts";
import { parameterRoutes } from "./parameters.ts";
import { pastRoutes } from "./past.ts";
import { personRoutes } from "./persons.ts";
import { pluginRoutes } from "./plugins.ts";
import { programTextRoutes } from "./program-text.ts";
import { programRoutes } from "./programs.ts";
import { proposalRoutes } from "./proposals.ts";
import { pushRoutes } from "./push.ts";
import { radioRoutes } from "./radios/radios.ts";
import { replayRoutes } from "./replays.ts";
import { reportRoutes } from "./report.ts";
import { systemRoutes } from "./system.ts";
import { traceRoutes } from "./trace.ts";
import { triggerRoutes } from "./triggers.ts";
import { variableRoutes } from "./variables.ts";
import { verifyRoutes } from "./verify/verify.ts";
import { wayInRoutes } from "./way-in.ts";
import { whyRoutes } from "./why.ts";

const openApi = createOpenApiHandler(() => apiRoutes);

export const apiRoutes: readonly Route[] = [
  ...loginRoutes,
  ...certificateRoutes,
  ...channelRoutes,
  ...configRoutes,
  ...nodeRoutes,
  ...nodeEventRoutes,
  ...parameterRoutes,
  ...actRoutes,
  ...groupRoutes,
  ...programRoutes,
  ...whyRoutes,
  ...programTextRoutes,
  ...verifyRoutes,
  ...historyRoutes,
  ...pastRoutes,
  ...traceRoutes,
  ...triggerRoutes,
  ...variableRoutes,
  ...nodeEditRoutes,
  ...sceneEditRoutes,
  ...placeRoutes,
  ...floorPlanRoutes,
  ...resourceRoutes,
  ...editHistoryRoutes,
  ...radioRoutes,
  ...integrationRoutes,
  ...matterRoutes,
  ...alertRoutes,
  ...personRoutes,
  ...operationRoutes,
  ...pluginRoutes,
  ...moveInRoutes,
  ...wayInRoutes,
  ...homeCopyRoutes,
  ...systemRoutes,
  ...commandRoutes,
  ...accountRoutes,
  ...guestRoutes,
  ...pageLayerRoutes,
  ...passkeyRoutes,
  ...secondFactorRoutes,
  ...proposalRoutes,
  ...pushRoutes,
  ...backupRoutes,
  ...reportRoutes,
  ...replayRoutes,
  apiRoute("openapi", "read", VIEW)("GET /api/openapi.json", "This document.", openApi),
];
