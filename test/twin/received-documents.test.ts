/** Which elements of two spellings of one XML document are the same thing. */

import { expect, test } from "vitest";
import { ReceivedDocuments } from "../../src/wire/spelling/received-documents.ts";

/** Serves a received document of a twin whose home has changed. */
function served(name: string, received: string, base: string, ours: string): string {
  const documents = new Map([[name, { text: received, base }]]);
  const store = {
    get: (each: string) => documents.get(each) ?? null,
    set: () => {},
    names: () => [...documents.keys()],
  };
  return new ReceivedDocuments(store, "").spell(name, ours);
}

const NODES = "/rest/nodes";
const RESOURCES = "/rest/networking/resources";

test.each<[what: string, name: string, received: string, base: string, ours: string, merged: string]>([
  [
    "a scene is known by its address, whatever attributes it has",
    NODES,
    '<nodes><group address="x" id="y"><address>7</address><name>Hall</name></group></nodes>',
    "<nodes><group><address>7</address><name>Hall</name></group></nodes>",
    "<nodes><group><address>7</address><name>Landing</name></group></nodes>",
    '<nodes><group address="x" id="y"><address>7</address><name>Landing</name></group></nodes>',
  ],
  [
    "folders are known by their addresses, in any order",
    NODES,
    "<nodes><folder><address>2</address><name>B</name></folder><folder><address>1</address><name>A</name></folder></nodes>",
    "<nodes><folder><address>1</address><name>A</name></folder><folder><address>2</address><name>B</name></folder></nodes>",
    "<nodes><folder><address>1</address><name>A</name></folder><folder><address>2</address><name>C</name></folder></nodes>",
    "<nodes><folder><address>2</address><name>C</name></folder><folder><address>1</address><name>A</name></folder></nodes>",
  ],
  [
    "a node is known by its address when it has no attribute id",
    NODES,
    "<nodes><node><id>0</id><address>n2</address><name>B</name></node><node><id>0</id><address>n1</address><name>A</name></node></nodes>",
    "<nodes><node><address>n1</address><name>A</name></node><node><address>n2</address><name>B</name></node></nodes>",
    "<nodes><node><address>n1</address><name>C</name></node><node><address>n2</address><name>B</name></node></nodes>",
    "<nodes><node><id>0</id><address>n2</address><name>B</name></node><node><id>0</id><address>n1</address><name>C</name></node></nodes>",
  ],
  [
    "a property is known by its attribute id, not by a child",
    NODES,
    '<nodes><node id="n1"><property id="OL" value="1"/><property id="ST" value="2"><address>OL</address></property></node></nodes>',
    '<nodes><node id="n1"><property id="ST" value="2"/><property id="OL" value="1"/></node></nodes>',
    '<nodes><node id="n1"><property id="ST" value="3"/><property id="OL" value="1"/></node></nodes>',
    '<nodes><node id="n1"><property id="OL" value="1" /><property id="ST" value="3"><address>OL</address></property></node></nodes>',
  ],
  [
    "a network resource is known by its id, whatever attributes it has",
    RESOURCES,
    '<NetConfig><NetRule id="9"><id>2</id><name>B</name></NetRule><NetRule><id>1</id><name>A</name></NetRule></NetConfig>',
    "<NetConfig><NetRule><id>1</id><name>A</name></NetRule><NetRule><id>2</id><name>B</name></NetRule></NetConfig>",
    "<NetConfig><NetRule><id>1</id><name>A</name></NetRule><NetRule><id>2</id><name>C</name></NetRule></NetConfig>",
    '<NetConfig><NetRule id="9"><id>2</id><name>C</name></NetRule><NetRule><id>1</id><name>A</name></NetRule></NetConfig>',
  ],
  [
    "links are known by node and link definition",
    NODES,
    '<nodes><group><address>7</address><members><link type="32" linkdef="b">n1</link><link type="16" linkdef="a">n1</link></members></group></nodes>',
    '<nodes><group><address>7</address><members><link linkdef="a">n1</link><link linkdef="b">n1</link></members></group></nodes>',
    '<nodes><group><address>7</address><members><link linkdef="a">n1</link></members></group></nodes>',
    '<nodes><group><address>7</address><members><link type="16" linkdef="a">n1</link></members></group></nodes>',
  ],
  [
    "a node that was not received stays out when it changes, but a changed property of a received one comes in",
    NODES,
    '<nodes><node id="n1"></node></nodes>',
    '<nodes><node id="n1"><property id="ST" value="1"/></node><node id="n2"><name>B</name></node></nodes>',
    '<nodes><node id="n1"><property id="ST" value="2"/></node><node id="n2"><name>C</name></node></nodes>',
    '<nodes><node id="n1"><property id="ST" value="2" /></node></nodes>',
  ],
  [
    "an element without attributes and children is known by its name",
    NODES,
    '<nodes><root kind="x">Home</root></nodes>',
    "<nodes><root>Home</root></nodes>",
    "<nodes><root>Villa</root></nodes>",
    '<nodes><root kind="x">Villa</root></nodes>',
  ],
])("%s", (_what, name, received, base, ours, merged) => {
  expect(served(name, received, base, ours)).toBe(merged);
});
