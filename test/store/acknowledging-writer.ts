/** Run by tests of faults: writes through a real store and prints the number of each write once it is acknowledged, or why not. */

import { parseConfig } from "../../src/config.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import type { Edit } from "../../src/home/edit.ts";
import type { Variable } from "../../src/home/variables.ts";
import { openStore } from "../../src/store/open-store.ts";
import { delay, systemClock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";

const WRITERS = 8;
const [dir = "", first = "0", storeUrl = ""] = process.argv.slice(2);
const config = parseConfig({ data: dir, storeUrl, leaseMs: 500 });
const store = await openStore({
  dir,
  config,
  clock: systemClock,
  log: createLog("silent"),
  onLost: () => process.exit(75),
});
const { home, lastSeq } =
  store.loadHome() ??
  store.createHome({
    uuid: "02:00:00:00:00:01",
    name: "Home",
    timeZone: "UTC",
    latitude: 0,
    longitude: 0,
    batchMode: false,
    batteryWrites: false,
  });
const feed = new ChangeFeed(home, systemClock, lastSeq);
feed.record(store.record);
let next = Number(first);

await Promise.all(Array.from({ length: WRITERS }, writeForEver));

async function writeForEver(): Promise<never> {
  for (;;) {
    const number = next++;
    const cause = { kind: "request", id: String(number), by: null } as const;
    const variable = { type: 1, id: number, name: "written", value: number, init: 0, prec: 0, writtenAtMs: 0 } as const;
    const { seq } =
      number % 5 === 0
        ? feed.commitEdit(roomEdit(number, variable), cause)
        : feed.commit({ type: "variable-added", variable }, cause);
    const login = `a${number}`;
    const account = { id: login, kind: "local", login, role: "user", passwordHash: "", createdAtMs: 0 } as const;
    const written = number % 3 === 0 ? store.committed(seq) : store.accounts.putAccount(account);
    await written.then(
      () => process.stdout.write(`${number}\n`),
      (error: { code: string }) => process.stdout.write(`${error.code}\n`),
    );
    await delay(systemClock, 1);
  }
}

/** A folder with a scene in it, and the variable: all of them or none. */
function roomEdit(number: number, variable: Variable): Edit {
  const [folder, group] = [`f${number}`, `g${number}`];
  const parent = { address: folder, kind: "folder" } as const;
  const scene = { address: group, name: "written", parent, deviceGroup: 1, members: [], blocks: [] };
  return {
    title: "Build a room",
    undoes: null,
    forgets: [],
    things: [
      { kind: "folder", key: folder, before: null, after: { address: folder, name: "written", parent: null } },
      { kind: "group", key: group, before: null, after: scene },
      { kind: "variable", key: `1/${number}`, before: null, after: variable },
    ],
  };
}
