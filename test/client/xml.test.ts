/** The reader of XML against one for all of XML. */

import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { repairAmpersands, scanXml } from "../../client/src/documents/scan-xml.ts";

type Told = readonly unknown[];

/** Pieces of text that follow one another are one, an empty one is none. */
function joined(told: Told[]): readonly Told[] {
  return told
    .filter((each) => each[1] !== "")
    .reduce<Told[]>((all, each) => {
      const last = all.at(-1);
      if (each[0] === "text" && last?.[0] === "text") all[all.length - 1] = ["text", `${last[1]}${each[1]}`];
      else all.push(each);
      return all;
    }, []);
}

function ours(document: string): readonly Told[] {
  const told: Told[] = [];
  scanXml(document, {
    open: (name, attributes) => told.push(["open", name, { ...attributes }]),
    text: (text) => told.push(["text", text]),
    close: (name) => told.push(["close", name]),
  });
  return joined(told);
}

function theirs(document: string): readonly Told[] {
  const told: Told[] = [];
  let depth = 0;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    told.push(["open", name, { ...attributes }]);
  });
  const text = (piece: string) => {
    if (depth > 0 && piece !== "") told.push(["text", piece]);
  };
  parser.on("text", text);
  parser.on("cdata", text);
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    told.push(["close", name]);
  });
  parser.write(document).close();
  return joined(told);
}

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/);
const letters = fc
  .string({ unit: "grapheme", maxLength: 12 })
  // Characters that XML cannot hold, and line ends and tabs in attributes, which full XML parsers turn into spaces.
  .map((text) => text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, "").replace(/\p{Cs}/gu, ""));
const escaped = letters.map((text) =>
  text.replace(
    /[&<>"']/g,
    (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&#62;", '"': "&quot;", "'": "&#x27;" })[char] ?? char,
  ),
);
const attributes = fc
  .uniqueArray(fc.tuple(name, escaped), { selector: ([key]) => key, maxLength: 4 })
  .map((all) =>
    all.map(([key, value], index) => (index % 2 === 0 ? ` ${key}="${value}"` : `\n ${key} = '${value}'`)).join(""),
  );
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(name, attributes, fc.array(tie("content"), { maxLength: 4 }))
    .map(([tag, more, inner]) =>
      inner.length === 0 ? `<${tag}${more} />` : `<${tag}${more}>${inner.join("")}</${tag} >`,
    ),
  content: fc.oneof(
    { depthSize: "small" },
    escaped,
    tie("element"),
    letters.map((text) => `<![CDATA[${text.replaceAll("]]>", "")}]]>`),
    fc.constantFrom("<!-- a <b> & -->", "<?go on?>", " \n "),
  ),
}));
const document = fc
  .tuple(fc.constantFrom("", "\uFEFF", '<?xml version="1.0" encoding="UTF-8"?>\n', "<!-- first -->"), element)
  .map((parts) => parts.join(""));

describe("a well-formed document", () => {
  test("is read like by an independent XML parser", () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(ours(text)).toEqual(theirs(text));
      }),
      { numRuns: 300 },
    );
  });

  test("is read at any length", () => {
    const long = `<a>${"<d e='f'/>".repeat(200_000)}</a>`;
    expect(ours(long)).toHaveLength(400_002);
  });
});

describe("a malformed document", () => {
  test("is refused whenever a piece of it is missing at the end", () => {
    const cut = fc.tuple(document, fc.double({ min: 0, max: 0.999, noNaN: true }));
    fc.assert(
      fc.property(cut, ([text, share]) => {
        const end = text.lastIndexOf(">");
        expect(() => ours(text.slice(0, Math.floor(end * share)))).toThrow("The XML is malformed");
      }),
    );
  });

  test.each([
    ...["", " ", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>text", "<a b></a>", "<a b=c></a>"],
    ...[
      "<a>&</a>",
      "<a>& b;</a>",
      "<a>&other;</a>",
      "<a>&toString;</a>",
      "<a>&#0;</a>",
      "<a>&#x110000;</a>",
      "<a><!-- </a>",
    ],
    ...["<a><![CDATA[</a>", "<![CDATA[a]]>", "<!DOCTYPE a><a/>", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "<1/>"],
    ...['<a b="1"c="2"/>', "<a/", "<?xml", "<a></a", "<a><b></a></b>"],
  ])("%j is refused", (text) => {
    expect(() => ours(text)).toThrow("The XML is malformed");
  });

  test("the first of two attributes of a name counts, and a `<` in one is a character", () => {
    expect(ours('<a b="1" b="<"/>')).toEqual([
      ["open", "a", { b: "1" }],
      ["close", "a"],
    ]);
    expect(ours('<a b="<"/>')[0]).toEqual(["open", "a", { b: "<" }]);
  });

  test("quoted text that never ends is looked through once", () => {
    const endless = `<a>${"<![CDATA[".repeat(200_000)}`;
    expect(repairAmpersands(endless)).toBe(endless);
    expect(() => ours(endless)).toThrow();
  });

  test("ampersands are mended where they begin no reference, and only there", () => {
    expect(repairAmpersands("a & b &amp; c &copy; &#38; &#x26; &;")).toBe(
      "a &amp; b &amp; c &amp;copy; &#38; &#x26; &amp;;",
    );
  });
});
