import { markedFiles, patchBegins } from './marked-patch.ts';
import { Lines, type PatchedFile } from './patch-lines.ts';
import { unifiedFiles } from './unified-diff.ts';

/** Of a unified diff, or one with its context. */
const diffBegins = /^[ \t]*diff --git |\n(?<=^[ \t]*(?:---|\*\*\*) [^\n]+\n)[ \t]*(?:\+\+\+|---) [^\n]/m;
/** A head behind what ends a line to some programs, and none to others. */
const hiddenHead = /(?![\n\t])[\p{Cc}\u2028\u2029][ \t]*(?:\*\*\* |--- |\+\+\+ |diff |@@ )/u;
/** So far into a text one may begin, in UTF-16 units: a shell is handed some below a command. */
const LATEST_BEGIN = 1_000;

/** Whether a text is a patch, whatever its field is called. */
export function isPatchText(text: string): boolean {
  return patchBegins.test(text.trimStart().slice(0, LATEST_BEGIN));
}

/** Whether nothing stands in front of the patch in a text. */
export function beginsAsPatch(text: string): boolean {
  return patchBegins.exec(text.trimStart())?.index === 0;
}

/** Whether a text looks like a unified diff. */
export function isDiffText(text: string): boolean {
  return diffBegins.test(text);
}

/**
 * What a patch makes of each of its files: a unified diff, also one that names no file, or the form that begins with
 * `*** Begin Patch`. `undefined`: not all of it is understood, such as modes of files, or what is binary.
 *
 * @param known - The files that it is said to be of: their names are whole, whatever blanks they have.
 */
export function patchedFiles(
  text: string,
  known: readonly string[] = [],
): readonly PatchedFile[] | undefined {
  if (hiddenHead.test(text)) return undefined;
  const lines = new Lines(text);
  const files = isPatchText(text) ? markedFiles(lines) : unifiedFiles(lines, known);
  return files && files.length > 0 && lines.isAtEnd ? files : undefined;
}
