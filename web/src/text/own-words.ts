/** A value in a sentence of the controller, in the words and the unit of the page. */

type OwnWords = {
  /** As the controller writes it. */
  readonly of: string;
  readonly are: string;
};

/** The controller puts a space before a unit; a sentence has the value between spaces or quotes. */
export function inOwnWords(sentence: string, { of, are }: OwnWords): string {
  if (of === "" || are === "") return sentence;
  const written = of.trim().replace(/^([-+]?[\d.]+)(?=[^\d.\s])/, "$1 ");
  for (const before of [" ", "„", '"'])
    for (const after of [" ", "“", '"', ".", ",", ";"])
      if (sentence.includes(before + written + after))
        return sentence.replace(before + written + after, () => before + are + after);
  return sentence;
}
