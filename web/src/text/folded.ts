/** For comparing what is typed with names: without regard to case, and to whether accents are letters of their own. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
