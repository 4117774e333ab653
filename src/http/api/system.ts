/** `/api/sys` and `/api/system/about`: which parts the controller has, and how full the machine is. @see docs/interface/system.md */

import { statfs } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { ControllerError } from "../../errors.ts";
import { SUPPORT_FLAGS } from "../../families.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type Fits, type JsonSchema, list, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, VIEW } from "./api-route.ts";

const flag = { type: "boolean" } as const;

/** Members of `data`, which clients read beside it too. */
const systemMembers: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries([...SUPPORT_FLAGS.keys()].map((name) => [name, flag])),
  profileDatabaseEnabled: { ...flag, description: "Nodedefs of radio devices are in /rest/profiles." },
  nodePropertyHistory: { ...flag, description: "Changes of properties are recorded." },
  queryOnInit: flag,
  ntpHost: { type: "string" },
  ntpEnabled: flag,
  ntpInterval: { type: "integer" },
  mailTo: { type: "string" },
};

const systemData = object(systemMembers);

const BYTES = object({
  total: { type: "integer" },
  free: { type: "integer" },
  used: { type: "integer" },
  unit: { const: "bytes" },
});

const aboutData = object({
  memory: BYTES,
  storage: { ...BYTES, description: "The file system of the data directory." },
});

const packagesData = object({ packages: list(object({ name: { type: "string" }, version: { type: "string" } })) });

const route = apiRoute("system", "read", VIEW);

export const systemRoutes: readonly Route[] = [
  route("GET /api/sys", "The available parts of the controller.", getSystem, {
    data: systemData,
    beside: systemMembers,
  }),
  route("GET /api/system/about", "Usage of memory and disk.", getAbout, { data: aboutData }),
  route("GET /api/system/packages", "The installed program: Domovoi.", getPackages, { data: packagesData }),
  route("POST /api/udx/*", "Not available: services of the machine.", refuseService, { access: "administer" }),
];

/** A family is supported when the home has nodes of it. */
function getSystem(_request: HttpRequest, { home, history }: Services): Reply {
  const installed = new Set([...home.nodes.values()].map(({ family }) => family));
  const options = {
    ...Object.fromEntries(Array.from(SUPPORT_FLAGS, ([name, family]) => [name, installed.has(family)])),
    profileDatabaseEnabled: true,
    nodePropertyHistory: history.isRecording,
    queryOnInit: true,
    ntpHost: "",
    ntpEnabled: false,
    ntpInterval: 0,
    mailTo: "",
  };
  const body = JSON.stringify({ successful: true, data: options, ...options });
  return { status: 200, contentType: JSON_TYPE, body };
}

function getPackages(_request: HttpRequest, { productVersion }: Services): Reply {
  return envelope({ packages: [{ name: "domovoi", version: productVersion }] });
}

/** Clients would stop the services of the machine with it. */
function refuseService(): Reply {
  throw new ControllerError("OPERATION_UNAVAILABLE");
}

async function getAbout(_request: HttpRequest, { config }: Services): Promise<Reply> {
  const { bsize, blocks, bavail } = await statfs(config.data);
  return envelope({ memory: bytes(totalmem(), freemem()), storage: bytes(blocks * bsize, bavail * bsize) });
}

function bytes(total: number, free: number): Fits<typeof BYTES> {
  return { total, free, used: total - free, unit: "bytes" };
}
