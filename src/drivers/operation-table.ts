/** The commissioning port of a driver whose operations are rows of a table, one under way at a time. */

import { ControllerError } from "../errors.ts";
import type { Operation } from "../home/operation.ts";
import type { Commissioning, OperationAnswer, OperationKind } from "./commissioning.ts";
import { Operations } from "./operations.ts";

export type OperationInput = Readonly<Record<string, unknown>>;
/** A row without its key, which is the word for the kind. */
export type OperationRow = Omit<OperationKind, "kind">;

export abstract class OperationTable<Running, Row extends OperationRow> implements Commissioning {
  readonly kinds: readonly OperationKind[];
  protected readonly operations = new Operations();
  readonly #rows: Readonly<Record<string, Row>>;
  readonly #running: () => Running | null;

  /** @param running what operations work on; null while the transport is down */
  constructor(rows: Readonly<Record<string, Row>>, running: () => Running | null) {
    this.#rows = rows;
    this.#running = running;
    this.kinds = Object.entries(rows).map(([kind, { name, about, input }]) => ({ kind, name, about, input }));
  }

  operation(): Operation | null {
    return this.operations.current();
  }

  begin(kind: string, input: OperationInput): Operation {
    const running = this.#running();
    const row = this.#rows[kind];
    if (!running) throw new ControllerError("DRIVER_UNAVAILABLE");
    if (!row) throw new ControllerError("NOT_SUPPORTED");
    return this.carryOut(running, kind, row, input);
  }

  /** Hands the work of a row to `operations`. */
  protected abstract carryOut(running: Running, kind: string, row: Row, input: OperationInput): Operation;

  answer(answer: OperationAnswer): Operation {
    return this.operations.answer(answer);
  }

  cancel(): Operation {
    return this.operations.cancel();
  }
}
