/** The thread of a copy that the page began: reads the other controller and plans its home, or makes the planned home. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { ClientError } from "@domovoi/client";
import type { Account } from "../auth/records.ts";
import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { CopyItem, CopyRequest, HomeCopy } from "../home/home-copy.ts";
import { readSecretFiles, replaceSecretFiles } from "../store/secrets.ts";
import { systemClock } from "../util/clock.ts";
import { modeOfUser } from "../util/controller-address.ts";
import { createLog } from "../util/log.ts";
import { type CheckedTarget, pinned } from "../util/network-target.ts";
import { answerTask } from "../util/thread-task.ts";
import { beginMoveIn } from "./begin-move-in.ts";
import { makeTwin, requireFits } from "./make-twin.ts";
import { moveInCheckList } from "./move-in-check-list.ts";
import { planTwin } from "./plan-twin.ts";
import { readController } from "./read-controller.ts";

export type CopyTask =
  | {
      readonly kind: "read";
      readonly config: Config;
      /** For an original that sends nothing about itself. */
      readonly controller: ControllerRecord;
      readonly access: CopyRequest;
      /** Of the address, checked. */
      readonly target: CheckedTarget;
    }
  | {
      readonly kind: "make";
      /** Those of a home in a directory of its own, which is not there yet. */
      readonly config: Config;
      readonly controller: ControllerRecord;
      readonly documents: SharedArrayBuffer;
      /** Of the people and programs that log in here. */
      readonly accounts: readonly Account[];
      /** Directory of the secrets of this home. */
      readonly secrets: string;
    };

export type CopyPlan = {
  readonly name: string;
  readonly items: readonly CopyItem[];
  /** The documents that were read, as JSON; shared, because a copy of them would hold up the event loop. */
  readonly documents: SharedArrayBuffer;
};

export type CopyAnswer = CopyPlan | NonNullable<HomeCopy["failure"]> | null;

/** About as many as a controller has. */
const DOCUMENTS = 16;

await answerTask((task: CopyTask, tell: (progress: number) => void): Promise<CopyAnswer> => {
  return task.kind === "read" ? read(task, tell) : make(task, tell);
});

type Task<K extends CopyTask["kind"]> = Extract<CopyTask, { readonly kind: K }>;

async function read({ access, target, config, controller }: Task<"read">, tell: (progress: number) => void) {
  let count = 0;
  const onDocument = () => {
    count += 1;
    tell(Math.min(count / DOCUMENTS, 1));
  };
  try {
    const original = await readController(
      { ...access, mode: modeOfUser(access.user), lookup: pinned(target) },
      config,
      onDocument,
    );
    const plan = planTwin(original, { controller, nowMs: systemClock.now() });
    requireFits(plan, config);
    return { name: plan.controller.name, items: moveInCheckList(plan), documents: shared(original) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return failure;
    throw error;
  }
}

function failureOf(error: unknown): HomeCopy["failure"] {
  if (error instanceof ControllerError)
    return {
      reason: error.message.includes("longer than twinCharsMax") ? "too-large" : "unreadable",
      sentence: error.message,
    };
  if (!(error instanceof ClientError)) return null;
  const { code, message: sentence } = error;
  if (code === "AUTH_FAILED") return { reason: "credentials", sentence };
  if (sentence.includes("certificate")) return { reason: "certificate", sentence };
  const isReached = code === "HTTP_STATUS" || code === "BAD_DOCUMENT" || code === "REFUSED";
  return { reason: isReached ? "unreadable" : "unreachable", sentence };
}

async function make(task: Task<"make">, tell: (progress: number) => void): Promise<null> {
  const { config, controller, accounts, secrets } = task;
  rmSync(config.data, { recursive: true, force: true });
  const plan = planTwin(documentsIn(task.documents), { controller, nowMs: systemClock.now() });
  const ports = { config, clock: systemClock, log: createLog("warn") };
  const onProgress = (done: number, all: number) => tell(done / all);
  await makeTwin(plan, {
    ...ports,
    onProgress,
    async beforeComplete({ store, home, feed }) {
      await beginMoveIn({ ...ports, home, feed, durability: store });
      for (const account of accounts) await store.accounts.putAccount(account);
    },
  });
  // Of the controller, so that browsers trust it as before; those of its integrations belong to the home before.
  const kept = [...readSecretFiles(secrets)].filter(([name]) => !name.startsWith("integration."));
  replaceSecretFiles(join(config.data, "secrets"), new Map(kept));
  return null;
}

function shared(documents: ReadonlyMap<string, string>): SharedArrayBuffer {
  const bytes = new TextEncoder().encode(JSON.stringify([...documents]));
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

/** Written by `shared`. */
function documentsIn(buffer: SharedArrayBuffer): ReadonlyMap<string, string> {
  return new Map(JSON.parse(Buffer.from(buffer).toString("utf8")) as [string, string][]);
}
