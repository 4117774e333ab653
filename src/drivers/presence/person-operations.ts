/** Adding, changing and forgetting a person, as operations of the integration. What they publish names nobody. */

import { PLUGINS } from "../../families.ts";
import type { Operation } from "../../home/operation.ts";
import { messageOf } from "../../util/message-of.ts";
import type { DriverHost } from "../driver.ts";
import { type OperationInput, type OperationRow, OperationTable } from "../operation-table.ts";
import { membersSchema } from "../settings-schema.ts";
import { addressOf, type PersonGiven, type PersonRecord } from "./person-book.ts";

type Work = {
  add(given: PersonGiven): PersonRecord;
  change(person: string, given: Partial<PersonGiven>): PersonRecord;
  /** @returns what remains, a sentence. */
  forget(person: string): Promise<string>;
};

type Row = OperationRow & { run(work: Work, input: OperationInput): Promise<{ address?: string; detail: string }> };
type Running = { readonly host: DriverHost; readonly lost: AbortSignal };

/** Nodes of one person, and channels. */
const PARTS_MAX = 8;
const NAME_CHARS_MAX = 200;

const PERSON = {
  type: "string",
  title: "Person",
  description: "Name or number of the person.",
  maxLength: NAME_CHARS_MAX,
} as const;
const GIVEN = {
  account: {
    type: "string",
    title: "Account",
    description: "The login name of the person, if there is one.",
    maxLength: 100,
  },
  topic: {
    type: "string",
    title: "Topic",
    description: "USER/DEVICE of the person's phone at the broker; empty: none.",
    maxLength: 200,
    pattern: "^([^/#+]+/[^/#+]+)?$",
  },
  nodes: {
    type: "string",
    title: "Nodes",
    description: "Addresses of nodes that say where the person is, with commas between them.",
    maxLength: 500,
  },
  channels: {
    type: "string",
    title: "Channels",
    description:
      "Notification channels by which alerts reach the person, with commas; empty: that of the account's browsers.",
    maxLength: 500,
  },
} as const;

const ROWS: Readonly<Record<string, Row>> = {
  "add-person": {
    name: "Add a person",
    about: "Adds a person with a node that is Home or Away.",
    input: membersSchema(
      { name: { ...PERSON, title: "Name", description: "As programs call the person.", minLength: 1 }, ...GIVEN },
      "name",
    ),
    async run(work, input) {
      const { account = "", topic = "", nodes = [], channels = [], name = "" } = givenIn(input);
      const address = addressOf(work.add({ name, account, topic, nodes, channels }));
      return { address, detail: "The person was added. Next, let a phone say where it is." };
    },
  },
  "change-person": {
    name: "Change a person",
    about: "Changes the account, topic, nodes and channels of a person. To rename a person, rename the node.",
    input: membersSchema({ person: PERSON, ...GIVEN }, "person"),
    run: async (work, input) => ({
      address: addressOf(work.change(String(input.person), givenIn(input))),
      detail: "The person was changed.",
    }),
  },
  "forget-person": {
    name: "Forget a person",
    about: "Removes the person's record, node and token, and says what remains.",
    input: membersSchema({ person: PERSON }, "person"),
    run: async (work, input) => ({ detail: await work.forget(String(input.person)) }),
  },
};

export class PersonOperations extends OperationTable<Running, Row> {
  readonly #work: Work;

  constructor(running: () => Running | null, work: Work) {
    super(ROWS, running);
    this.#work = work;
  }

  protected carryOut({ host, lost }: Running, kind: string, row: Row, input: OperationInput): Operation {
    const ground = { host, family: PLUGINS.id, lost, sentenceOf: messageOf };
    return this.operations.begin(ground, kind, null, row.about, async (turn) => {
      const { address, detail } = await row.run(this.#work, input);
      if (address !== undefined) turn.tell({ address });
      return detail;
    });
  }
}

/** Only what was given. */
function givenIn({ name, account, topic, nodes, channels }: OperationInput): Partial<PersonGiven> {
  return {
    ...(typeof name === "string" && { name: name.trim() }),
    ...(typeof account === "string" && { account }),
    ...(typeof topic === "string" && { topic }),
    ...(typeof nodes === "string" && { nodes: partsOf(nodes) }),
    ...(typeof channels === "string" && { channels: partsOf(channels) }),
  };
}

function partsOf(text: string): readonly string[] {
  const all = text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  return [...new Set(all)].slice(0, PARTS_MAX);
}
