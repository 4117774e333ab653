/** Trouble from inside the home: programs in breadth and in loops, lamps that are switched as fast as they can be, a disk that stalls. */

import { Agent, request } from "node:https";
import { DatabaseSync } from "node:sqlite";
import { type Actor, crowd, pause, pick, type Scene } from "./scene.ts";

export const programsInBreadth: Actor = (scene) => running(scene, scene.targets.programs.breadth);
export const programsThatRepeat: Actor = (scene) => running(scene, scene.targets.programs.repeating);
export const programsInLoops: Actor = (scene) => running(scene, scene.targets.programs.looping);

/** Starts them, again and again where they end or are cut; all of the folder are stopped in the end. */
async function running(scene: Scene, ids: readonly string[]): Promise<void> {
  const ask = client(scene, scene.targets.userBasic);
  for (const id of ids) {
    scene.count("program starts");
    await ask(`/rest/programs/${id}/runThen`);
  }
  while (!scene.signal.aborted) {
    await pause(scene, 500);
    const id = pick(scene, ids);
    await ask(`/rest/programs/${id}/enable`);
    await ask(`/rest/programs/${id}/runThen`);
  }
  const last = client({ ...scene, signal: AbortSignal.timeout(STOP_MS) }, scene.targets.userBasic);
  await last(`/rest/programs/${scene.targets.programs.folder}/stop`);
}

const STOP_MS = 5000;

/** A guest that presses every switch as fast as the answers come. */
export const flappingLamps: Actor = (scene) => {
  const ask = client(scene, scene.targets.guestBasic);
  return crowd(scene, 8, async () => {
    for (let turn = 0; turn < 50 && !scene.signal.aborted; turn += 1) {
      scene.count("lamp commands");
      const lamp = encodeURIComponent(pick(scene, scene.targets.lamps));
      await ask(`/rest/nodes/${lamp}/cmd/${turn % 2 === 0 ? "DON" : "DOF"}`);
    }
  });
};

/** Another process holds the database, which for the service is a disk that takes no writes for a while. */
export const diskStalls: Actor = async (scene) => {
  while (!scene.signal.aborted) {
    const database = new DatabaseSync(scene.targets.databaseFile, { timeout: 500 });
    try {
      database.exec("BEGIN IMMEDIATE");
      scene.count("disk stalls");
      await pause(scene, 200 + scene.randomness.next() * 1600);
      database.exec("ROLLBACK");
    } catch {
      // The service was writing for longer than the wait; it is tried again.
    } finally {
      database.close();
    }
    await pause(scene, 200 + scene.randomness.next() * 500);
  }
};

/** Requests by a kept connection; a refusal or a lost connection ends the one request only. */
function client({ targets, signal }: Scene, authorization: string): (path: string) => Promise<void> {
  const { hostname, port } = new URL(targets.localUrl);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 16 });
  signal.addEventListener("abort", () => agent.destroy(), { once: true });
  return (path) =>
    new Promise((resolve) => {
      const sent = request(
        { agent, hostname, port, path, signal, headers: { Authorization: authorization } },
        (answer) => {
          answer.resume().once("close", () => resolve());
        },
      );
      sent.once("error", () => resolve());
      sent.once("close", () => resolve());
      sent.end();
    });
}
