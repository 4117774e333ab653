const FRAMES_MAX = 8;
const STACK_CHARS_MAX = 20_000;

/** The kind of what was thrown and where, for the log. Its message is left out where it may quote what others sent. */
export function placeOf(error: unknown): { readonly fault: string; readonly at: readonly string[] } {
  const { name = typeof error, stack = "" } = error instanceof Error ? error : {};
  const lines = stack.slice(0, STACK_CHARS_MAX).split("\n");
  const frames = lines.filter((line) => line.startsWith("    at ")).map((line) => line.trim());
  return { fault: name, at: frames.slice(0, FRAMES_MAX) };
}

/** The sentence of what was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
