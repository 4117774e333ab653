// The health check of the container: ends with 0 when /healthz answers 200, so also when the controller is degraded, because a
// restart would help nothing. The certificate is not checked: nothing secret is sent, and it is asked on this machine.
import { get } from "node:https";

const url = process.env.DOMOVOI_HEALTH_URL ?? "https://localhost:8443/healthz";

get(url, { rejectUnauthorized: false, timeout: 8000 }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1));
