/**
 * The values of node:http. An import of that module also loads its parts that implement fetch, which nothing here uses: they
 * take 50 ms of every start.
 */

const http = process.getBuiltinModule("node:http");

export const createServer = http.createServer;
export const request = http.request;
export const STATUS_CODES = http.STATUS_CODES;
