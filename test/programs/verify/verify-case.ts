/** Verifies the programs of a case in the demo house, whose own programs are taken out. */

import type { Home } from "../../../src/home/home.ts";
import type { Condition } from "../../../src/home/program-syntax.ts";
import type { Program, ProgramEntry, ProgramFolder } from "../../../src/home/programs.ts";
import type { Finding } from "../../../src/programs/verify/finding.ts";
import type { VerifyPorts } from "../../../src/programs/verify/model/world.ts";
import { verifyPrograms } from "../../../src/programs/verify/verify-programs.ts";
import { inOneGo } from "../../support/in-one-go.ts";
import { seededHome } from "../../support/seeded-home.ts";
import { type CaseProgram, FIRST_ID, HALL, KEYPAD } from "./case-words.ts";

/** Of types of integrations. */
const isChannel = (type: string) => type === "ntfy";

export const NOW_MS = Date.parse("2026-06-01T10:00:00Z");
const DISABLED = "1A 44 C 1";
const MARKED = [["2C 10 5 1", "door"]] as const;
const FIRST_FOLDER_ID = 50;
const ROOT = 1;

const NEVER_RAN = { version: 1, status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };

/** The demo house with no programs but its root folder; one of its relays is disabled. */
export async function verifiedHome(): Promise<VerifyPorts> {
  const { home, profile, commands } = await seededHome({ demo: true });
  for (const id of [...home.programs.keys()]) if (id !== ROOT) home.programs.delete(id);
  prepareForMistakes(home);
  return { home, profile, nowMs: NOW_MS, limits: commands.config, isChannel };
}

/** The mistakes of the corpus know these nodes, a channel, and a scene of two lamps that are alone in their room. */
export function prepareForMistakes({ nodes, groups, integrations }: Home): void {
  const phone = { id: "phone", type: "ntfy", name: "Phone", settings: {}, secrets: [], enabled: true } as const;
  integrations.set(phone.id, { ...phone, origin: "owner" });
  integrations.set("lamps", { ...phone, id: "lamps", type: "virtual", origin: "owner" });
  const members = [HALL, KEYPAD].map((address) => ({ address, isController: false }));
  groups.set("31900", { address: "31900", name: "Hall Lamps", parent: null, deviceGroup: 9, members, blocks: [] });
  for (const [address, use] of MARKED) {
    const node = nodes.get(address);
    if (node) nodes.set(address, { ...node, use });
  }
  const closet = nodes.get(DISABLED);
  if (closet) nodes.set(DISABLED, { ...closet, enabled: false });
}

export function verifyCase(services: VerifyPorts, programs: readonly CaseProgram[]): readonly Finding[] {
  return inOneGo(verifyPrograms(services, entriesOf(programs)));
}

export function entriesOf(programs: readonly CaseProgram[]): readonly ProgramEntry[] {
  return programs.flatMap((program, at) => {
    if (!program.gate) return [programOf(program, at, ROOT)];
    return [folderOf(FIRST_FOLDER_ID + at, program.gate), programOf(program, at, FIRST_FOLDER_ID + at)];
  });
}

function programOf(given: CaseProgram, at: number, parentId: number): Program {
  const { enabled = true, runAtStartup = false } = given;
  return {
    kind: "program",
    id: FIRST_ID + at,
    parentId,
    name: `Program ${at}`,
    comment: "",
    enabled,
    runAtStartup,
    running: "idle",
    invalid: null,
    tree: { if: given.if ?? [], then: given.then ?? [], else: given.else ?? [] },
    ...NEVER_RAN,
    status: false,
  };
}

function folderOf(id: number, conditions: readonly Condition[]): ProgramFolder {
  return { kind: "folder", id, parentId: ROOT, name: `Folder ${id}`, conditions, ...NEVER_RAN };
}
