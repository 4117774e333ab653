/** What a node is called until its owner names it: the device's name, then what the node is of it. */

/** @param label "Lock Alarm", "2 Meter"; empty for the device itself. No word stands twice, and no two nodes have one name. */
export function nodeName(device: string, label: string): string {
  if (label === "") return device;
  if (device.endsWith(` ${label}`)) return `${device} Notification`;
  const [first = "", ...rest] = label.split(" ");
  return device.endsWith(` ${first}`) && rest.length > 0 ? `${device} ${rest.join(" ")}` : `${device} ${label}`;
}
