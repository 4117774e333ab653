/** Tools that propose a change. A person decides, or an owner has allowed the kind to the account. */

import type { NewProposal, Proposal } from "@domovoi/client";
import { cut, localTime, type Tool, type ToolContext, type ToolInput } from "./tool.ts";

const LISTED_MAX = 20;

export const proposingTools: readonly Tool[] = [
  {
    name: "propose",
    about:
      "Proposes a change: the text of a new or changed program, another name, or a command to a lock or alarm. Nothing is done before a person approves it, unless the answer says approved. Verify and replay a program first.",
    members: {
      kind: { enum: ["program", "name", "command"] },
      why: { type: "string", maxLength: 1000, description: "The reason, for the person who decides." },
      text: { type: "string", description: "program: its whole text." },
      address: { type: "string", description: "name, command: id of the node, scene or folder." },
      name: { type: "string", description: "name: the new name." },
      command: { type: "string", description: "command: its id, such as LOCK." },
      value: { type: "number", description: "command: its parameter, if it has one." },
    },
    required: ["kind", "why"],
    acts: true,
    run: propose,
  },
  {
    name: "proposals",
    about: "The proposals of this account, newest first, with the decision of the person about each.",
    members: {},
    run: proposals,
  },
];

async function propose({ home, zone }: ToolContext, input: ToolInput): Promise<object> {
  // It fits the schema of the tool, which has the members of a proposal.
  return lineOf(await home.proposals.add(input as NewProposal), zone);
}

async function proposals({ home, zone }: ToolContext): Promise<object> {
  const all = await home.proposals.list();
  return cut(
    "proposals",
    all.map((each) => lineOf(each, zone)),
    LISTED_MAX,
  );
}

function lineOf({ id, at, title, state, decidedBy, findings, lastWeek, isSecured }: Proposal, zone: string): object {
  return {
    ...{ id, time: localTime(at, zone), title, state, findings, lastWeek },
    ...(decidedBy !== null && { decidedBy }),
    ...(isSecured && { secured: true }),
  };
}
