/** Follows the original of a twin: its stream, and after every gap all of its documents. */

import type { Home } from "@domovoi/client";
import { createMirror, type Mirror, type MirrorPorts } from "../twin/mirror.ts";
import type { Log } from "../util/log.ts";

export type FollowPorts = MirrorPorts & { readonly log: Log };

/** Verbs of the tree after which the twin is made of something else than its original. */
const STRUCTURAL: ReadonlySet<string> = new Set([
  ...["ND", "NR", "RV", "NI", "AA", "FD", "FR", "FN", "GD", "GR", "GN", "MV", "RG", "LU", "PC"],
]);
const SHOWN_MAX = 5;
/** Bit of a node's flag: it does not answer. */
const IN_ERROR = 0x10;

/** Brings the twin into step, then keeps it there. @returns what ends it. */
export function followOriginal(original: Home, ports: FollowPorts): () => void {
  const { log } = ports;
  const mirror = createMirror(ports);
  const again = onceAtATime(async () => {
    await original.refresh();
    sync(original, mirror, log);
  }, log);
  sync(original, mirror, log);
  const ends = [
    original.on("property", ({ address, property }) => void mirror.property(address, property)),
    original.on("control", ({ address, control, value }) => void mirror.control(address, control, value)),
    original.on("program", ({ id }) => {
      const program = original.programs.find(id);
      if (program) mirror.program(program);
    }),
    original.on("variable", ({ type, id }) => {
      const variable = original.variables.find(`${type}.${id}`);
      if (variable) mirror.variable(variable);
    }),
    original.on("programs", again),
    original.on("variables", again),
    original.on("lifecycle", ({ verb, address, needsRefresh }) => {
      const node = original.nodes.find(address);
      if (verb === "NE" || verb === "CE") mirror.link(address, verb === "CE");
      else if (verb === "EN" && node) mirror.node(address, node);
      else if (needsRefresh) again();
      if (STRUCTURAL.has(verb))
        log.warn("The structure of the original has changed; the twin keeps its own.", { verb, address });
    }),
    original.on("stream", ({ status }) => {
      log.info("The stream of the original.", { status });
      // The stream repeats the current values; other changes before its begin are read from the documents.
      if (status === "connected") again();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function sync(original: Home, mirror: Mirror, log: Log): void {
  const strange: string[] = [];
  for (const node of original.nodes) {
    if (!mirror.node(node.address, node)) strange.push(node.address);
    else {
      mirror.link(node.address, (node.flag & IN_ERROR) === 0);
      for (const property of node.properties.values()) mirror.property(node.address, property);
    }
  }
  for (const program of original.programs) if (!mirror.program(program)) strange.push(`program ${program.id}`);
  for (const variable of original.variables) if (!mirror.variable(variable)) strange.push(`variable ${variable.key}`);
  if (strange.length === 0) return;
  log.warn("The original has things that the twin lacks. Make the twin again to include them.", {
    things: strange.length,
    first: strange.slice(0, SHOWN_MAX).join(", "),
  });
}

/** Asked for while it runs, it runs once more afterwards. */
function onceAtATime(work: () => Promise<void>, log: Log): () => void {
  let state: "idle" | "running" | "again" = "idle";
  const run = async () => {
    do {
      state = "running";
      try {
        await work();
      } catch (error) {
        log.warn("The original could not be read again. The twin still follows its stream.", { error });
      }
    } while (isAgain());
    state = "idle";
  };
  const isAgain = () => state === "again";
  return () => {
    if (state === "idle") void run();
    else state = "again";
  };
}
