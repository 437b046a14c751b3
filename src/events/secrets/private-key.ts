/** A private key as it is written, and which part of it no shell would run. */
export type KeyBlock = {
  /** Up to the first line of the key. */
  readonly before: string;
  /** The lines that are full. */
  readonly body: string;
  /** From the end of the last of them: a shorter line could be the name of a program. */
  readonly after: string;
};

/** Blanks and one line break, or the break as JSON writes it. */
const GAP = String.raw`(?:[ \t]*(?:\r?\n|(?:\\r)?\\n)[ \t]*|[ \t]+)`;
/** What may stand around the lines. */
const SPACE = String.raw`(?:[ \t\r\n]|\\[rn])*`;
const LABEL = '(?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----';
const HEADERS = String.raw`Proc-Type: 4,ENCRYPTED${GAP}DEK-Info: [A-Z0-9-]+,[A-F0-9]+${SPACE}`;
const block = new RegExp(
  `^(?<before>-----BEGIN (?<label>${LABEL})${SPACE}(?<headers>${HEADERS})?)` +
    String.raw`(?<lines>[A-Za-z0-9+/=]+(?:${GAP}[A-Za-z0-9+/=]+)*)(?<after>${SPACE}-----END \k<label>)$`,
);
const gap = new RegExp(GAP, 'g');

/** How long the lines of a key are, in characters. One that is not broken into lines is longer than the least of them. */
const WIDTHS = new Set([64, 70, 76]);
const MIN_WIDTH = 64;
/** So many different characters a line of that length has, unless somebody has thought of it. */
const MIN_VARIETY = 20;

/**
 * A text from the `BEGIN` to the `END` of a private key, taken apart; `undefined` when what stands there is none: lines
 * of other lengths, not base64, no structure of a key whose parts are as long as it says.
 */
export function keyBlockOf(text: string): KeyBlock | undefined {
  const { before, headers, lines: written, after } = block.exec(text)?.groups ?? {};
  if (before === undefined || written === undefined || after === undefined) return undefined;
  const lines = written.split(gap);
  const [{ length: width } = '', ...others] = lines;
  const last = others.at(-1) ?? '';
  const isWhole = others.length === 0 ? width >= MIN_WIDTH : WIDTHS.has(width) && last.length <= width;
  if (!isWhole || others.slice(0, -1).some(({ length }) => length !== width)) return undefined;
  if (lines.some((line) => line.length >= width && !looksRandom(line))) return undefined;
  const bytes = Buffer.from(lines.join(''), 'base64');
  if (bytes.toString('base64') !== lines.join('')) return undefined;
  const isKey = headers === undefined ? isDerKey(bytes) || isOpenSshKey(bytes) : bytes.length % 8 === 0;
  if (!isKey) return undefined;
  const isShort = others.length > 0 && last.length < width;
  const end = isShort
    ? written.slice(0, -last.length).replace(new RegExp(`${GAP}$`), '').length
    : written.length;
  return { before, body: written.slice(0, end), after: written.slice(end) + after };
}

/** Whether a line is none that somebody would write. */
function looksRandom(line: string): boolean {
  return /[a-z]/.test(line) && /[A-Z]/.test(line) && new Set(line).size >= MIN_VARIETY;
}

/** A sequence as long as it says, of parts that are: a version, or the way it was encrypted, and the key. */
function isDerKey(bytes: Buffer): boolean {
  const whole = derAt(bytes, 0);
  if (whole?.tag !== 0x30 || whole.end !== bytes.length) return false;
  const tags: number[] = [];
  for (let at = whole.start; at < bytes.length;) {
    const part = derAt(bytes, at);
    if (!part) return false;
    tags.push(part.tag);
    at = part.end;
  }
  return tags.length > 1 && (tags[0] === 0x02 || (tags[0] === 0x30 && tags[1] === 0x04));
}

type DerValue = { readonly tag: number; readonly start: number; readonly end: number };

function derAt(bytes: Buffer, at: number): DerValue | undefined {
  const [tag, first] = bytes.subarray(at, at + 2);
  if (tag === undefined || first === undefined) return undefined;
  const count = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + count;
  if ((first >= 0x80 && (count === 0 || count > 3)) || start > bytes.length) return undefined;
  const end = start + (count === 0 ? first : bytes.readUIntBE(at + 2, count));
  return end > bytes.length ? undefined : { tag, start, end };
}

const OPENSSH = Buffer.from('openssh-key-v1\0');

/** Cipher, its function, its options; how many keys; public ones, and the private part: each behind its length. */
function isOpenSshKey(bytes: Buffer): boolean {
  if (!bytes.subarray(0, OPENSSH.length).equals(OPENSSH)) return false;
  let at = OPENSSH.length;
  for (const part of ['cipher', 'function', 'options', 'count', 'public', 'private']) {
    if (at + 4 > bytes.length) return false;
    at += 4 + (part === 'count' ? 0 : bytes.readUInt32BE(at));
  }
  return at === bytes.length;
}
