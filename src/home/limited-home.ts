/**
 * The part of the home that a limited account reaches, as a home of its own: what reads a home shows no more than this part
 * when it gets one of these. Nodes are shared with the whole home, so values are always the present ones; everything else
 * follows at `refresh`, and only where the whole home changed.
 */

import { RecentlyUsed } from "../util/recently-used.ts";
import { commandedMembers, type Group, type LinkBlock } from "./groups.ts";
import { Home } from "./home.ts";
import type { Limits, Thing } from "./limits.ts";
import { type Node, type Parent, treeParent } from "./nodes.ts";
import type { HomePart } from "./parts.ts";
import { EMPTY_TREE } from "./program-syntax.ts";
import { findProgram, type ProgramEntry, programsBelow, ROOT_PROGRAM_ID } from "./programs.ts";

/** Moves with values, which are shared, or is taken over at every refresh. */
const LIVE: ReadonlySet<HomePart> = new Set(["status", "controller"]);

export class LimitedHome extends Home {
  readonly #whole: Home;
  readonly #limits: Limits;
  readonly #commands: ReadonlySet<string> | null;
  /** The versions of the whole home that this one shows. */
  readonly #shown = new Map<HomePart, number>();

  constructor(whole: Home, limits: Limits) {
    super(whole.controller);
    this.#whole = whole;
    this.#limits = limits;
    this.#commands = limits.commands && new Set(limits.commands.map((command) => command.toUpperCase()));
    this.refresh();
  }

