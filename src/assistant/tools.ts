/** Every tool of an assistant. A new tool is a row here and in docs/assistant.md. */

import { commandTool } from "./commanding.ts";
import { draftingTools } from "./drafting.ts";
import { lookingTools } from "./looking.ts";
import { proposingTools } from "./proposing.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [...lookingTools, commandTool, ...draftingTools, ...proposingTools];
