/** The services that handlers can use. */

import type { Auth } from "../auth/auth.ts";
import type { CommandPorts } from "../commands/ports.ts";
import type { PluginFolders } from "../drivers/plugin-port.ts";
import type { ServiceStore } from "../drivers/service.ts";
import type { Past } from "../history/past.ts";
import type { Backups } from "../home/durability.ts";
import type { History } from "../home/history.ts";
import type { HomeCopies } from "../home/home-copy.ts";
import type { Integrations } from "../integrations/integrations.ts";
import type { Health } from "../monitoring/health.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { Notifier } from "../notifications/notifier.ts";
import type { ProgramTrace } from "../programs/trace/program-trace.ts";
import type { TurnedPrograms } from "../programs/turned-states.ts";
import type { ReplayJobs } from "../replay/replay-job.ts";
import type { Documents } from "./documents.ts";
import type { Page } from "./page/page.ts";
import type { ServedCertificate } from "./served-certificate.ts";
import type { ProgramKeys } from "./soap/program-keys.ts";

type StreamSubscriber = { readonly sid: number; readonly isPortal: boolean; readonly remoteAddress: string };

export type Services = CommandPorts & {
  readonly auth: Auth;
  readonly certificate: ServedCertificate;
  readonly integrations: Integrations;
  readonly documents: Documents;
  readonly page: Page;
  readonly notifier: Notifier;
  /** The key that browsers need to take notifications of this controller. */
  readonly pushKey: () => string;
  readonly pluginFolders: PluginFolders;
  readonly trace: ProgramTrace;
  /** For questions about what was. */
  readonly past: Past;
  readonly backups: Backups;
  readonly replays: ReplayJobs;
  readonly homeCopies: HomeCopies;
  readonly health: Health;
  /** null: the setting metricsTokenFile is empty. */
  readonly metrics: Metrics | null;
  /** The support report, without secrets and names. */
  readonly report: () => Promise<object>;
  readonly history: History;
  /** The present clients of the event streams, for `/rest/subscriptions`. */
  readonly subscribers: () => readonly StreamSubscriber[];
  /** Ends a stream of the account. @returns false when it has none with this number. */
  readonly endSubscriber: (accountId: string, sid: number) => boolean;
  /** The picture of the home as `image`, the places of its nodes as `places`. */
  readonly floorPlan: ServiceStore;
  /** Since when an account reads the log, by its id, in milliseconds; it has asked to begin there. */
  readonly logBegins: Map<string, number>;
  readonly programKeys: ProgramKeys;
  /** What an account has set as level of debugging, by its id. Nothing follows from it; clients read it again. */
  readonly debugLevels: Map<string, number>;
  readonly turned: TurnedPrograms;
  /** Version of the product, from package.json. */
  readonly productVersion: string;
};
