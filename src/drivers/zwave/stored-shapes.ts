/**
 * The stored shapes of the nodes: the shape becomes the nodedef that clients read, and the nodes are shown before the
 * adapter is up, or without it.
 */

import type { DriverHost } from "../driver.ts";
import type { ZWaveFamily } from "./addresses.ts";
import { INSTANCE } from "./facts.ts";
import { type NodeShape, type ShapeText, shapeOfText } from "./plan/nodedef-of-plan.ts";

const KEY = "shapes";

type Ports = Pick<DriverHost, "define" | "store" | "log">;

export class Shapes {
  readonly #host: Ports;
  readonly #family: ZWaveFamily;
  readonly #kept = new Map<string, ShapeText>();

  /**
   * Declares every stored shape. A shape that this version reads differently is left out until its device is declared
   * again.
   */
  constructor(host: Ports, family: ZWaveFamily) {
    this.#host = host;
    this.#family = family;
    for (const [id, kept] of Object.entries(host.store.get(KEY) ?? {})) this.#restore(id, kept);
  }

  /** Declares and keeps it, if it is new. @returns its id. */
  define(shape: NodeShape): string {
    const { id } = shape;
    if (this.#kept.has(id)) return id;
    this.#declare(shape);
    this.#keep();
    return id;
  }

  /** Forgets the shapes that no node has any more. */
  retain(ids: ReadonlySet<string>): void {
    const unused = [...this.#kept.keys()].filter((id) => !ids.has(id));
    if (unused.length === 0) return;
    for (const id of unused) this.#kept.delete(id);
    this.#keep();
  }

  #restore(id: string, kept: unknown): void {
    try {
      // The id is a hash of the shape: a stored text that differs throws, or gives another id and is ignored.
      const shape = shapeOfText(kept as ShapeText, this.#family);
      if (shape.id === id) this.#declare(shape);
    } catch (error) {
      this.#host.log.warn("A stored nodedef cannot be read.", { nodedef: id, error });
    }
  }

  #declare({ id, text, definitions }: NodeShape): void {
    this.#host.define(this.#family, INSTANCE, definitions, true);
    this.#kept.set(id, text);
  }

  #keep(): void {
    this.#host.store.set(KEY, Object.fromEntries(this.#kept));
  }
}
