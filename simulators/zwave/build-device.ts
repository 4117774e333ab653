/** Makes the mock node of a plan. */

import { CommandClasses, SecurityClass } from "@zwave-js/core";
import type { Adapter } from "./adapter/adapter.ts";
import type { ClassName, ClassPlan, DevicePlan, EndpointPlan, SecurityName } from "./device-plan.ts";
import { createMockNode, type MockNodeOptions } from "./mocks.ts";
import { SimulatedDevice } from "./simulated-device.ts";

const SECURITY: Readonly<Record<SecurityName, SecurityClass>> = {
  S0: SecurityClass.S0_Legacy,
  "S2-unauthenticated": SecurityClass.S2_Unauthenticated,
  "S2-authenticated": SecurityClass.S2_Authenticated,
  "S2-access-control": SecurityClass.S2_AccessControl,
};

/** A device that has its keys already, as one that was included before the simulation began. */
export async function buildDevice(adapter: Adapter, id: number, plan: DevicePlan): Promise<SimulatedDevice> {
  const device = await build(adapter, id, plan);
  const { capabilities, encodingContext } = device.node;
  // The mock takes every key of the network; a device has those that it was granted.
  for (const security of Object.values(SECURITY).filter((one) => !capabilities.securityClasses.has(one))) {
    encodingContext.setSecurityClass(adapter.controller.ownNodeId, security, false);
  }
  return device;
}

/** A device that is no node yet: it has no keys before it is given some. */
export async function buildStranger(adapter: Adapter, id: number, plan: DevicePlan): Promise<SimulatedDevice> {
  const device = await build(adapter, id, plan);
  for (const security of Object.values(SECURITY)) device.node.encodingContext.setSecurityClass(id, security, false);
  return device;
}

async function build(adapter: Adapter, id: number, plan: DevicePlan): Promise<SimulatedDevice> {
  const { frameMs } = adapter.options;
  const node = await createMockNode(adapter.controller, { id, capabilities: capabilitiesOf(plan, frameMs) });
  const neighbor = (other: number) => adapter.devices.get(other);
  return new SimulatedDevice(plan, node, adapter.controller, adapter.options.clock, neighbor);
}

type Capabilities = NonNullable<MockNodeOptions["capabilities"]>;

function capabilitiesOf(plan: DevicePlan, txDelay: number): Capabilities {
  return {
    manufacturerId: plan.manufacturerId,
    productType: plan.productType,
    productId: plan.productId,
    firmwareVersion: plan.firmware,
    basicDeviceClass: plan.basic,
    genericDeviceClass: plan.generic,
    specificDeviceClass: plan.specific,
    isListening: plan.listening === "always",
    isFrequentListening: plan.listening === "often" ? "1000ms" : false,
    supportsSecurity: plan.security.length > 0,
    securityClasses: new Set(plan.security.map((name) => SECURITY[name])),
    txDelay,
    commandClasses: classesOf(plan),
    endpoints: plan.endpoints.map((endpoint) => ({
      genericDeviceClass: endpoint.generic,
      specificDeviceClass: endpoint.specific,
      commandClasses: classesOf(endpoint),
    })),
  };
}

type ClassCapabilities = NonNullable<Capabilities["commandClasses"]>[number];

function classesOf({ classes }: EndpointPlan): ClassCapabilities[] {
  // The plan's classes are named by ClassName, which its parser has checked.
  return (Object.entries(classes) as [ClassName, ClassPlan][]).map(([name, plan]) => ({
    ...plan.capabilities,
    ccId: CommandClasses[name],
    version: plan.version,
    isSupported: plan.controlled !== true,
    isControlled: plan.controlled === true,
    secure: plan.secure === true,
  }));
}
