/** The time zone of a home, in which lists show times: its schedules are written in it. */

import { ClientError, type Edits } from "@domovoi/client";

/** Undefined where the controller does not say: at a local listener, and at other controllers of the interface. */
export async function homeZone({ edits }: { readonly edits: Edits }): Promise<string | undefined> {
  try {
    return (await edits.place()).timeZone;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}
