/** The thread in which a calendar is read. The library warns on the console about texts of the calendar; they do not belong in the log. */

import { answerTask } from "../../util/thread-task.ts";
import { type CalendarTask, readOccurrences } from "./occurrences.ts";

console.warn = () => {};

await answerTask(async (task: CalendarTask) => readOccurrences(task));
