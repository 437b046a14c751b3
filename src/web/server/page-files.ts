import { readdirSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { ifThere } from '../../lib/files/if-there.ts';
import { readPlainFile } from '../../lib/files/plain-file.ts';

/** A file of the page. */
export type PageFile = {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly type: string;
  /** Its name changes with what is in it. */
  readonly isImmutable: boolean;
};

/** What the page shows: one project, or all that are served. */
export type PageOf = 'project' | 'projects';

/** The built page. */
export type PageFiles = {
  /** With a mark on every script and style sheet that it names itself. */
  readonly index: (nonce: string, of: PageOf) => string;
  /** The file of a path of an address, such as `/assets/index-3f2a.js`: exactly one of those that were built. */
  readonly file: (path: string) => PageFile | undefined;
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** No file of the page is longer. */
const MOST_BYTES = 4_194_304;

/** Names that the build gives, with a digest of what is in the file. */
const hashed = /^\/assets\/.*-[\w-]{8,}\.\w+$/;

/** The page that is built into a folder, read when it is wanted first. */
export function pageIn(folder: string): () => PageFiles | undefined {
  let page: PageFiles | undefined;
  return () => (page ??= readPage(folder));
}

/** Reads the built page into memory: what is not a file of it by then can be named by no path. `undefined`: it was not built. */
function readPage(folder: string): PageFiles | undefined {
  const names = ifThere(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }), []);
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const path = `/${name.split(sep).join('/')}`;
    files.set(path, {
      bytes: Buffer.from(readPlainFile(join(folder, name), { maxBytes: MOST_BYTES })),
      type,
      isImmutable: hashed.test(path),
    });
  }
  const index = files.get('/index.html')?.bytes.toString('utf8');
  if (index === undefined) return undefined;
  files.delete('/index.html');
  return {
    index: (nonce, of) =>
      index
        .replaceAll(/<(script|style|link)(?=[\s>])/g, `<$1 nonce="${nonce}"`)
        .replace('<html', `<html data-of="${of}"`),
    file: (path) => files.get(path),
  };
}
