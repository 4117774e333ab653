/** Why a file that was named on the command line is not used, with what to do. */

const REASONS: Readonly<Record<string, (what: string, file: string) => string>> = {
  ENOENT: (what, file) => `There is no ${what} ${file}.`,
  EACCES: (what, file) => `This user may not read the ${what} ${file}.`,
  EISDIR: (what, file) => `The ${what} ${file} is a directory. Name a file.`,
};

/** @param cause as the file system throws it. @param what such as "settings file" */
export function unreadableFile(file: string, cause: unknown, what = "file"): string {
  const { code = "" } = (cause ?? {}) as { readonly code?: string };
  return REASONS[code]?.(what, file) ?? `The ${what} ${file} cannot be read${code === "" ? "" : ` (${code})`}.`;
}
