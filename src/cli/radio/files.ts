/** `domovoi radio nvm` and `diagnostics`: the memory of an adapter as a file, and what to attach to a bug report. */

import { statSync, writeFileSync } from "node:fs";
import { ask } from "../connection/ask-password.ts";
import { CommandFailure } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";
import { checkNewFile, savePieces, writeWholeFile } from "../whole-file.ts";
import { readWhole } from "./care.ts";
import { carryOut } from "./carry-out.ts";
import { beginOn, type RadioOptions, withNetwork } from "./network.ts";

type RestoreOptions = RadioOptions & { readonly confirm?: string };
type DiagnosticsOptions = RadioOptions & { readonly names: boolean };

const STANDARD_OUTPUT = "-";

export function saveMemory(file: string, options: RadioOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    checkNewFile(file);
    await carryOut(chosen, () => beginOn(chosen, "backup"), options);
    await writeWholeFile(file, async (unfinished) => savePieces(await chosen.network.memory(), unfinished));
    if (!options.json)
      process.stdout.write(`${plain(file)}: ${statSync(file).size} bytes. Keep it safe: it holds the network.\n`);
  });
}

/** Asks for the home id of the network that the adapter has now, unless it is given. */
export function restoreMemory(file: string, options: RestoreOptions): Promise<void> {
  return withNetwork(options, "rest", async (chosen) => {
    const { network, state } = chosen;
    const memory = readWhole(file);
    if (state.about === null) throw new CommandFailure("failed", `The adapter of ${network.name} is not running.`);
    const { homeId, nodes } = state.about;
    if (homeId === null) throw new CommandFailure("failed", `${network.name} has no memory to restore.`);
    const typed = options.confirm ?? (await askHomeId(network.name, homeId, nodes));
    if (typed.toLowerCase() !== homeId)
      throw new CommandFailure("failed", "That is not its home id; nothing was done.");
    await carryOut(chosen, () => network.restoreMemory(memory, homeId), options);
  });
}

function askHomeId(name: string, homeId: string, nodes: number): Promise<string> {
  const devices = nodes === 1 ? "one device" : `${nodes} devices`;
  process.stderr.write(
    `The adapter of ${plain(name)} forgets the network that it has, ${homeId} with ${devices}, and gets the one of the file.\n`,
  );
  return ask(
    `Write ${homeId} to do it: `,
    "Not a terminal, so this cannot be confirmed. Confirm it with --confirm and the home id of the adapter's network.",
  );
}

export function saveDiagnostics(file: string, options: DiagnosticsOptions): Promise<void> {
  return withNetwork(options, "off", async ({ network }) => {
    if (file !== STANDARD_OUTPUT) checkNewFile(file);
    const text = `${plainJson(await network.diagnostics({ names: options.names }), 2)}\n`;
    if (file === STANDARD_OUTPUT) return void process.stdout.write(text);
    await writeWholeFile(file, async (unfinished) => writeFileSync(unfinished, text, { mode: 0o600, flag: "wx" }));
    process.stdout.write(`${plain(file)}: ${statSync(file).size} bytes, without keys and codes.\n`);
  });
}
