/** The home in the SQLite file of this directory, and nowhere else. */

import type { Engine } from "./engine.ts";
import { JournalThread } from "./journal-thread.ts";
import type { WorkerSettings } from "./journal-worker.ts";
import type { LoadedState } from "./load-state.ts";

export class SqliteEngine extends JournalThread implements Engine {
  readonly load: () => Promise<LoadedState>;

  constructor(settings: WorkerSettings, load: () => Promise<LoadedState>) {
    super(settings);
    this.load = load;
  }
}
