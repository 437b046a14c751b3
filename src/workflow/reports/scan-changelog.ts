import { MARKER } from './changelog-block.ts';
import { lineAt, lineEnd, markdownStructure } from './markdown-structure.ts';

/** Where things stand in a changelog, as offsets. */
export type ChangelogPlan = {
  /** The sprint's block, from its first to its last marker, and the digest it carries. */
  readonly block:
    | { readonly from: number; readonly to: number; readonly digest: string | undefined }
    | undefined;
  /** Where a new block goes: behind the last line of the unreleased section, or of the file's head. */
  readonly insertAt: number;
  readonly hasUnreleased: boolean;
};

const UNRELEASED = /^\[?unreleased\]?(?![A-Za-z0-9_])/i;
const VERSION = /^\[?v?\d/i;
const LINK_TARGET = /^ {0,3}\[[^\]]{1,999}\]:[ \t]/;

/**
 * Finds a sprint's place in a changelog. Nothing is looked for behind a comment or code that is never
 * closed, and a marker that has lost its other half is none.
 *
 * @param start - Where its text begins: behind a byte order mark.
 */
export function scanChangelog(text: string, start: number, stream: string): ChangelogPlan {
  let block: ChangelogPlan['block'];
  let opened: { from: number; digest: string | undefined } | undefined;
  let unreleased: { from: number; to: number | undefined } | undefined;
  let firstVersion: number | undefined;
  let hasTitle = false;
  let end = text.length;

  for (const part of markdownStructure(text, start)) {
    if (part.is === 'unclosed') {
      end = part.from;
    } else if (part.is === 'comment') {
      const [, slash, id, digest] = MARKER.exec(part.line) ?? [];
      if (slash === undefined) continue;
      if (slash === '/' && opened && id === stream) {
        block ??= { ...opened, to: part.from + part.line.trimEnd().length };
      }
      opened = slash === '' && id === stream ? { from: part.from, digest } : undefined;
    } else {
      const { level, title, from, to } = part;
      if (!unreleased && UNRELEASED.test(title)) unreleased = { from: to, to: undefined };
      else if (unreleased) unreleased.to ??= from;
      else if (level === 2 || hasTitle || VERSION.test(title)) firstVersion ??= from;
      hasTitle = true;
    }
  }
  const floor = unreleased?.from ?? start;
  const insertAt = contentEnd(text, floor, (unreleased ? unreleased.to : firstVersion) ?? end);
  return { block, insertAt, hasUnreleased: unreleased !== undefined };
}

/** The end of the last line before `to` that says something; link targets at the end of a file do not. */
function contentEnd(text: string, floor: number, to: number): number {
  let end = to;
  for (;;) {
    while (end > floor && isBlank(text.charCodeAt(end - 1))) end -= 1;
    if (end === floor) return floor;
    const from = Math.max(text.lastIndexOf('\n', end - 1) + 1, floor);
    if (to !== text.length || !LINK_TARGET.test(lineAt(text, from, end)))
      return Math.min(lineEnd(text, end), to);
    end = from;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
