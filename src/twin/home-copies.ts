/** Copies of other controllers' homes, made by the running controller: read and planned in a thread, made beside the home, put in its place. */

import { lookup } from "node:dns/promises";
import { extname, join } from "node:path";
import type { AccountStore } from "../auth/records.ts";
import { resourceRules } from "../commands/resource-targets.ts";
import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Home } from "../home/home.ts";
import type { CopyObstacle, CopyRequest, HomeCopies, HomeCopy } from "../home/home-copy.ts";
import { ALERTS } from "../home/integrations.ts";
import { QUERY_ALL_ID } from "../home/programs.ts";
import { completeStage, stageOf } from "../store/backup/settle-restore.ts";
import type { Clock, Timer } from "../util/clock.ts";
import { readControllerAddress } from "../util/controller-address.ts";
import type { Log } from "../util/log.ts";
import { canonicalHost, type Resolve, refuseKnownTarget, resolveTarget } from "../util/network-target.ts";
import { runInThread } from "../util/thread-task.ts";
import type { CopyAnswer, CopyPlan, CopyTask } from "./home-copy-worker.ts";

type CopyPorts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly home: Home;
  readonly accounts: Pick<AccountStore, "accounts">;
  /** The identity of a new home. */
  readonly newController: () => ControllerRecord;
  /** Starts the controller again on its data directory; null where it cannot. */
  readonly restart: (() => void) | null;
  /** The name service; default: the system's. */
  readonly resolve?: Resolve;
};

const PLAN_KEPT_MS = 1_800_000;
const THREAD = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 } as const;
const HTTPS_PORT = 443;
const NO_COPY: Readonly<Record<CopyObstacle, string>> = {
  demo: "This is the demo home, which a copy cannot replace. Start Domovoi without the demo, in another data directory.",
  database: 'The home is kept in a database. Copy with "domovoi move-in" while the service is stopped.',
  follows: "This home follows another controller, so no other home can be copied into it.",
};

export function createHomeCopies(ports: CopyPorts): HomeCopies {
  const { config, home } = ports;
  const jobs = new CopyJob(ports);
  const obstacle = obstacleOf(ports);
  const requirePossible = () => {
    if (obstacle) throw new ControllerError("CONFLICT", NO_COPY[obstacle]);
    jobs.requireIdle();
  };
  const present = () => ({
    nodes: home.nodes.size,
    scenes: home.groups.size,
    programs: [...home.programs.values()].filter(({ kind, id }) => kind === "program" && id !== QUERY_ALL_ID).length,
    // Every home has that of alerts.
    integrations: [...home.integrations.values()].filter(({ type }) => type !== ALERTS).length,
  });
  return {
    obstacle,
    present,
    current: () => jobs.current,
    async read(request) {
      requirePossible();
      const { access, target } = await checkRequest(ports, request);
      jobs.requireIdle();
      return jobs.begin({ kind: "read", config, controller: ports.newController(), access, target }, access.url);
    },
    make(replaces) {
      requirePossible();
      if (!replaces && Object.values(present()).some((count) => count > 0))
        throw new ControllerError(
          "CONFLICT",
          "This home is not empty. A copy replaces it; the home is then kept aside.",
        );
      return jobs.make();
    },
    settled: (signal) => jobs.settled(signal),
    remove: () => jobs.remove(),
    close: () => jobs.close(),
  };
}

function obstacleOf({ config, restart }: CopyPorts): CopyObstacle | null {
  if (config.demo) return "demo";
  if (config.storeUrl !== "") return "database";
  return restart ? null : "follows";
}

/** As requests of network resources are checked. */
async function checkRequest(ports: CopyPorts, { url, user, password, insecure }: CopyRequest) {
  const address = readControllerAddress(url.includes("://") ? url : `https://${url}`, insecure);
  if ("problem" in address) throw badValue(address.problem);
  const { hostname, port, protocol } = new URL(address.origin);
  const host = canonicalHost(hostname);
  const at = port === "" ? HTTPS_PORT : Number(port);
  const rules = resourceRules(ports);
  refuseKnownTarget(host, at, rules);
  const { resolve = (name: string) => lookup(name, { all: true }) } = ports;
  const target = await resolveTarget(host, protocol === "http:" && port === "" ? 80 : at, rules, resolve).catch(
    (error: unknown) => {
      if (error instanceof ControllerError) throw error;
      throw badValue(`The name ${host} has no address in this network. Check it, or use the address in numbers.`);
    },
  );
  return { access: { url: address.origin, user, password, insecure }, target };
}

