/** Finds the devices that the modem is linked with, and what they are: by their own answers, else by the modem's record. */

import type { Log } from "../../../util/log.ts";
import type { Device, DeviceBook } from "../devices/device-book.ts";
import { type Engine, nodesOf, type Product } from "../devices/products.ts";
import type { DeviceCommand, DeviceId, DeviceMessage, LinkRecord } from "../line/messages.ts";
import type { DeviceAnswer, Modem } from "../line/modem.ts";
import { isLink } from "../links/link-records.ts";
import type { ModemLinks } from "../links/modem-links.ts";

type DiscoveryPorts = {
  readonly modem: Modem;
  readonly modemLinks: ModemLinks;
  readonly book: DeviceBook;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** A device was declared. */
  readonly onDevice: (device: Device) => Promise<void>;
};

const ENGINES: readonly Engine[] = ["i1", "i2", "i2CS"];
const ENGINE_VERSION = 0x0d;
const IDENTIFY = 0x10;
const IDENTIFIED = 0x01;
const PRODUCT_DATA = 0x03;
const UNKNOWN_SENDER = 0xff;
const UNKNOWN_HERE =
  'An Insteon device does not know this modem any more, although the modem knows it. The operation "repair-links" links them again.';

export class Discovery {
  readonly #ports: DiscoveryPorts;
  /** Linked devices that have not said what they are, with the modem's note of it. They are asked when they are heard. */
  readonly #unidentified = new Map<DeviceId, LinkRecord["data"]>();
  readonly #underWay = new Map<DeviceId, Promise<void>>();
  /** Devices that the log has named. */
  readonly #named = new Set<DeviceId>();

  constructor(ports: DiscoveryPorts) {
    this.#ports = ports;
  }

  /** @throws ModemLost */
  async run(): Promise<void> {
    const { modemLinks, book } = this.#ports;
    const linked = new Map<DeviceId, LinkRecord["data"]>();
    const links = (await modemLinks.read()).filter(isLink);
    for (const { device, data } of links) {
      if (!linked.has(device) || isProduct(device, data)) linked.set(device, data);
    }
    for (const [id, data] of linked) {
      const known = book.device(id);
      if (!known) await this.identify(id, data);
      else if (known.product.isNoted) this.#unidentified.set(id, data);
    }
  }

  /** A message of the device was received: it is awake. */
  heard(id: DeviceId): void {
    const data = this.#unidentified.get(id);
    if (data) void this.identify(id, data);
  }

  /** @param noted what the modem's record says: category, subcategory, firmware, or anything else */
  identify(id: DeviceId, noted: LinkRecord["data"] = []): Promise<void> {
    const underWay = this.#underWay.get(id) ?? this.#identify(id, noted).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, underWay);
    return underWay;
  }

  async #identify(id: DeviceId, noted: LinkRecord["data"]): Promise<void> {
    const { book, log, onDevice } = this.#ports;
    const own = await this.#productOf(id);
    if (own === "closed") return;
    const product = own ?? (isProduct(id, noted) ? notedProduct(noted) : null);
    if (own) this.#unidentified.delete(id);
    else this.#unidentified.set(id, noted);
    if (!product) {
      this.#warn(id, "A linked Insteon device does not say what it is. It is added when it sends something.");
      return;
    }
    const device = book.add(id, product);
    if (device) await onDevice(device);
    else
      log.info("A linked Insteon device has no nodes.", {
        device: id,
        product: `${product.category}.${product.subcategory}`,
      });
  }

  async #productOf(id: DeviceId): Promise<Product | "closed" | null> {
    const version = await this.#send({ device: id, cmd1: ENGINE_VERSION, cmd2: 0 });
    if (version.kind === "closed" || version.kind === "given-up") return "closed";
    if (version.kind === "nak" && version.reason === UNKNOWN_SENDER) this.#warn(id, UNKNOWN_HERE);
    if (version.kind !== "ack") return null;
    const engine = ENGINES[version.cmd2] ?? "i2CS";
    const identified = await this.#send({ device: id, cmd1: IDENTIFY, cmd2: 0 }, isIdentification);
    if (identified.kind === "ack" && identified.reply) {
      const [category = 0, subcategory = 0, firmware = 0] = identified.reply.to;
      return { category, subcategory, firmware, engine };
    }
    const described = await this.#send({ device: id, cmd1: PRODUCT_DATA, cmd2: 0 }, isProductData);
    const data = described.kind === "ack" ? described.reply?.data : null;
    return data ? { category: data[4] ?? 0, subcategory: data[5] ?? 0, firmware: 0, engine } : null;
  }

  #send(command: DeviceCommand, reply?: (message: DeviceMessage) => boolean): Promise<DeviceAnswer> {
    const { modem, signal } = this.#ports;
    return modem.send({ ...command, isBackground: true, signal, ...(reply ? { reply } : {}) });
  }

  /** Once for each device. */
  #warn(device: DeviceId, sentence: string): void {
    if (!this.#named.has(device)) this.#ports.log.warn(sentence, { device });
    this.#named.add(device);
  }
}

function isIdentification({ type, cmd1 }: DeviceMessage): boolean {
  return type === "broadcast" && cmd1 === IDENTIFIED;
}

function isProductData({ type, cmd1, data }: DeviceMessage): boolean {
  return type === "direct" && cmd1 === PRODUCT_DATA && data !== null;
}

/** Controllers of other makers write zeros into the modem's records, or levels. */
function isProduct(id: DeviceId, data: LinkRecord["data"]): boolean {
  return data[0] !== 0 && nodesOf(id, notedProduct(data)) !== null;
}

function notedProduct([category = 0, subcategory = 0, firmware = 0]: LinkRecord["data"]): Product {
  return { category, subcategory, firmware, engine: "i2", isNoted: true };
}
