/** All types of integrations: a new type is a line in the list. */

import type { Auth } from "./auth/auth.ts";
import { alertWorld } from "./bridges/alert-world.ts";
import { matterBridgeType } from "./bridges/matter/integration-type.ts";
import { announcedTopics, announceType } from "./bridges/mqtt/integration-type.ts";
import { saidPresence } from "./bridges/said-presence.ts";
import type { CommandPorts } from "./commands/ports.ts";
import { addProposedScene } from "./commands/propose-scene.ts";
import { resourceRules } from "./commands/resource-targets.ts";
import { roomFor } from "./commands/room-for.ts";
import { demoDevices } from "./demo/demo-devices.ts";
import { isAtDefaultPlace } from "./demo/new-controller.ts";
import { alertsType } from "./drivers/alerts/integration-type.ts";
import { calendarType } from "./drivers/calendar/integration-type.ts";
import { HomeHost } from "./drivers/driver-host.ts";
import { homeAssistantType } from "./drivers/homeassistant/integration-type.ts";
import { insteonType } from "./drivers/insteon/integration-type.ts";
import { matterType } from "./drivers/matter/integration-type.ts";
import { mqttType } from "./drivers/mqtt/integration-type.ts";
import { type PluginTypeOptions, pluginRoot, pluginType } from "./drivers/plugin/integration-type.ts";
import { pluginFolders } from "./drivers/plugin/plugin-folders.ts";
import { presenceType } from "./drivers/presence/integration-type.ts";
import { createSurroundings } from "./drivers/surroundings.ts";
import { virtualType } from "./drivers/virtual/integration-type.ts";
import { zwaveType } from "./drivers/zwave/integration-type.ts";
import { SYSTEM_CAUSE } from "./home/cause.ts";
import { ALERTS } from "./home/integrations.ts";
import { Integrations } from "./integrations/integrations.ts";
import { createIntegrationSecrets } from "./integrations/secrets.ts";
import { channelTypes } from "./notifications/channel-types.ts";
import { PUSH, type PushPorts, pushType } from "./notifications/push-channel.ts";
import type { Store } from "./store/store.ts";

type IntegrationParts = Omit<PluginTypeOptions, "config" | "uuid" | "clock" | "log"> &
  Pick<PushPorts, "devices"> &
  Pick<Auth, "byName"> & { readonly portalUrl: () => string | null };

/** Makes the records of what the settings ask for. Nothing is started yet. */
export async function prepareIntegrations(
  commands: CommandPorts,
  store: Store,
  isTwin: boolean,
  { devices, byName, portalUrl, ...forPlugins }: IntegrationParts,
): Promise<Integrations> {
  const { config, home, profile, log, clock } = commands;
  const twin = isTwin ? await import("./twin/played-devices.ts") : null;
  const played = twin?.playedDevices(home, profile) ?? null;
  const findPlayed = (address: string) => twin?.findPlayedDevice(home, profile, address) ?? null;
  const virtual = { ...config, timeZone: home.controller.timeZone, played, findPlayed, demoDevices };
  const plugins = { config, uuid: home.controller.uuid, clock, log, ...forPlugins };
  const push = pushType({ config, clock, accounts: store.accounts, devices });
  const integrations = new Integrations({
    ...commands,
    takenOverFrom: store.takenOverFrom,
    surroundings: (searchMs) => createSurroundings({ clock, host: config.host }, searchMs),
    types: [
      virtualType(virtual),
      zwaveType(config, log, clock),
      insteonType(clock),
      mqttType(config, home.controller.uuid, () => announcedTopics(home)),
      matterType(config, () => home.controller.name),
      homeAssistantType(home.controller.uuid),
      announceType(commands),
      matterBridgeType(commands),
      pluginType(plugins),
      presenceType({
        config,
        controller: () => home.controller,
        isPlaced: () => !isAtDefaultPlace(home.controller),
        nodes: saidPresence(home, commands.feed),
      }),
      alertsType({ config, world: alertWorld(commands, { byName }, pushAccounts(home)), portalUrl }),
      calendarType(
        () => home.controller.timeZone,
        () => resourceRules(commands),
      ),
      ...channelTypes,
      push,
    ],
    secrets: createIntegrationSecrets(store.secrets),
    storeOf: store.driverStore,
    hostOf: (id) =>
      new HomeHost(
        commands,
        id,
        store.driverStore(id),
        (scene, cause) => addProposedScene(commands, scene, cause),
        (room, cause) => roomFor(commands, room, cause),
      ),
  });
  addAlertsOnce(commands, store, isTwin);
  const used = new Set([...home.integrations.values()].map(({ settings }) => String(settings.folder)));
  await pluginFolders(pluginRoot(config.data), config)
    .removeLeftovers(used)
    .catch((error: unknown) => log.warn("Files of an interrupted plugin installation cannot be removed.", { error }));
  await integrations.prepare({ ...config, twin: isTwin });
  return integrations;
}

/** Whose browsers a channel is. */
function pushAccounts({ integrations }: CommandPorts["home"]) {
  return (channel: string): string | null => {
    const record = integrations.get(channel);
    return record?.type === PUSH ? String(record.settings.account) : null;
  };
}

/** Every home has alerts from its first start with this version on, unless its owner removes them. One of a certain size has its nodes alone. */
function addAlertsOnce({ config, home, feed }: CommandPorts, store: Store, isTwin: boolean): void {
  const begun = store.driverStore("alerts-begun");
  if (!config.alerts || config.demoNodes > 0 || isTwin || begun.get(ALERTS) !== undefined) return;
  begun.set(ALERTS, true);
  if ([...home.integrations.values()].some(({ type }) => type === ALERTS)) return;
  const integration = { id: ALERTS, type: ALERTS, name: "Alerts", settings: {}, secrets: [], enabled: true } as const;
  feed.commit({ type: "integration-added", integration: { ...integration, origin: "owner" } }, SYSTEM_CAUSE);
}
