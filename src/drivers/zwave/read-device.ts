/** A running node of the library as the plain description that plans are made from. */

import type { ZWaveDevice } from "./library.ts";
import type { DeviceView, EndpointView, ValueMetadata, ValueView } from "./plan/device-view.ts";

export function readDevice(device: ZWaveDevice): DeviceView {
  return {
    nodeId: device.id,
    basic: device.deviceClass?.basic ?? 0,
    product: [device.manufacturerId ?? 0, device.productType ?? 0, device.productId ?? 0],
    name: device.name?.trim() || null,
    endpoints: device.getAllEndpoints().map(readEndpoint),
    values: device.getDefinedValueIDs().map((id): ValueView => {
      const { commandClass, endpoint = 0, property, propertyKey, propertyName, propertyKeyName } = id;
      return {
        commandClass,
        endpoint,
        property,
        ...(propertyKey === undefined ? {} : { propertyKey }),
        ...(propertyName === undefined ? {} : { propertyName }),
        ...(propertyKeyName === undefined ? {} : { propertyKeyName }),
        // The library's type is a union of shapes of which each has some of the members that are read here.
        metadata: device.getValueMetadata(id) as ValueMetadata,
      };
    }),
  };
}

type Endpoint = ReturnType<ZWaveDevice["getAllEndpoints"]>[number];

function readEndpoint(endpoint: Endpoint): EndpointView {
  const commandClasses = [...endpoint.getCCs()].filter(([, { isSupported }]) => isSupported);
  return {
    index: endpoint.index,
    generic: endpoint.deviceClass?.generic.key ?? 0,
    specific: endpoint.deviceClass?.specific.key ?? 0,
    // An endpoint that was not interviewed has the version of the device.
    commandClasses: new Map(
      commandClasses.map(([commandClass]) => [commandClass, endpoint.getCCVersion(commandClass)]),
    ),
  };
}
