/**
 * What our listeners accept: TLS 1.3, and of TLS 1.2 only authenticated encryption with keys that no later leak reveals. Without a list
 * Node also accepts suites with CBC, whose padding has been attacked again and again.
 */
export const CIPHERS = [
  ...["TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"],
  ...["ECDSA", "RSA"].flatMap((kind) =>
    ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map((suite) => `ECDHE-${kind}-${suite}`),
  ),
].join(":");
