/**
 * Every setting: name, what it is, unit, range, default. Parsed once at start, passed down, never read elsewhere.
 * A new setting is one row here and one row in docs/operations.md (the tidy test compares them).
 */

import { badValue } from "./errors.ts";
import {
  type FlagSetting,
  flag,
  type ListSetting,
  list,
  type NumberSetting,
  number,
  parseSetting,
  type Setting,
  text,
} from "./util/setting.ts";

export const SETTINGS = {
  // Where
  data: text("data", "Directory of the database, keys and certificate."),
  host: text("127.0.0.1", "Address that the listeners bind; 0.0.0.0 or :: for the whole network."),
  portalPort: number(
    443,
    0,
    65_535,
    "Port of the portal listener (/api and /rest, bearer tokens or basic authentication); 0 picks a free one.",
  ),
  localPort: number(8443, 0, 65_535, "Port of the local listener (basic authentication, /rest); 0 picks a free one."),
  plainPort: number(
    -1,
    -1,
    65_535,
    "Port of the listener without TLS (paths of the local listener); −1 = off, 0 picks a free one.",
  ),
  plainHost: text("127.0.0.1", "Address that the listener without TLS binds."),
  portalBasic: flag(true, "Accepts basic authentication with local accounts on the portal listener too."),
  localApi: flag(false, "Serves /api under basic authentication on the local listener too."),
  certificateFile: text("", "PEM file of your certificate chain; empty = the controller's own certificate."),
  certificateKeyFile: text("", "PEM file of your private key; empty = the controller's own key."),
  acmeNames: list("Host names for which a certificate is ordered by ACME; empty = none."),
  acmeEmail: text("", "E-mail address for notices of the ACME server; empty = none."),
  acmeDirectoryUrl: text("https://acme-v02.api.letsencrypt.org/directory", "Directory of the ACME server."),
  acmeDnsCommand: text(
    "",
    "Program that sets and removes the DNS record of a DNS-01 challenge; empty = HTTP-01 at acmeHttpPort.",
  ),
  acmeDnsWaitMs: number(30_000, 0, 600_000, "Milliseconds until the ACME server can read a new DNS record."),
  acmeHttpPort: number(80, 1, 65_535, "Port that is open during an HTTP-01 check of the ACME server."),
  acmeOrderMs: number(900_000, 60_000, 3_600_000, "Longest time of one order at the ACME server."),
  acmeAnswerBytesMax: number(1_048_576, 65_536, 16_777_216, "Largest answer of the ACME server."),
  acmePauseMaxMs: number(
    86_400_000,
    60_000,
    604_800_000,
    "Longest pause that the ACME server can ask for before another try.",
  ),
  announce: flag(false, "Announces the controller in the local network by mDNS and SSDP."),
  ssdpAnswersPerSecond: number(50, 5, 1000, "Answers to SSDP searches in one second; further ones are not sent."),
  allowedHosts: list("Further host names under which web pages may reach the controller."),
  metricsTokenFile: text(
    "",
    "File whose first line is the token of /metrics, 16 characters or more; only its owner may read it. Empty = /metrics is off.",
  ),
  logLevel: text("info", "debug, info, warn, error or silent."),
  recentLogLinesMax: number(500, 0, 10_000, "Latest lines of the log that `domovoi report` holds."),
  // The home
  name: text("Domovoi", "Name of the controller on a new data directory; the root group's name."),
  timeZone: text("", "IANA time zone of the home; empty = the machine's."),
  latitude: number(52.52, -90, 90, "Degrees north of a new home."),
  longitude: number(13.405, -180, 180, "Degrees east of a new home."),
  portalHost: text("", "Value of portalHost in /api/config; empty = no such member."),
  interfaceVersion: text("6.0.3", "Interface generation that clients check."),
  manufacturer: text("Domovoi", "Manufacturer string of /rest/config."),
  productId: text("5226", "Product id of /rest/config."),
  productName: text("Domovoi", "Product description of /rest/config."),
  legacyPadding: flag(false, "Adds placeholders so that no legacy list has exactly one element."),
  // The demo
  demo: flag(false, "Fills a new data directory with the demo home and its virtual devices."),
  demoNodes: number(0, 0, 100_000, "Number of nodes of the demo home; 0 = the built-in home of about 50."),
  still: flag(false, "Virtual devices change only when they receive a command."),
  virtualLatencyMs: number(0, 0, 60_000, "Milliseconds until a virtual device answers a command."),
  // Radios
  demoRadio: flag(false, "A simulated radio network in place of the first Z-Wave adapter, to try things."),
  demoInsteon: flag(false, "Simulated Insteon devices behind a simulated modem, to try things."),
  zwavePort: text("", "Serial port of the first Z-Wave adapter, /dev/… or tcp://HOST:PORT; empty = none."),
  zwave2Port: text("", "Serial port of a second Z-Wave adapter, whose devices are family 12; empty = none."),
  insteonPort: text("", "Port of an Insteon PowerLinc modem, /dev/… or tcp://HOST:PORT; empty = none."),
  zwaveRegion: text("", "Region to set on Z-Wave adapters, such as Europe or USA; empty = unchanged."),
  zwaveDevicesAtOnce: number(4, 1, 16, "Devices of one adapter that are commanded at the same time; the others wait."),
  zwaveSleeperQueueMax: number(20, 1, 200, "Commands that wait for one sleeping device; more are refused."),
  zwaveInclusionWaitMs: number(
    240_000,
    30_000,
    900_000,
    "Milliseconds that a Z-Wave adapter waits for a device to join or leave.",
  ),
  zwaveDeadPingMaxMs: number(
    3_600_000,
    60_000,
    86_400_000,
    "Longest pause between two pings of a dead Z-Wave device; the first pause is a minute.",
  ),
  zwaveSleeperKeepMs: number(
    604_800_000,
    60_000,
    2_592_000_000,
    "Milliseconds that a command waits for a sleeping device before it fails.",
  ),
  radioFileBytesMax: number(
    8_388_608,
    65_536,
    104_857_600,
    "Bytes of a file for a radio: new firmware of a device, or the memory of an adapter.",
  ),
  // Accounts
  accessTokenLifetimeS: number(3600, 120, 86_400, "Seconds that an access token is valid."),
  refreshTokenLifetimeS: number(2_592_000, 3600, 31_536_000, "Seconds that a refresh token is valid."),
  loginFailuresPerHour: number(
    5,
    1,
    1000,
    "Wrong passwords per hour for one account before unknown devices cannot log in to it.",
  ),
  loginFailuresPerAddressPerHour: number(
    30,
    1,
    10_000,
    "Wrong passwords per hour from one address before it must wait.",
  ),
  accountsMax: number(100, 2, 10_000, "Accounts, portal and local together."),
  pageLayerEntriesMax: number(300, 10, 300, "Entries in each list of an account's marks on the page."),
  pushDevicesPerAccountMax: number(10, 1, 100, "Browsers of one account that show notifications."),
  pushDevicesMax: number(200, 1, 10_000, "Browsers of all accounts together that show notifications."),
  guestLinksMax: number(100, 1, 10_000, "Guest links that have not expired."),
  guestVisitMinutes: number(
    15,
    1,
    1440,
    "Minutes without use after which a guest link's next use is a new visit in the journal.",
  ),
  guestLinkDaysMax: number(3650, 1, 3650, "Longest lifetime of a guest link in days, if it expires."),
  accountThingsMax: number(
    200,
    1,
    10_000,
    "Nodes, groups, programs or other things in each list of one account's limits.",
  ),
  limitedViewsMax: number(64, 1, 10_000, "Distinct sets of account limits whose documents are cached."),
  sessionsMax: number(200, 1, 10_000, "Sessions of one account; a further login ends the oldest."),
  passwordHashesAtOnce: number(2, 1, 16, "Password hashes computed at the same time (19 MiB each)."),
  passwordHashQueueMax: number(64, 1, 10_000, "Logins that wait for a password hash; more are refused for a while."),
  // HTTP
  bodyBytesMax: number(1_048_576, 1024, 104_857_600, "Bytes of a request body that holds a program."),
  smallBodyBytesMax: number(16_384, 4096, 1_048_576, "Bytes of any other request body, such as a login's."),
  bodyValuesMax: number(50_000, 1000, 10_000_000, "Entries of all lists and objects in the JSON of a request body."),
  strangerBodiesBytesMax: number(
    16_777_216,
    1_048_576,
    1_073_741_824,
    "Bytes of all request bodies without an account that arrive at the same time; beyond it the oldest is dropped.",
  ),
  accountBodiesBytesMax: number(
    16_777_216,
    1_048_576,
    1_073_741_824,
    "Bytes of one account's request bodies that arrive at the same time.",
  ),
  bodiesBytesMax: number(
    67_108_864,
    1_048_576,
    4_294_967_296,
    "Bytes of all accounts' request bodies that arrive at the same time.",
  ),
  urlBytesMax: number(16_384, 1024, 65_536, "Bytes of a request line's target."),
  headerBytesMax: number(32_768, 8192, 262_144, "Bytes of all request headers."),
  headersTimeoutMs: number(8000, 1000, 60_000, "Milliseconds within which a request's headers must arrive."),
  requestTimeoutMs: number(9000, 1000, 300_000, "Milliseconds within which a whole request must arrive."),
  keepAliveTimeoutMs: number(80_000, 5000, 600_000, "Milliseconds after which an idle connection is closed."),
  idleFirstRequestMs: number(
    8000,
    1000,
    60_000,
    "Milliseconds within which a new connection must send its first request. The same time applies to each next request without valid credentials, and twice that time after an authenticated one.",
  ),
  connectionsMax: number(12_000, 10, 100_000, "Open connections of one listener."),
  connectionsPerAddressMax: number(
    1000,
    10,
    100_000,
    "Open connections of one listener from one address; not for trusted proxies.",
  ),
  trustedProxies: list(
    "Addresses or CIDR ranges of reverse proxies whose forwarding header gives the client's address.",
  ),
  forwardedHeader: text(
    "X-Forwarded-For",
    "Header in which trusted proxies write the client's address: X-Forwarded-For or Forwarded; the other one is ignored.",
  ),
  accountRequestsMax: number(256, 8, 10_000, "Requests of one account processed at once; more wait."),
  addressRequestsMax: number(
    32,
    4,
    10_000,
    "Requests without an account from one address processed at once; more wait.",
  ),
  strangerRequestsMax: number(
    128,
    8,
    10_000,
    "Requests without an account processed at once, all addresses together; more wait.",
  ),
  requestDeadlineMs: number(20_000, 1000, 120_000, "Milliseconds after which a request fails."),
  // The event stream
  heartbeatIntervalMs: number(20_000, 1000, 60_000, "Milliseconds between two heartbeat frames."),
  streamClientsMax: number(500, 1, 10_000, "Clients of the event streams."),
  streamClientsPerAccountMax: number(250, 1, 10_000, "Clients of the event streams per account."),
  streamClientsPerAddressMax: number(250, 1, 10_000, "Clients of the event streams per address."),
  streamPlacesForOwners: number(
    50,
    0,
    10_000,
    "Clients of the event streams reserved for owners; at most half of all.",
  ),
  streamRingFrames: number(
    16_384,
    256,
    1_048_576,
    "Frames held for clients that lag; a client further behind is disconnected.",
  ),
  streamRingCharsMax: number(
    33_554_432,
    1_048_576,
    1_073_741_824,
    "Characters of all frames held for clients that lag; the oldest frames are dropped first.",
  ),
  streamSocketBytesMax: number(
    1_048_576,
    65_536,
    67_108_864,
    "Bytes buffered in one client's socket before writing pauses.",
  ),
  streamStallMs: number(
    30_000,
    1000,
    600_000,
    "Milliseconds without progress after which a lagging client is disconnected.",
  ),
  streamLoginTimeoutMs: number(
    5000,
    500,
    60_000,
    "Milliseconds within which the login message of a stream must arrive.",
  ),
  streamPingIntervalMs: number(
    30_000,
    1000,
    600_000,
    "Milliseconds between two pings; a client that misses one is disconnected.",
  ),
  streamFrameBytesMax: number(
    1_048_576,
    65_536,
    4_194_304,
    "Bytes of a frame to a client; larger events are not sent, because clients close the stream at such a frame.",
  ),
  streamMessageBytesMax: number(16_384, 1024, 1_048_576, "Bytes of a message from a client."),
  streamMessagesPerMinute: number(
    600,
    10,
    100_000,
    "Messages and pings per minute from one client; more disconnect it.",
  ),
  // Commands
  commandDeadlineMs: number(10_000, 100, 120_000, "Milliseconds within which a device must accept a command."),
  nodeQueueMax: number(500, 1, 10_000, "Commands waiting for one node."),
  queriesAtOnce: number(16, 1, 1000, "Nodes that are queried in the background at the same time."),
  nodeReportsPerSecond: number(
    100,
    10,
    10_000,
    "Reports of one node per second; above it only the latest values are applied, once a second.",
  ),
  commandsKept: number(1000, 10, 100_000, "Latest commands whose state can be read."),
  integrationsMax: number(100, 1, 10_000, "Integrations."),
  integrationSettingsBytesMax: number(65_536, 1024, 1_048_576, "Bytes of the settings of one integration, as JSON."),
  driverRestartMs: number(
    1000,
    10,
    60_000,
    "Milliseconds before a failed driver is restarted; doubles up to five minutes.",
  ),
  driverStartMs: number(
    15_000,
    100,
    300_000,
    "Milliseconds within which a driver's transport must be up; otherwise the driver has failed and is restarted.",
  ),
  driverStopMs: number(5000, 100, 60_000, "Milliseconds that a stop waits for a driver."),
  // Plugins
  pluginsMax: number(50, 1, 500, "Plugin servers."),
  pluginBrokerPort: number(0, 0, 65_535, "Port of the plugins' message broker on this machine; 0 = a free one."),
  pluginBrokerUrl: text(
    "",
    "Message broker for plugins, such as mqtts://broker.lan:8883; empty = the controller's own.",
  ),
  pluginBrokerCaFile: text("", "PEM file of the CA of that broker; empty = those that the machine trusts."),
  pluginBrokerUser: text("", "User name of the controller at that broker; empty = its certificate is enough."),
  pluginBrokerPasswordFile: text("", "File with the password of the controller at that broker."),
  pluginNodesMax: number(1000, 1, 100_000, "Nodes of one plugin."),
  pluginDataBytesMax: number(
    1_048_576,
    1024,
    67_108_864,
    "Bytes that one plugin may store: its parameters, notices and own data.",
  ),
  pluginMessagesPerSecond: number(500, 10, 100_000, "Messages per second of one plugin; more wait in its socket."),
  pluginsMessagesPerSecond: number(
    2000,
    10,
    100_000,
    "Messages per second of all plugins together; more wait in their sockets.",
  ),
  pluginWebHooksPerSecond: number(5, 1, 1000, "Web requests per second that are forwarded to one plugin."),
  pluginsWebHooksPerSecond: number(
    20,
    1,
    10_000,
    "Web requests per second that are forwarded to all plugins together.",
  ),
  pluginWebHooksWaitingMax: number(10, 1, 1000, "Web requests that wait for the answer of one plugin."),
  pluginSearchesMax: number(4, 1, 100, "Searches in the local network (mDNS) of all plugins at the same time."),
  pluginMessageBytesMax: number(
    1_048_576,
    1024,
    67_108_864,
    "Bytes of one message of a plugin; a longer message stops the plugin.",
  ),
  pluginMemoryMaxMiB: number(
    512,
    16,
    65_536,
    "MiB of memory of one plugin with its child processes; above it the plugin is stopped.",
  ),
  pluginsMemoryMaxMiB: number(
    2048,
    16,
    1_048_576,
    "MiB of memory of all plugins together; above it the largest one is stopped.",
  ),
  pluginCpuMaxPercent: number(
    90,
    1,
    100_000,
    "Percent of one processor that a plugin may use on average over pluginCpuWindowMs; more stops the plugin.",
  ),
  pluginCpuWindowMs: number(
    8000,
    1000,
    3_600_000,
    "Milliseconds over which a plugin's processor use is averaged; four times as long during its start.",
  ),
  pluginProcessesMax: number(64, 1, 10_000, "Processes of one plugin; more stop the plugin."),
  pluginsProcessesMax: number(
    500,
    1,
    100_000,
    "Processes of all plugins together; above it the one with the most is stopped.",
  ),
  pluginOpenFilesMax: number(1024, 64, 1_048_576, "Files and sockets that one process of a plugin may have open."),
  pluginAsRoot: flag(
    false,
    "Plugins run as root where there is no bubblewrap; they can then read and change everything.",
  ),
  pluginHiddenPaths: list(
    "Files and directories that plugins in the sandbox cannot see, in addition to the data, keys and logins of the controller.",
  ),
  pluginDiskMaxMiB: number(1024, 16, 1_048_576, "MiB of files in the directory of one plugin; more stop the plugin."),
  pluginsDiskMaxMiB: number(
    8192,
    16,
    16_777_216,
    "MiB of files in the directories of all running plugins; above it the one with the most is stopped.",
  ),
  pluginStartMs: number(60_000, 1000, 600_000, "Milliseconds within which a started plugin must connect."),
  pluginInstallMs: number(900_000, 1000, 3_600_000, "Longest time of each step of installing a plugin's requirements."),
  pluginArchiveBytesMax: number(33_554_432, 65_536, 268_435_456, "Bytes of the archive of a plugin."),
  pluginUnpackedBytesMax: number(268_435_456, 65_536, 4_294_967_296, "Bytes of a plugin's unpacked files."),
  // Programs
  scheduleCatchUp: flag(false, "Runs all schedules of the day that were missed while the controller was down."),
  scheduleGraceS: number(900, 1, 86_400, "Longest delay in seconds with which a missed schedule still runs."),
  programStepsMax: number(10_000, 100, 10_000_000, "Statements of a program without a wait; then it is stopped."),
  programCallsMax: number(
    64,
    4,
    1000,
    "Depth of programs that call one another in one instant; then they are stopped.",
  ),
  programChainStartsMax: number(
    1000,
    10,
    100_000,
    "Program starts caused by one event without a wait; then the programs of the loop are stopped.",
  ),
  programStartsWaitingMax: number(
    20_000,
    100,
    1_000_000,
    "Program starts that wait for their turn; further ones are dropped and traced.",
  ),
  programCausedStartsWaitingMax: number(1000, 100, 1_000_000, "Queued starts by programs; beyond it, one per program."),
  programItemsPerTurn: number(64, 1, 10_000, "Program starts and statements that run before other work is processed."),
  programIntentWaitMs: number(
    1000,
    0,
    10_000,
    "Longest wait for the disk before a program sends a non-repeatable command.",
  ),
  programStartWaitMs: number(
    3,
    0,
    10_000,
    "Longest wait for the disk before the first commands of a run that a crash would lose; 0 = none.",
  ),
  coldStart: flag(false, "Starts as after a boot of the machine: initial values, programs marked for startup."),
  // Network resources
  networkTargets: list(
    "Hosts, addresses or CIDR ranges of the local network that network resources and push notifications may reach; host:port allows one port.",
  ),
  networkTimeoutMs: number(30_000, 100, 120_000, "Longest timeout of a network resource."),
  networkAnswerBytesMax: number(65_536, 1024, 10_485_760, "Bytes of a response to a network resource that are read."),
  networkFiresAtOnce: number(16, 1, 1000, "Network resource requests at the same time."),
  // Twins
  twinCharsMax: number(
    134_217_728,
    1_048_576,
    1_073_741_824,
    "Characters of all documents together from which a twin is made.",
  ),
  // Notifications
  notificationsPerMinute: number(30, 1, 10_000, "Notifications per minute over all channels; more fail."),
  notificationsWaitingMax: number(100, 1, 10_000, "Notifications of all channels that wait for a retry."),
  notificationsWaitingPerChannelMax: number(50, 1, 10_000, "Notifications of one channel that wait for a retry."),
  notificationWaitLongestMs: number(
    86_400_000,
    60_000,
    2_592_000_000,
    "Age at which a notification is dropped that still waits when the controller starts.",
  ),
  // The store
  commitIntervalMs: number(
    0,
    0,
    10,
    "Longest wait of a write for others to share its commit, in addition to the running commit.",
  ),
  reportFlushMs: number(250, 10, 10_000, "Longest wait of a device report before it is journaled."),
  reportFlushEntries: number(256, 1, 8192, "Device reports that wait; at this number they are journaled."),
  journalDaysMax: number(30, 1, 3650, "Days for which journal entries are stored."),
  journalBytesMax: number(
    536_870_912,
    1_048_576,
    1_099_511_627_776,
    "Bytes of the journal; beyond it the oldest entries are deleted.",
  ),
  editDaysMax: number(366, 1, 3650, "Days for which edits of the configuration can be undone."),
  editsMax: number(10_000, 10, 100_000, "Edits that can be undone; the oldest are removed first."),
  editCharsMax: number(
    16_777_216,
    1_048_576,
    268_435_456,
    "Characters of all edits that can be undone; the oldest are removed first.",
  ),
  snapshotIntervalMs: number(
    86_400_000,
    60_000,
    604_800_000,
    "Milliseconds between two copies of the home beside the database.",
  ),
  backupHour: number(
    3,
    -1,
    23,
    "Hour of the home's day at which a backup is made and verified every night; −1 = none.",
  ),
  backupsKept: number(7, 1, 1000, "Nightly backups that are stored; the oldest are removed first."),
  backupTestDays: number(
    30,
    0,
    3650,
    "Days between tests that restore the newest nightly backup into memory; 0 = never.",
  ),
  backupDirectory: text("", "Directory of the backups; empty = backups in the data directory."),
  backupPassphraseFile: text(
    "",
    "File whose first line is the passphrase of nightly backups, readable only by its owner. Empty = unencrypted, without secrets.",
  ),
  diskFreeBytesMin: number(
    268_435_456,
    0,
    1_099_511_627_776,
    "Free bytes on the disk of the data directory below which /healthz reports degraded.",
  ),
  memoryBytesHigh: number(
    1_073_741_824,
    67_108_864,
    1_099_511_627_776,
    "Bytes of memory of the service above which /healthz reports degraded.",
  ),
  historyDaysMax: number(730, 1, 36_500, "Days for which property values are stored for charts."),
  historyBytesMax: number(
    1_073_741_824,
    1_048_576,
    1_099_511_627_776,
    "Bytes of these values; beyond it the oldest are deleted.",
  ),
  historyQueriesMax: number(32, 1, 1000, "Queries of the history at the same time; more are refused."),
  accountHistoryQueriesMax: number(4, 1, 1000, "Queries of the history by one account processed at once; more wait."),
  pastHomesMax: number(4, 1, 100, "Past states of the home that are cached in memory."),
  replaysAtOnce: number(1, 1, 8, "Replays that run at the same time; more are refused."),
  replaysKept: number(10, 1, 100, "Replays whose results are stored in memory."),
  replaySecondsMax: number(120, 5, 3600, "Longest time of a replay in seconds."),
  replayMemoryMb: number(512, 64, 4096, "Megabytes of memory of one replay."),
  replayUnreadSeconds: number(30, 20, 3600, "Seconds after the last read of its status at which a replay is canceled."),
  replayRowsMax: number(500, 10, 5000, "Differences that the result of a replay lists."),
  replayChangesMax: number(20, 1, 100, "Changed programs of one replay."),
  diskReserveBytes: number(
    8_388_608,
    0,
    1_073_741_824,
    "Bytes of a file that reserves space and is deleted when the disk is full; 0 = none.",
  ),
  storeBacklogMax: number(
    100_000,
    1000,
    10_000_000,
    "Journal entries held in memory while the disk rejects writes; the oldest reports are dropped first.",
  ),
  historySearchEntriesMax: number(
    4_000_000,
    16_384,
    1_000_000_000,
    "Journal entries that one query about the past searches, backward from its time.",
  ),
  traceRecordsMax: number(
    200_000,
    100,
    100_000_000,
    "Trace records that are stored; the oldest records of the programs with the most are removed first.",
  ),
  traceBytesMax: number(268_435_456, 65_536, 1_099_511_627_776, "Bytes of the trace records."),
  traceBacklogMax: number(
    5000,
    100,
    1_000_000,
    "Trace records that wait for the disk; further records of busy programs are dropped and counted.",
  ),
  variablesAfterBoot: text("init", "init or keep: the values of variables after the machine has booted."),
  // Limits of the home
  foldersMax: number(10_000, 1, 100_000, "Folders."),
  folderDepthMax: number(32, 1, 100, "Depth of nested folders."),
  scenesMax: number(10_000, 1, 100_000, "Scenes."),
  sceneMembersMax: number(1000, 1, 100_000, "Members of one scene."),
  networkResourcesMax: number(1000, 1, 65_535, "Network resources."),
  nodesMax: number(100_000, 1, 1_000_000, "Nodes."),
  variablesMax: number(10_000, 1, 65_535, "Variables of one type."),
  programsMax: number(20_000, 1, 65_535, "Programs and program folders."),
  programStatementsMax: number(2000, 10, 100_000, "Conditions and actions of one program."),
  programLinesMax: number(10_000, 100, 1_000_000, "Lines of the text of a program."),
  programDepthMax: number(16, 1, 24, "Depth of nested parentheses in the conditions of a program."),
  programFolderDepthMax: number(32, 1, 100, "Depth of nested program folders."),
  programCommentCharsMax: number(4000, 0, 100_000, "Characters of a program's comment."),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S extends Setting> = S extends NumberSetting
  ? number
  : S extends FlagSetting
    ? boolean
    : S extends ListSetting
      ? readonly string[]
      : string;
export type Config = { readonly [N in SettingName]: ValueOf<(typeof SETTINGS)[N]> };

/**
 * The configuration from named values (of a file, then of the command line); what is not named has its default.
 * @throws ControllerError BAD_VALUE naming the setting and its range.
 */
export function parseConfig(values: Readonly<Record<string, unknown>>): Config {
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(SETTINGS, name))
      throw badValue(`There is no setting "${name}". docs/operations.md lists them all.`);
  }
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [name, parseSetting(name, setting, values[name])]);
  return Object.fromEntries(entries) as Config;
}
