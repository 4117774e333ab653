/** Adding, changing and removing an alert, as operations of the integration. */

import { PLUGINS } from "../../families.ts";
import type { Operation } from "../../home/operation.ts";
import { messageOf } from "../../util/message-of.ts";
import { URGENCIES, type Urgency } from "../alert-port.ts";
import type { DriverHost } from "../driver.ts";
import { type OperationInput, type OperationRow, OperationTable } from "../operation-table.ts";
import { membersSchema } from "../settings-schema.ts";

export type AlertGiven = {
  readonly name?: string;
  readonly text?: string;
  readonly urgency?: Urgency;
  readonly order?: string;
  /** As their owner writes them; undefined: as it is. */
  readonly buttons: readonly (string | undefined)[];
};

type Work = {
  /** @returns the address of its node */
  add(given: AlertGiven): string;
  change(alert: string, given: AlertGiven): string;
  remove(alert: string): void;
};

type Row = OperationRow & { run(work: Work, input: OperationInput): { address?: string; detail: string } };
type Running = { readonly host: DriverHost; readonly lost: AbortSignal };

const ALERT = { type: "string", title: "Alert", description: "Name or number of the alert.", maxLength: 200 } as const;
const button = (number: number) =>
  ({
    type: "string",
    title: `Button ${number}`,
    description:
      "LABEL: STATEMENT, such as Close: Set 'Main Valve' Off, or Evening: Run Then in 'Evening'. Empty: none.",
    maxLength: 500,
  }) as const;
const GIVEN = {
  text: {
    type: "string",
    title: "Text",
    description: "With values as in notifications. Left out: the sensors that say so, and where.",
    maxLength: 500,
  },
  urgency: { type: "string", title: "Urgency", description: "How loud it is on phones.", enum: URGENCIES },
  order: {
    type: "string",
    title: "Order",
    description: "Who gets it, with the minutes after which: home, 3 Ben, 6 all. Empty: that of the integration.",
    maxLength: 500,
  },
  button1: button(1),
  button2: button(2),
  button3: button(3),
} as const;

const ROWS: Readonly<Record<string, Row>> = {
  "add-alert": {
    name: "Add an alert",
    about: "Adds an alert that a program or person raises: Set 'NAME' On.",
    input: membersSchema(
      { name: { ...ALERT, title: "Name", description: "As programs call it.", minLength: 1 }, ...GIVEN },
      "name",
    ),
    run: (work, input) => ({
      address: work.add(givenIn(input)),
      detail: "The alert was added. Programs raise it with On.",
    }),
  },
  "change-alert": {
    name: "Change an alert",
    about: "Changes the text, urgency, order and buttons of an alert. To rename it, rename the node.",
    input: membersSchema({ alert: ALERT, ...GIVEN }, "alert"),
    run: (work, input) => ({
      address: work.change(String(input.alert), givenIn(input)),
      detail: "The alert was changed.",
    }),
  },
  "remove-alert": {
    name: "Remove an alert",
    about: "Removes an alert that its owner added, and its node.",
    input: membersSchema({ alert: ALERT }, "alert"),
    run(work, input) {
      work.remove(String(input.alert));
      return { detail: "The alert was removed." };
    },
  },
};

export class AlertOperations extends OperationTable<Running, Row> {
  readonly #work: Work;

  constructor(running: () => Running | null, work: Work) {
    super(ROWS, running);
    this.#work = work;
  }

  protected carryOut({ host, lost }: Running, kind: string, row: Row, input: OperationInput): Operation {
    const ground = { host, family: PLUGINS.id, lost, sentenceOf: messageOf };
    return this.operations.begin(ground, kind, null, row.about, async (turn) => {
      const { address, detail } = row.run(this.#work, input);
      if (address !== undefined) turn.tell({ address });
      await host.store.saved();
      return detail;
    });
  }
}

/** Only what was given. */
function givenIn({ name, text, urgency, order, button1, button2, button3 }: OperationInput): AlertGiven {
  return {
    ...(typeof name === "string" && { name: name.trim() }),
    ...(typeof text === "string" && { text: text.trim() }),
    // Checked against the schema.
    ...(urgency !== undefined && { urgency: urgency as Urgency }),
    ...(typeof order === "string" && { order: order.trim() }),
    buttons: [button1, button2, button3].map((each) => (typeof each === "string" ? each : undefined)),
  };
}
