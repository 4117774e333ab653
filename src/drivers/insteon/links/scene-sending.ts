/**
 * Scenes that one message of the modem carries out: a command to a group, which every member acknowledges. A member that does
 * is not sent the command again; one that does not gets it by itself.
 */

import type { CommandParameterValue, DriverCommand } from "../../command.ts";
import type { DriverHost, Groupcast } from "../../driver.ts";
import { nodeCommand } from "../devices/commands.ts";
import type { DeviceBook } from "../devices/device-book.ts";
import type { DeviceId } from "../line/messages.ts";
import { type Modem, ModemLost } from "../line/modem.ts";
import type { SceneLinks, WrittenScene } from "./scene-links.ts";

type SendingPorts = {
  readonly modem: Modem;
  readonly book: DeviceBook;
  readonly links: SceneLinks;
  readonly host: Pick<DriverHost, "clock">;
};

type MemberCommand = Parameters<Groupcast>[0][number];
type Sent = { readonly text: string; readonly atMs: number; readonly isTaken: Promise<boolean> };

/** A member's own command may wait so long for its turn. */
const VALID_MS = 30_000;
const MEMBERS_MIN = 2;
/** Buttons of keypads show a scene and take no commands. */
const SHOWING = "button";

const MESSAGES: Readonly<Record<string, readonly [cmd1: number, cmd2: number]>> = {
  DON: [0x11, 0],
  DFON: [0x12, 0],
  DOF: [0x13, 0],
  DFOF: [0x14, 0],
  BRT: [0x15, 0],
  DIM: [0x16, 0],
  FDUP: [0x17, 1],
  FDDOWN: [0x17, 0],
  FDSTOP: [0x18, 0],
};
const ON: ReadonlySet<string> = new Set(["DON", "DFON"]);

export class SceneSending {
  readonly #ports: SendingPorts;
  readonly #sent = new Map<string, Sent>();

  constructor(ports: SendingPorts) {
    this.#ports = ports;
  }

  groupcast(commands: readonly MemberCommand[]): void {
    const found = this.#ports.links
      .writtenScenes()
      .map((scene) => ({ scene, command: this.#commandFor(scene, commands) }))
      .filter(({ command }) => command !== null)
      .sort((one, other) => other.scene.levels.size - one.scene.levels.size)[0];
    if (!found?.command) return;
    const { scene, command } = found;
    const members = commands.filter(({ address }) => scene.levels.has(address));
    const taken = this.#send(scene, command);
    const atMs = this.#ports.host.clock.elapsed();
    for (const member of members) {
      const isTaken = taken.then((devices) => devices.has(this.#deviceOf(member.address)));
      this.#sent.set(member.address, { text: textOf(member), atMs, isTaken });
    }
  }

  /** Whether the command's device has acknowledged it with its group; null when no group had it. */
  take(command: Pick<DriverCommand, "address" | "command" | "parameters">): Promise<boolean> | null {
    const sent = this.#sent.get(command.address);
    this.#sent.delete(command.address);
    const isValid = sent && this.#ports.host.clock.elapsed() - sent.atMs < VALID_MS && sent.text === textOf(command);
    return isValid ? sent.isTaken : null;
  }

  /** The command of the scene that does to each member what its own command would; null when none does. */
  #commandFor({ levels }: WrittenScene, commands: readonly MemberCommand[]): string | null {
    const own = commands.filter(({ address }) => levels.has(address));
    const names = new Set(own.map(({ command }) => command));
    const others = [...levels.keys()].filter((address) => !own.some((each) => each.address === address));
    if (own.length === 0 || levels.size < MEMBERS_MIN) return null;
    if (!others.every((address) => this.#ports.book.find(address)?.node.role === SHOWING)) return null;
    const on = own.find(({ command }) => ON.has(command))?.command;
    if (on) return own.every((each) => this.#reaches(each, levels.get(each.address) ?? 0)) ? on : null;
    const [only] = names;
    return names.size === 1 && only !== undefined && only in MESSAGES ? only : null;
  }

  #reaches({ address, command, parameters }: MemberCommand, level: number): boolean {
    const node = this.#ports.book.find(address)?.node;
    const known = (property: string) => this.#ports.book.known(address, property);
    const effect = node ? nodeCommand(node, command, { parameters, known })?.effect : null;
    return effect !== null && effect !== undefined && effect !== "query" && effect.ST === level;
  }

  async #send({ group, levels }: WrittenScene, command: string): Promise<ReadonlySet<DeviceId>> {
    const { modem, book } = this.#ports;
    const [cmd1, cmd2] = MESSAGES[command] ?? [0, 0];
    const members = new Set([...levels.keys()].map((address) => this.#deviceOf(address)));
    try {
      const taken = await modem.sendToGroup(group, cmd1, cmd2, members.size);
      for (const [address, level] of levels) {
        const found = book.find(address);
        if (found?.node.role !== SHOWING || !taken.has(found.device.id) || !SWITCHING.has(command)) continue;
        book.report(found.node, { ST: ON.has(command) ? level : 0 }, { cause: "report" });
      }
      return taken;
    } catch (error) {
      if (error instanceof ModemLost) return new Set();
      throw error;
    }
  }

  #deviceOf(address: string): DeviceId {
    return this.#ports.book.find(address)?.device.id ?? address;
  }
}

const SWITCHING: ReadonlySet<string> = new Set(["DON", "DFON", "DOF", "DFOF"]);

function textOf({
  command,
  parameters,
}: {
  readonly command: string;
  readonly parameters: readonly CommandParameterValue[];
}) {
  return [command, ...parameters.map(({ id, value, uom, prec }) => `${id} ${value} ${uom} ${prec}`)].join("/");
}
