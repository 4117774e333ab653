/**
 * Whether the controller does its work, and what is wrong when it does not. Only what its owner can mend counts: a device that
 * does not answer is shown at the device.
 *
 * @see docs/interface/monitoring.md
 */

import type { Config } from "../config.ts";
import type { ServiceState } from "../drivers/service.ts";
import type { Backups, StoreStatus } from "../home/durability.ts";
import type { Clock } from "../util/clock.ts";
import type { ClockSyncReader } from "./clock-sync.ts";
import type { DiskSpaceReader } from "./disk-space.ts";

export const HEALTH_REASONS = [
  "DISK_FAILING",
  "WRITER_UNCONFIRMED",
  "DISK_LOW",
  "MEMORY_HIGH",
  "INTEGRATION_DOWN",
  "BACKUP_FAILED",
  "BACKUP_TEST_FAILED",
  "CERTIFICATE_ENDING",
  "CLOCK_WRONG",
  "CLOCK_UNSYNCHRONIZED",
] as const;

export type HealthReason = { readonly code: (typeof HEALTH_REASONS)[number]; readonly detail: string };

type HealthReport = {
  /** `starting`: a radio is not up yet, and has not failed either. */
  readonly status: "starting" | "ok" | "degraded";
  /** Empty unless degraded. */
  readonly reasons: readonly HealthReason[];
  readonly certificate: CertificateState;
  readonly store: StoreStatus;
};

export type CertificateState = {
  readonly source: "own" | "file" | "upload" | "acme";
  /** 0: no certificate yet. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Why the last try to renew it failed. */
  readonly failure: string | null;
  /** When the controller tries to renew it; null = the certificate is not one of an ACME server. */
  readonly nextMs: number | null;
};

type HealthPorts = {
  readonly config: Pick<Config, "diskFreeBytesMin" | "memoryBytesHigh" | "backupHour">;
  readonly clock: Clock;
  readonly clockSync: Pick<ClockSyncReader, "read">;
  readonly disk: Pick<DiskSpaceReader, "read">;
  /** Resident memory of the process. */
  readonly memoryBytes: () => number;
  /** Whether the disk takes writes. */
  readonly isWriting: () => boolean;
  readonly storeStatus: () => StoreStatus;
  readonly integrations: { list(): readonly { readonly name: string; state: ServiceState; readonly reason: string }[] };
  readonly backups: Pick<Backups, "list">;
  readonly certificate: { state(): Promise<CertificateState> };
};

/** A clock that shows less has lost its battery: this version did not exist then. */
const PLAUSIBLE_FROM_MS = Date.UTC(2026, 0, 1);
/** Two nights without a backup, and some hours for a machine that was off. */
const BACKUP_OLD_MS = 52 * 3_600_000;
/** Part of its lifetime that a certificate has left when its renewal is late: half of the time that there was for it. */
const LIFE_LEFT_MIN = 1 / 6;
/** A certificate that lasts for years need not alarm months before. */
const LIFE_LEFT_MIN_MS = 14 * 86_400_000;

export class Health {
  readonly #ports: HealthPorts;
  #isStarted = false;

  constructor(ports: HealthPorts) {
    this.#ports = ports;
  }

  /** Call once every integration is up or has failed for the first time. */
  started(): void {
    this.#isStarted = true;
  }

