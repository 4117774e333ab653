/** The part of http_ece that is used: encryption of messages by RFC 8188 and RFC 8291. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  type Parameters = {
    readonly version: "aes128gcm";
    /** Public key of the receiver, base64url. */
    readonly dh: string;
    readonly authSecret: string;
    /** Made for this message. */
    readonly privateKey: ECDH;
    readonly salt: string;
  };
  const ece: { encrypt(content: Buffer, parameters: Parameters): Buffer };
  export default ece;
}
