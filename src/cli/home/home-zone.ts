/** The time zone of a home, in which lists show times: its schedules are written in it. */

import { ClientError, type Edits } from "@domovoi/client";

/** Undefined as JSON, and where the controller does not say: at a local listener, and at other controllers of the interface. */
export async function homeZone(
  { edits }: { readonly edits: Edits },
  { json = false }: { readonly json?: boolean },
): Promise<string | undefined> {
  if (json) return undefined;
  try {
    return (await edits.place()).timeZone;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}
