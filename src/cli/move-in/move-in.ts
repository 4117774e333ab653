/** `domovoi move-in URL`: the check list of a move, and its first step: a copy of the home whose programs wait. */

import type { CopyItem } from "../../home/home-copy.ts";
import { startController } from "../../main.ts";
import { beginMoveIn } from "../../twin/begin-move-in.ts";
import { holdsTwin, makeTwin, requireEmpty, requireFits } from "../../twin/make-twin.ts";
import { moveInCheckList } from "../../twin/move-in-check-list.ts";
import { systemRandomness } from "../../util/randomness.ts";
import { printJson, printList } from "../home/list.ts";
import { usageFailure } from "../outcome.ts";
import { givenAccounts, printCredentials } from "../serve.ts";
import { planOf, portsOf, type TwinOptions } from "../twin.ts";

type MoveInOptions = TwinOptions & { readonly plan?: boolean; readonly yes?: boolean };

const COLUMNS = [
  { title: "WHAT", text: ({ what }: CopyItem) => what },
  { title: "COUNT", text: ({ count }: CopyItem) => (count === null ? "" : String(count)), isRight: true },
  { title: "MOVED", text: ({ comes }: CopyItem) => comes },
  { title: "NOTE", text: ({ note }: CopyItem) => note },
];

/** @param url goes before the option. */
export async function moveIn(url: string | undefined, options: MoveInOptions): Promise<void> {
  const given = url === undefined ? options : { ...options, url };
  if (given.fromFiles !== undefined && given.url !== undefined) {
    throw usageFailure("Give either --from-files or the address of a controller, not both.");
  }
  if (given.plan) await showPlan(given);
  else if (given.yes) await copyHome(given);
  else throw usageFailure("Add --plan to see what can be moved, or --yes to copy the home into --data.");
}

async function showPlan(options: MoveInOptions): Promise<void> {
  const items = moveInCheckList(await planOf(options));
  if (options.json) printJson(items);
  else printList(items, options, "", COLUMNS);
}

/** Cut short anywhere, it is begun again; a copy that is whole is not made a second time. */
async function copyHome(options: MoveInOptions): Promise<void> {
  const ports = portsOf(options);
  if (!(await holdsTwin(ports))) {
    requireEmpty(ports.config.data);
    const plan = await planOf(options);
    requireFits(plan, ports.config);
    await makeTwin(plan, ports);
  }
  const config = { ...ports.config, host: "127.0.0.1", portalPort: 0, localPort: 0, plainPort: -1 };
  const world = { ...ports, randomness: systemRandomness, firstAccounts: givenAccounts(), isMirror: true };
  const controller = await startController(config, world);
  try {
    await beginMoveIn(controller.services);
    if (controller.generatedCredentials) printCredentials(null, controller.generatedCredentials);
  } finally {
    await controller.stop();
  }
  process.stdout.write(
    `The home is in ${config.data}; its programs are disabled. Next: domovoi serve --data ${config.data}, then domovoi move-in status\n`,
  );
}
