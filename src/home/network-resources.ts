/** Network resources: requests to other machines that a person or a program can fire. */

export type NetworkProtocol = "http" | "https" | "tcp" | "udp";

export type NetworkResource = {
  readonly id: number;
  readonly name: string;
  /** `none`: firing it is acknowledged and nothing is sent, as with those of a twin. */
  readonly protocol: NetworkProtocol | "none";
  readonly host: string;
  readonly port: number;
  /** HTTP(S) only: GET, POST, PUT, DELETE, PATCH or HEAD. */
  readonly method: string;
  /** HTTP(S) only: path with query, starting with "/". */
  readonly path: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
  readonly timeoutMs: number;
};
