/**
 * The big documents, encoded once per version of what they show and served from a buffer, with entity tag and gzip form.
 * gzip is made on first demand for a version; small documents (< 1 KiB) are never compressed.
 */

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Home } from "../home/home.ts";
import type { LimitedHome } from "../home/limited-home.ts";
import type { Node } from "../home/nodes.ts";
import type { Profile } from "../profile/profile.ts";
import { FragmentCache } from "../wire/fragment-cache.ts";
import type { ReceivedDocuments } from "../wire/spelling/received-documents.ts";
import type { Reply } from "./reply.ts";

type Cached = { readonly version: string; readonly reply: Reply };

/** What a document with nodes is made of. */
type TreeParts = { readonly home: Home; readonly profile: Profile };

const GZIP_FROM_BYTES = 1024;

const compress = promisify(gzip);

export class Documents {
  readonly #cache = new Map<string, Cached>();
  readonly #fragments = new Map<string, { readonly epoch: number; readonly cache: FragmentCache<string> }>();
  readonly #pieces = new Map<string, WeakMap<object, string>>();
  readonly #received: ReceivedDocuments | null;
  readonly #ofViews = new WeakMap<LimitedHome | Home, Documents>();

  /** @param received for a twin: the documents as its original sent them. */
  constructor(received: ReceivedDocuments | null = null) {
    this.#received = received;
  }

  /**
   * The documents of the accounts with this view, or of a home of the past. The received ones of a twin name everything, and are of the
   * present, so they are not merged in.
   */
  ofView(view: LimitedHome | Home): Documents {
    const known = this.#ofViews.get(view);
    if (known) return known;
    const made = new Documents();
    this.#ofViews.set(view, made);
    return made;
  }

  /** Whether the original of a twin had this document. */
  isReceived(name: string): boolean {
    return this.#received?.has(name) ?? false;
  }

  /**
   * @param name of the document, one per path and variant.
   * @param version equal versions mean equal bytes.
   */
  serve(name: string, version: string, contentType: string, encode: () => string): Reply {
    const cached = this.#cache.get(name);
    if (cached?.version === version) return cached.reply;
    const ours = encode();
    const body = Buffer.from(this.#received?.spell(name, ours) ?? ours);
    const etag = `W/"${createHash("sha1").update(body).digest("base64url")}"`;
    const reply = withGzip({ status: 200, contentType, body, etag }, body);
    this.#cache.set(name, { version, reply });
    return reply;
  }

  /**
   * The kept pieces of a document that is put together of many.
   * @param epoch version of what all pieces depend on; a new one begins an empty cache.
   */
  fragments(name: string, epoch: number): FragmentCache<string> {
    const known = this.#fragments.get(name);
    if (known?.epoch === epoch) return known.cache;
    const cache = new FragmentCache<string>();
    this.#fragments.set(name, { epoch, cache });
    return cache;
  }

  /** The nodes of a document, encoded. A report encodes its own node again; the pieces of all others are kept. */
  nodePieces(
    name: string,
    { home, profile }: TreeParts,
    nodes: Iterable<Node>,
    encode: (node: Node) => string,
  ): readonly string[] {
    const pieces = this.fragments(name, profile.version);
    pieces.keepOnly(home.nodes);
    return Array.from(nodes, (node) => pieces.of(node.address, node.version, () => encode(node)));
  }

  /** The encoded form, within the document `name`, of a record that never changes. It is made once. */
  piece<R extends object>(name: string, record: R, make: (record: R) => string): string {
    const pieces = this.#pieces.get(name) ?? new WeakMap<object, string>();
    this.#pieces.set(name, pieces);
    const text = pieces.get(record) ?? make(record);
    pieces.set(record, text);
    return text;
  }
}

/** Version of a document with nodes and what they last reported. */
export function treeVersion({ home, profile }: TreeParts): string {
  return `${home.version("structure")}.${home.version("status")}.${profile.version}`;
}

/** Compression costs most of a document, so it is done on demand, once, and not on this thread. */
function withGzip(reply: Reply, body: Buffer): Reply {
  if (body.length < GZIP_FROM_BYTES) return reply;
  let compressed: Buffer | Promise<Buffer> | null = null;
  const compressOnce = () => {
    compressed ??= compress(body, { level: 6 }).then((bytes) => {
      compressed = bytes;
      return bytes;
    });
    return compressed;
  };
  return { ...reply, gzip: compressOnce };
}
