/** Standard error of a service: log lines for machines, and lines for people. */

type Written = { readonly log: readonly Readonly<Record<string, unknown>>[]; readonly person: string };

export function readLines(stderr: string): Written {
  const lines = stderr.split("\n");
  const isLog = (line: string) => line.startsWith("{");
  return {
    log: lines.filter(isLog).map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
    person: lines
      .filter((line) => !isLog(line))
      .join("\n")
      .trim(),
  };
}
