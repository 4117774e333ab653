/** Writing XML text: escaping, and leaving out what XML 1.0 cannot carry. Reading XML is not needed on these surfaces. */

// Everything that needs attention in a text or an attribute; most strings have none of it.
const SPECIAL = /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\ud800-\udfff]/;
const EACH_SPECIAL =
  /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

/** Safe in text and in a double-quoted attribute. Characters outside XML 1.0 and lone surrogates are left out. */
export function escapeXml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, escapeOne) : text;
}

function escapeOne(character: string): string {
  switch (character) {
    case "&":
      return "&amp;";
    case "<":
      return "&lt;";
    case ">":
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return character.length === 2 ? character : "";
  }
}

/** The document prolog; the root follows it at once, as clients of the legacy surface need it. */
export const XML_PROLOG = '<?xml version="1.0" encoding="UTF-8"?>';
