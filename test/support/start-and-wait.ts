/** A process that starts a service, says its id, and waits to be killed. */

import { startService } from "../simulation/service-process.ts";

const [data = ""] = process.argv.slice(2);
const service = await startService(data, ["--demo", "--still"]);
process.stdout.write(`${service.process.pid}\n`);
setInterval(() => {}, 60_000);
