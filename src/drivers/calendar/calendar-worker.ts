/** The thread in which a calendar is read. The library warns of foreign texts on the console; these are nobody's log. */

import { answerTask } from "../../util/thread-task.ts";
import { type CalendarTask, readOccurrences } from "./occurrences.ts";

console.warn = () => {};

await answerTask(async (task: CalendarTask) => readOccurrences(task));
