/** The parts of the library that a web page uses. */

export { ClientError, connect, login } from "@domovoi/client";
