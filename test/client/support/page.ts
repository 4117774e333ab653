/** What a web page takes of the library. */

export { ClientError, connect, login } from "@domovoi/client";
