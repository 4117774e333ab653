/** Work that yields wherever it may pause, so that the event loop is not held. Its result does not depend on the pauses. */
export type Slices<T> = Generator<void, T, void>;
