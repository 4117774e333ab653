/** Packets of MQTT 3.1.1 as bytes, for clients that keep to no order. */

export const packets = {
  connecting: (id: string, token: string) =>
    packet(0x10, field("MQTT"), Buffer.from([4, 0xc2, 0, 60]), field(id), field(id), field(token)),
  /** With a message that the broker publishes when the connection breaks. */
  connectingWithWill: (id: string, token: string, topic: string, message: string) => {
    const start = [field("MQTT"), Buffer.from([4, 0xc6, 0, 60]), field(id)];
    return packet(0x10, ...start, field(topic), field(message), field(id), field(token));
  },
  subscribing: (topic: string) => packet(0x82, Buffer.from([0, 1]), field(topic), Buffer.from([0])),
  /** @param flags of the fixed header: 1 retains it, 2 and 4 are the quality of service. */
  publishing: (topic: string, message: string, flags = 0, messageId: number | null = null) =>
    packet(
      0x30 | flags,
      field(topic),
      messageId === null ? Buffer.alloc(0) : Buffer.from([messageId >> 8, messageId & 0xff]),
      Buffer.from(message),
    ),
};

function field(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

function packet(type: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  do {
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.concat([Buffer.from([type, ...length]), body]);
}
