/**
 * Carries out scenes for their controllers: when a controller of a scene sends a command, for example because its button is
 * pressed, the responders are commanded as its links say. Responders that the controller's device commands itself are left out.
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Group, GroupMember, LinkBlock } from "../home/groups.ts";
import { isCarriedByDevice, sendDeviceLinks } from "./device-links.ts";
import { commandGroup } from "./group-command.ts";
import type { NodeCommandPorts } from "./node-command.ts";
import type { CommandPorts } from "./ports.ts";

type ControllerPorts = NodeCommandPorts & Pick<CommandPorts, "log" | "clock"> & { readonly feed: ChangeFeed };

/** A device may send the command that it just got from a scene: that is an echo, and no button was pressed. */
const ECHO_MS = 2000;

export class SceneControllers {
  readonly #ports: ControllerPorts;
  /** Scenes by the addresses of their controllers, as of a version of the home's groups. */
  #scenes: ReadonlyMap<string, readonly string[]> = new Map();
  #version = -1;
  /** When a scene controller last commanded each node, by the monotonic clock. */
  readonly #commandedAtMs = new Map<string, number>();

  constructor(ports: ControllerPorts) {
    this.#ports = ports;
  }

  /** For the life of the process: stopped drivers report no more buttons. */
  start(): void {
    sendDeviceLinks(this.#ports);
    this.#ports.feed.listen(({ change }) => {
      if (change.type === "control-sent") this.#pressed(change.address, change.control);
    });
  }

  #pressed(address: string, control: string): void {
    const scenes = this.#scenesOf(address);
    if (scenes.length === 0 || this.#isEcho(address)) return;
    // A listener records; acting waits for a turn of its own.
    queueMicrotask(() => {
      for (const scene of scenes) void this.#carryOut(scene, address, control);
    });
  }

  async #carryOut(scene: string, controller: string, command: string): Promise<void> {
    const { home, log } = this.#ports;
    const group = home.groups.get(scene);
    const block = group?.blocks.find((each) => each.controller === controller);
    if (!group || !block) return;
    const linked = respondersTo(group, block);
    if (linked.members.length === 0) return;
    this.#remember(linked);
    const isLeft = ({ address }: GroupMember) => !isCarriedByDevice(this.#ports, group, block, address, command);
    const responding = { ...linked, members: linked.members.filter(isLeft) };
    if (responding.members.length === 0) return;
    const cause: Cause = { kind: "report", id: controller, by: home.nodes.get(controller)?.driver ?? null };
    try {
      await commandGroup(this.#ports, responding, { address: scene, command, parameters: [] }, cause);
    } catch (error) {
      const isExpected = error instanceof ControllerError;
      if (isExpected && error.code === "COMMAND_NOT_ACCEPTED") return;
      if (isExpected)
        log.info("A scene was not carried out for its controller.", { scene: group.name, controller, error });
      else
        log.error("A scene was not carried out for its controller, because of an internal error.", {
          scene: group.name,
          controller,
          error,
        });
    }
  }

  #scenesOf(address: string): readonly string[] {
    const { home } = this.#ports;
    const version = home.version("groups");
    if (version !== this.#version) {
      this.#scenes = scenesByController(home.groups.values());
      this.#version = version;
    }
    return this.#scenes.get(address) ?? [];
  }

  #isEcho(address: string): boolean {
    const atMs = this.#commandedAtMs.get(address);
    return atMs !== undefined && this.#ports.clock.elapsed() - atMs < ECHO_MS;
  }

  #remember({ members }: Group): void {
    const nowMs = this.#ports.clock.elapsed();
    for (const { address } of members) this.#commandedAtMs.set(address, nowMs);
  }
}

/** The scene as its own links, those of one controller, with the linked members but the controller itself. */
function respondersTo(group: Group, block: LinkBlock): Group {
  const links = block.links.filter(({ node }) => node !== block.controller);
  const linked = new Set(links.map(({ node }) => node));
  const members = group.members.filter(({ address }) => linked.has(address));
  return { ...group, members, blocks: [{ controller: group.address, links }] };
}

function scenesByController(groups: Iterable<Group>): ReadonlyMap<string, readonly string[]> {
  const scenes = new Map<string, string[]>();
  for (const { address, members } of groups) {
    for (const member of members) {
      if (!member.isController) continue;
      const known = scenes.get(member.address);
      if (known) known.push(address);
      else scenes.set(member.address, [address]);
    }
  }
  return scenes;
}