  async report(): Promise<HealthReport> {
    const certificate = await this.#ports.certificate.state();
    const store = this.#ports.storeStatus();
    if (!this.#isStarted) return { status: "starting", reasons: [], certificate, store };
    const reasons = [
      ...(await this.#disk(store)),
      ...this.#writer(store),
      ...this.#memory(),
      ...this.#integrations(),
      ...this.#backups(),
      ...this.#backupTest(),
      ...this.#certificate(certificate),
      ...(await this.#clock()),
    ];
    return { status: reasons.length > 0 ? "degraded" : "ok", reasons, certificate, store };
  }

  async #disk({ isConfirmed }: StoreStatus): Promise<readonly HealthReason[]> {
    const { config, disk, isWriting } = this.#ports;
    // Where the database keeps the home, its absence is a reason of its own.
    if (!isWriting() && isConfirmed) {
      return [
        { code: "DISK_FAILING", detail: "The disk rejects writes. Changes are refused until it accepts them again." },
      ];
    }
    const space = await disk.read();
    if (space === null || space.freeBytes >= config.diskFreeBytesMin) return [];
    const detail = `The disk of the data directory has ${megabytes(space.freeBytes)} MB left. Make room on it.`;
    return [{ code: "DISK_LOW", detail }];
  }

  #writer({ isConfirmed }: StoreStatus): readonly HealthReason[] {
    if (isConfirmed) return [];
    const detail =
      "The database does not confirm that this machine writes the home. Nothing that another machine could also do is done until it does.";
    return [{ code: "WRITER_UNCONFIRMED", detail }];
  }

  #memory(): readonly HealthReason[] {
    const { config, memoryBytes } = this.#ports;
    const bytes = memoryBytes();
    if (bytes < config.memoryBytesHigh) return [];
    const detail = `The service takes ${megabytes(bytes)} MB of memory, above the ${megabytes(config.memoryBytesHigh)} MB of memoryBytesHigh. Restart it, and send a report: domovoi report`;
    return [{ code: "MEMORY_HIGH", detail }];
  }

  #integrations(): readonly HealthReason[] {
    return this.#ports.integrations
      .list()
      .filter(({ state }) => state === "failed" || state === "degraded")
      .map(({ name, reason }) => ({ code: "INTEGRATION_DOWN", detail: `${name}: ${reason}` }));
  }

  #backups(): readonly HealthReason[] {
    const { config, backups, clock } = this.#ports;
    const [newest, ...before] = backups.list();
    if (newest?.state === "failed") return [{ code: "BACKUP_FAILED", detail: newest.failure ?? "" }];
    const ready = [newest, ...before].find((backup) => backup?.state === "ready");
    if (!ready || config.backupHour < 0 || clock.now() - ready.takenAtMs < BACKUP_OLD_MS) return [];
    const since = new Date(ready.takenAtMs).toISOString();
    return [{ code: "BACKUP_FAILED", detail: `No backup was made since ${since}. The log says why.` }];
  }

  #backupTest(): readonly HealthReason[] {
    const failed = this.#ports.backups.list().find(({ test }) => test && test.failure !== null);
    if (!failed?.test?.failure) return [];
    return [{ code: "BACKUP_TEST_FAILED", detail: `The backup ${failed.id} does not restore. ${failed.test.failure}` }];
  }

  #certificate({ source, fromMs, toMs, failure, nextMs }: CertificateState): readonly HealthReason[] {
    // The controller renews its own certificate within a day.
    if (source === "own") return [];
    const nowMs = this.#ports.clock.now();
    const isLate = toMs - nowMs < Math.min((toMs - fromMs) * LIFE_LEFT_MIN, LIFE_LEFT_MIN_MS);
    if (toMs === 0 ? failure === null : !isLate) return [];
    const end = toMs === 0 ? "There is no certificate yet." : `The certificate ends ${new Date(toMs).toISOString()}.`;
    const why = failure === null ? "It was not renewed." : `The last try to renew it failed: ${failure}`;
    const next = nextMs === null ? "" : ` The next try is at ${new Date(nextMs).toISOString()}.`;
    return [{ code: "CERTIFICATE_ENDING", detail: `${end} ${why}${next}` }];
  }

  async #clock(): Promise<readonly HealthReason[]> {
    const nowMs = this.#ports.clock.now();
    if (nowMs < PLAUSIBLE_FROM_MS) {
      const shown = new Date(nowMs).toISOString();
      return [
        { code: "CLOCK_WRONG", detail: `The clock of the machine shows ${shown}. Schedules run at wrong times.` },
      ];
    }
    if ((await this.#ports.clockSync.read()) !== false) return [];
    const detail =
      "The clock of the machine follows no time server, so schedules drift. Turn it on: timedatectl set-ntp true";
    return [{ code: "CLOCK_UNSYNCHRONIZED", detail }];
  }
}

/** As documents show it. */
export function certificateFacts({ source, toMs, failure, nextMs }: CertificateState) {
  const iso = (atMs: number | null) => (atMs ? new Date(atMs).toISOString() : null);
  return { source, validTo: iso(toMs), renewalFailure: failure, nextRenewal: iso(nextMs) };
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
