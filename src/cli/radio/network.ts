/** Finds the radio network and the device that a command names. */

import type { Home, IntegrationOperation, RadioDevice, RadioNetwork, RadioState } from "@domovoi/client";
import { closestTo } from "../../util/closest.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { type HowToConnect, withHome } from "../connection/with-home.ts";
import { nodeNamed } from "../home/find.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";

export type RadioOptions = ConnectionOptions & { readonly radio?: string };

export type Chosen = { readonly home: Home; readonly network: RadioNetwork; readonly state: RadioState };

/** A device as people and programs see it. */
export type NamedDevice = RadioDevice & { readonly id: number; readonly name: string };

export function withNetwork(
  options: RadioOptions,
  stream: HowToConnect["stream"],
  use: (chosen: Chosen) => Promise<void>,
): Promise<void> {
  return withHome(options, { stream }, async (home) => {
    const state = choose(await home.radios.list(), options.radio);
    await use({ home, network: home.radios.network(state.name), state });
  });
}

/** Begins an operation on the network. */
export function beginOn({ home, network }: Chosen, kind: string, input: object = {}): Promise<IntegrationOperation> {
  return home.integrations.begin(network.name, kind, { ...input });
}

/** @throws CommandFailure without a network, without one of this name, or with several and no name. */
function choose(states: readonly RadioState[], name: string | undefined): RadioState {
  const [first] = states;
  if (!first) throw new CommandFailure("notFound", "The controller has no radio network: no adapter is set up there.");
  const names = states.map((state) => state.name);
  if (name !== undefined) {
    const [called] = states.filter(({ protocol }) => protocol.toLowerCase() === name.toLowerCase());
    const found = states.find((state) => state.name === name) ?? called;
    if (found) return found;
    const close = closestTo(name, names);
    const hint = close === null ? `There is ${names.join(" and ")}.` : `Did you mean "${close}"?`;
    throw new CommandFailure("notFound", `There is no radio network "${name}". ${hint}`);
  }
  if (states.length === 1) return first;
  throw usageFailure(`There are several radio networks: --radio ${names.join(" or --radio ")} says which.`);
}

/** The devices by number, with their names in the home. */
export async function namedDevices({ home, network }: Chosen): Promise<readonly NamedDevice[]> {
  return (await network.devices()).map((device) => named(home, device));
}

export function named(home: Home, device: RadioDevice): NamedDevice {
  return { id: numberOf(device.address), name: nameOf(home, device.address), ...device };
}

/** Empty while the home has no node of it. */
export function nameOf(home: Home, address: string): string {
  return home.nodes.find(address)?.name ?? "";
}

/**
 * The address of a device's first node.
 * @param key its number in the network, or one of its nodes by name, path or address
 * @throws CommandFailure notFound
 */
export async function findDevice({ home, network }: Chosen, key: string): Promise<string> {
  const addresses = (await network.devices()).map(({ address }) => address);
  const found = addresses.find((address) => address === key || String(numberOf(address)) === key);
  if (found !== undefined) return found;
  if (/^\d+$/.test(key)) throw new CommandFailure("notFound", `There is no device ${key} in ${network.name}.`);
  const { name, address } = nodeNamed(home, key);
  const device = addresses.find((each) => each.replace(/_\d+$/, "") === address.replace(/_\d+$/, ""));
  if (device !== undefined) return device;
  throw new CommandFailure("notFound", `${name} is not a device of the radio network ${network.name}.`);
}

/** ZW005_1 → 5 */
function numberOf(address: string): number {
  return Number(/(?<!\d)(\d+)_\d+$/.exec(address)?.[1] ?? Number.NaN);
}
