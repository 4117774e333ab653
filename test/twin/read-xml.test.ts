/** The reader of other controllers' XML: what strict readers take it takes the same way, what is often wrong it repairs. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readXml, type XmlElement, XmlError } from "../../src/util/read-xml.ts";
import { escapeXml } from "../../src/util/xml.ts";
import { elementAsObject } from "../../src/wire/loose.ts";
import { parseXmlTree, writeXmlTree } from "../../src/wire/spelling/tree.ts";
import { readXml as readStrictly, type XmlElement as StrictElement } from "../support/read-xml.ts";

const name = fc.constantFrom("node", "a", "x-1", "_y", "é.b", "ns:tag");
/** XML reads line ends and blanks of attributes in its own way, so texts without them are compared. */
const text = fc
  .string({ unit: "grapheme", maxLength: 12 })
  .map((each) => each.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, ""));

type Written = { readonly xml: string };
const { element } = fc.letrec<{ element: Written }>((tie) => ({
  element: fc
    .record({
      name,
      attributes: fc.uniqueArray(fc.tuple(name, text), { selector: ([key]) => key, maxLength: 3 }),
      inner: fc.oneof(
        text.map(escapeXml),
        fc.array(tie("element"), { maxLength: 3 }).map((children) => children.map(({ xml }) => xml).join("<!-- & -->")),
      ),
    })
    .map(({ name: tag, attributes, inner }) => {
      const written = attributes.map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join("");
      return { xml: inner === "" ? `<${tag}${written} />` : `<${tag}${written}>${inner}</${tag}>` };
    }),
}));

/** Without the fields that only our reader has, and without blank text beside children. */
function plain({ name: tag, attributes, children, text: inner }: XmlElement): object {
  return { name: tag, attributes: Object.fromEntries(attributes), children: children.map(plain), text: inner };
}

function strict({ name: tag, attributes, children, text: inner }: StrictElement): object {
  return { name: tag, attributes: { ...attributes }, children: children.map(strict), text: inner };
}

describe("reading XML", () => {
  test("every well-formed document is read like by a strict parser", () => {
    fc.assert(
      fc.property(element, ({ xml }) => {
        expect(plain(readXml(`<?xml version="1.0"?>\n${xml}\n`))).toEqual(strict(readStrictly(xml)));
      }),
    );
  });

  test("blanks of every kind read as a strict reader reads them, and are written as they were", () => {
    const blank = fc.constantFrom(" ", "\t", "\n", "\r", "\r\n", "&#9;", "&#10;", "&#13;", "x");
    const blanks = fc.array(blank, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const inner = fc.oneof(
      blanks,
      blanks.map((each) => `<![CDATA[<b\t>${each}]]>`),
    );
    fc.assert(
      fc.property(blanks, inner, (value, within) => {
        const xml = `<a\n\tx="${value}">${within}<!--\t<b\n>--></a>`;
        const read = strict(readStrictly(xml));
        expect(plain(readXml(xml))).toEqual(read);
        expect(strict(readStrictly(writeXmlTree(parseXmlTree(xml))))).toEqual(read);
      }),
    );
  });

  // Each with a blank that an attribute could hold, for which tags are looked at beforehand.
  test.each(["<!--", "<![CDATA[", "<", "<a b='"])("a document of %s without an end is refused at once", (piece) => {
    expect(() => readXml(`<x>\n${piece.repeat(200_000)}`)).toThrow(XmlError);
  });

  test("any text is read or refused with a place, and nothing hangs", () => {
    const pieces = fc.constantFrom(
      "<",
      ">",
      "</a>",
      "<a>",
      "<a b='",
      '"',
      "&",
      "&amp;",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      " ",
      "=",
      "x",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          expect(readXml(parts.join("")).name).not.toBe("");
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
        }
      }),
    );
  });

  test.each([
    ["<a>x & y</a>", "x & y"],
    ["<a>?b=1&c=2&amp;d=3</a>", "?b=1&c=2&d=3"],
    ["<a>&#228;&#x1F4A1;&apos;</a>", "ä💡'"],
    ["\ufeff<a>1</a>", "1"],
    ["<a><![CDATA[<b>&amp;]]></a>", "<b>&amp;"],
  ])("%s says %s", (xml, said) => {
    expect(readXml(xml).text).toBe(said);
  });

  test.each([
    ["<a>", "an element that is not closed"],
    ["<a><b></a></b>", "elements that overlap"],
    ["<a/><b/>", "two roots"],
    ["", "nothing"],
    ["not found", "a page of text"],
    ["<a b=1/>", "a value without quotes"],
    [`${"<a>".repeat(5000)}`, "elements without end"],
  ])("%.20s is refused: %s", (xml) => {
    expect(() => readXml(xml)).toThrow(XmlError);
  });
});

test("properties and links of an element are lists in its object, also a single one", () => {
  const element = readXml('<node><property id="ST" /><link>1</link><link>2</link></node>');
  expect(elementAsObject(element)).toEqual({ property: [{ id: "ST" }], link: ["1", "2"] });
});

test("an element as an object has its attributes as members, beside the text of a child where that has both", () => {
  const element = readXml('<node flag="1"><type v="2">4.33</type><name>Lamp</name><parent kind="3" /></node>');
  const members = { flag: "1", type: { v: "2", _: "4.33" }, name: "Lamp", parent: { kind: "3" } };
  expect(elementAsObject(element)).toEqual(members);
});