  /** What it is limited to, as one text: equal limits have equal texts. */
  get limitsText(): string {
    return JSON.stringify(this.#limits);
  }

  override version(part: HomePart): number {
    return LIVE.has(part) ? this.#whole.version(part) : (this.#shown.get(part) ?? 0);
  }

  /** Brings it up to date with the whole home. */
  refresh(): this {
    this.controller = this.#whole.controller;
    this.busy = this.#whole.busy;
    this.isMovedIn = this.#whole.isMovedIn;
    if (this.#isBehind("structure") || this.#isBehind("groups")) this.#takeTree();
    if (this.#isBehind("programs")) this.#takePrograms();
    if (this.#isBehind("integerVariables") || this.#isBehind("stateVariables")) this.#takeVariables();
    if (this.#isBehind("networkResources")) this.#takeResources();
    return this;
  }

  /** Whether the account may use this thing at all, as of now. */
  includes(thing: Thing): boolean {
    this.refresh();
    switch (thing.kind) {
      case "node": {
        const { address } = thing;
        return this.nodes.has(address) || this.groups.has(address) || this.folders.has(address);
      }
      case "program":
        return (
          this.#limits.programs.includes(thing.id) || (thing.id !== ROOT_PROGRAM_ID && this.programs.has(thing.id))
        );
      case "variable":
        return this.variables[thing.type].has(thing.id);
      case "resource":
        return this.networkResources.has(thing.id);
    }
  }

  allowsCommand(command: string): boolean {
    return this.#commands === null || this.#commands.has(command.toUpperCase());
  }

  #isBehind(part: HomePart): boolean {
    return this.#shown.get(part) !== this.#whole.version(part);
  }

  #noteShown(...parts: readonly HomePart[]): void {
    for (const part of parts) this.#shown.set(part, this.#whole.version(part));
  }

  #takeTree(): void {
    const whole = this.#whole;
    const reached = reachedAddresses(whole, this.#limits);
    const near = (parent: Parent | null) => (parent && reached.has(parent.address) ? parent : null);
    const isIn = ({ address }: { readonly address: string }) => reached.has(address);
    refill(this.folders, whole.folders, isIn, (folder) => ({ ...folder, parent: near(folder.parent) }));
    refill(this.nodes, whole.nodes, isIn, (node) => nodeAmong(node, near(node.parent), reached));
    refill(this.groups, whole.groups, isIn, (group) => ({ ...groupAmong(group, reached), parent: near(group.parent) }));
    this.#noteShown("structure", "groups");
  }

  /** The conditions and statements of a program name other things, so only its name and state are included. */
  #takePrograms(): void {
    const named = this.#limits.programs.flatMap((id) => findProgram(this.#whole, id) ?? []);
    const below = named.flatMap((entry) => (entry.kind === "folder" ? programsBelow(this.#whole, entry.id) : []));
    const entries = new Map([...named, ...below].map((entry) => [entry.id, entry]));
    const root = findProgram(this.#whole, ROOT_PROGRAM_ID);
    this.programs.clear();
    if (root && entries.size > 0) entries.set(root.id, root);
    for (const entry of entries.values()) {
      const isAtTop = entry.parentId !== null && !entries.has(entry.parentId);
      this.programs.set(entry.id, { ...withoutSyntax(entry), parentId: isAtTop ? ROOT_PROGRAM_ID : entry.parentId });
    }
    this.#noteShown("programs");
  }

  #takeVariables(): void {
    this.variables[1].clear();
    this.variables[2].clear();
    for (const { type, id } of this.#limits.variables) {
      const variable = this.#whole.variables[type].get(id);
      if (variable) this.variables[type].set(id, variable);
    }
    this.#noteShown("integerVariables", "stateVariables");
  }

  #takeResources(): void {
    this.networkResources.clear();
    for (const id of this.#limits.resources) {
      const resource = this.#whole.networkResources.get(id);
      if (resource) this.networkResources.set(id, resource);
    }
    this.#noteShown("networkResources");
  }
}

/** One limited home for each distinct set of limits; those that were not used for longest are made again when needed. */
export class LimitedHomes {
  readonly #whole: Home;
  readonly #made: RecentlyUsed<LimitedHome>;

  /** @param keptMax limited homes that are kept. */
  constructor(whole: Home, keptMax: number) {
    this.#whole = whole;
    this.#made = new RecentlyUsed(keptMax);
  }

  of(limits: Limits): LimitedHome {
    const key = JSON.stringify(limits);
    const known = this.#made.get(key);
    if (known) return known;
    const made = new LimitedHome(this.#whole, limits);
    this.#made.set(key, made);
    return made;
  }
}

/** Nodes, scenes and folders have addresses of their own, so one set holds them all. */
function reachedAddresses(whole: Home, { folders, nodes, scenes, scenesWithin }: Limits): ReadonlySet<string> {
  const isWithin = new Map<string, boolean>(folders.map((address) => [address, true]));
  const parentOf = (address: string): Parent | null => {
    const node = whole.nodes.get(address);
    if (node) return treeParent(node);
    return whole.groups.get(address)?.parent ?? whole.folders.get(address)?.parent ?? null;
  };
  const within = (address: string): boolean => {
    const known = isWithin.get(address);
    if (known !== undefined) return known;
    // Set before its parents are looked at, so that a circle of parents ends.
    isWithin.set(address, false);
    const parent = parentOf(address);
    const found = parent !== null && within(parent.address);
    isWithin.set(address, found);
    return found;
  };
  const inFolders = (things: ReadonlyMap<string, unknown>) => [...things.keys()].filter(within);
  const devices = new Set([...inFolders(whole.folders), ...inFolders(whole.nodes), ...nodes]);
  const staysWithin = (address: string) => {
    const scene = whole.groups.get(address);
    return scene !== undefined && commandedMembers(scene).every((member) => devices.has(member));
  };
  const inScenes = inFolders(whole.groups).filter((scene) => !scenesWithin || staysWithin(scene));
  return new Set([...devices, ...inScenes, ...scenes]);
}

function refill<T>(
  into: Map<string, T>,
  whole: ReadonlyMap<string, T>,
  isIn: (thing: T) => boolean,
  narrow: (thing: T) => T,
) {
  into.clear();
  for (const [address, thing] of whole) if (isIn(thing)) into.set(address, narrow(thing));
}

/** The node itself wherever nothing of it is hidden. A report moves `version` of the node that the whole home has. */
function nodeAmong(node: Node, parent: Parent | null, reached: ReadonlySet<string>): Node {
  const primary = reached.has(node.primary) ? node.primary : node.address;
  if (parent === node.parent && primary === node.primary) return node;
  return {
    ...node,
    parent,
    primary,
    get version() {
      return node.version;
    },
  };
}

function groupAmong(group: Group, reached: ReadonlySet<string>): Group {
  const blockAmong = ({ controller, links }: LinkBlock) => ({
    controller,
    links: links.filter(({ node }) => reached.has(node)),
  });
  const blocks = group.blocks.filter(({ controller }) => controller === group.address || reached.has(controller));
  return {
    ...group,
    members: group.members.filter(({ address }) => reached.has(address)),
    blocks: blocks.map(blockAmong),
  };
}

function withoutSyntax(entry: ProgramEntry): ProgramEntry {
  if (entry.kind === "folder") return { ...entry, conditions: [] };
  return { ...entry, comment: "", tree: EMPTY_TREE, invalid: entry.invalid === null ? null : "It is not valid." };
}
