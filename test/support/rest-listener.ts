/** A whole controller with the demo home, with requests to its local listener like a legacy client's. */

import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/config.ts";
import type { Change } from "../../src/home/change.ts";
import type { Services } from "../../src/http/services.ts";
import { type Controller, startController } from "../../src/main.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { readXml, type XmlElement } from "./read-xml.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly bytes: Buffer;
};

export type RestListener = {
  readonly controller: Controller;
  readonly services: Services;
  /** A GET with the local administrator's credentials; `headers` replaces them. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The answer's root. @throws Error unless it is 200 and well-formed. */
  xml(path: string): Promise<XmlElement>;
  /** The changes of the home since the listener was opened or `changes` was last called. */
  changes(): readonly Change[];
  /** Settles with the first change from now on that fits. */
  changed(fits: (change: Change) => boolean): Promise<Change>;
  close(): Promise<void>;
};

const LOCAL_USER = "admin";
const LOCAL_PASSWORD = "porridge-in-the-morning-41";
export const BASIC = `Basic ${Buffer.from(`${LOCAL_USER}:${LOCAL_PASSWORD}`).toString("base64")}`;

export async function openRestListener(
  settings: Readonly<Record<string, unknown>> = {},
  clock: Clock = systemClock,
): Promise<RestListener> {
  const data = mkdtempSync(join(tmpdir(), "rest-listener-"));
  const given = { data, demo: true, still: true, portalPort: 0, localPort: 0, timeZone: "Europe/Berlin", ...settings };
  const controller = await startController(parseConfig(given), {
    clock,
    randomness: systemRandomness,
    log: createLog("silent"),
    firstAccounts: {
      ownerEmail: "owner@example.org",
      ownerPassword: "a-long-walk-by-the-river-17",
      localUser: LOCAL_USER,
      localPassword: LOCAL_PASSWORD,
    },
  });
  const agent = new Agent({ keepAlive: true, ca: controller.caCertificate, maxSockets: 50 });
  const { services } = controller;
  let changes: Change[] = [];
  services.feed.listen(({ change }) => void changes.push(change));
  const get = (path: string, headers: Readonly<Record<string, string>> = { authorization: BASIC }) =>
    ask(agent, `${controller.localUrl}${path}`, headers);
  return {
    controller,
    services,
    get,
    async xml(path) {
      const answer = await get(path);
      if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${answer.body}`);
      return readXml(answer.body);
    },
    changes() {
      const since = changes;
      changes = [];
      return since;
    },
    changed: (fits) => nextChange(services, fits),
    async close() {
      agent.destroy();
      await controller.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function ask(agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString(), bytes });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

function nextChange(services: Services, fits: (change: Change) => boolean): Promise<Change> {
  return new Promise((resolve) => {
    const end = services.feed.listen(({ change }) => {
      if (!fits(change)) return;
      end();
      resolve(change);
    });
  });
}