/** One copy at a time. */
class CopyJob {
  readonly #ports: CopyPorts;
  #copy: HomeCopy | null = null;
  #plan: CopyPlan | null = null;
  #running: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null;
  #expiry: Timer | null = null;

  constructor(ports: CopyPorts) {
    this.#ports = ports;
  }

  get current(): HomeCopy | null {
    return this.#copy;
  }

  requireIdle(): void {
    if (this.#running || this.#copy?.state === "restarting")
      throw new ControllerError("CONFLICT", "A copy is under way already. Wait until it ends, or cancel it.");
  }

  begin(task: CopyTask, url: string): HomeCopy {
    this.#forgetPlan();
    const copy: HomeCopy = { state: "reading", url, progress: 0, name: null, items: [], failure: null };
    this.#run(copy, task, (answer) => {
      if (answer === null) return;
      this.#plan = answer;
      this.#copy = { ...copy, state: "planned", progress: 1, name: answer.name, items: answer.items };
      this.#expiry = this.#ports.clock.setTimer(() => this.remove(), PLAN_KEPT_MS);
    });
    return copy;
  }

  make(): HomeCopy {
    const { config, accounts, newController, clock, restart, log } = this.#ports;
    if (!this.#plan || !this.#copy) throw new ControllerError("CONFLICT", "Read the other controller first.");
    const copy: HomeCopy = { ...this.#copy, state: "copying", progress: 0 };
    const { documents } = this.#plan;
    this.#forgetPlan();
    const task: CopyTask = {
      kind: "make",
      config: { ...config, data: stageOf(config.data), diskReserveBytes: 0, backupHour: -1 },
      controller: newController(),
      documents,
      accounts: accounts.accounts().filter(({ kind }) => kind !== "guest"),
      secrets: join(config.data, "secrets"),
    };
    this.#run(copy, task, () => {
      const aside = completeStage(config.data, clock.now());
      this.#copy = { ...copy, state: "restarting", progress: 1 };
      log.info("The home of the other controller is copied. The controller restarts with it.", {
        url: copy.url,
        aside,
      });
      restart?.();
    });
    return copy;
  }

  async settled(signal: AbortSignal): Promise<void> {
    const { ended } = this.#running ?? {};
    if (!ended || signal.aborted) return;
    await Promise.race([ended, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
  }

  remove(): void {
    this.#running?.abort.abort();
    this.#forgetPlan();
    if (this.#copy?.state !== "restarting") this.#copy = null;
  }

  async close(): Promise<void> {
    this.remove();
    await this.#running?.ended;
  }

  #forgetPlan(): void {
    this.#plan = null;
    this.#expiry?.cancel();
  }

  #run(copy: HomeCopy, task: CopyTask, done: (answer: CopyPlan | null) => void): void {
    const abort = new AbortController();
    const ended = this.#answer(copy, task, abort.signal, done);
    this.#copy = copy;
    this.#running = { abort, ended };
  }

  /** Never rejects. */
  async #answer(
    copy: HomeCopy,
    task: CopyTask,
    signal: AbortSignal,
    done: (answer: CopyPlan | null) => void,
  ): Promise<void> {
    const fail = (failure: NonNullable<HomeCopy["failure"]>) => {
      this.#copy = signal.aborted ? null : { ...copy, state: "failed", failure };
    };
    try {
      const answer = await runInThread<number, CopyAnswer>({
        entry: new URL(`./home-copy-worker${extname(import.meta.url)}`, import.meta.url),
        task,
        resourceLimits: THREAD,
        onProgress: (progress) => {
          if (!signal.aborted) this.#copy = { ...copy, progress };
        },
        signal,
      });
      if (signal.aborted) return;
      if (answer && "reason" in answer) fail(answer);
      else done(answer);
    } catch (error) {
      if (!signal.aborted) this.#ports.log.error("The copy of another controller failed.", { error });
      fail({ reason: "internal", sentence: "The copy failed. The log of the controller has the reason." });
    } finally {
      this.#running = null;
    }
  }
}
