/** Why no certificate came, in a sentence for the owner. */
export class AcmeError extends Error {
  /** Seconds after which the server permits another try; 0 = it does not say. */
  readonly retryAfterS: number;

  constructor(sentence: string, retryAfterS = 0) {
    super(sentence);
    this.retryAfterS = retryAfterS;
  }
}
