import { constants } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import type { ConfigDocument } from './config-document.ts';

/** A configuration file as it is now. */
export type ConfigFile = {
  /** Changes with the file. */
  readonly stamp: string;
  readonly now: ConfigDocument;
  /** What counts: the file as it is, or, while it has a mistake, as it last was without one. */
  readonly counts: ConfigDocument;
};

/** Longest file that is read, in bytes. */
const MAX_BYTES = 1_048_576;

/** A file younger than this, in ms, may change again without a trace: clocks of file systems are that coarse. */
const SETTLING_MS = 100;

type Known = ConfigFile & { readonly isGood: boolean; readonly isSettled: boolean };
const known = new Map<string, Known>();

/**
 * Reads a configuration file, or remembers it: an unchanged one costs one `stat`. A file that is missing
 * says nothing; one that cannot be read has a problem. Never throws.
 */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  const { stamp, isSettled } = await stampOf(file);
  const before = known.get(file);
  if (before?.stamp === stamp && before.isSettled) return before;
  const now = await readDocument(file);
  const isGood = now.problems.length === 0;
  const lastGood = before?.isGood ? before.now : before?.counts;
  const next = { stamp, now, counts: isGood ? now : (lastGood ?? now), isGood, isSettled };
  known.set(file, next);
  return next;
}

async function stampOf(file: string): Promise<{ stamp: string; isSettled: boolean }> {
  const now = Date.now();
  try {
    const { ino, size, ctimeNs, ctimeMs } = await stat(file, { bigint: true });
    return { stamp: `${ino} ${size} ${ctimeNs}`, isSettled: now - Number(ctimeMs) > SETTLING_MS };
  } catch (error) {
    return { stamp: codeOf(error), isSettled: true };
  }
}

async function readDocument(file: string): Promise<ConfigDocument> {
  const nothing: ConfigDocument = { file, leaves: [], problems: [], warnings: [] };
  const unreadable = (rule: string): ConfigDocument => ({ ...nothing, problems: [{ file, rule }] });
  try {
    const text = await readText(file);
    // Most projects and people have no such file: the parser is loaded when one does.
    const { parseConfig } = await import('./parse-config.ts');
    return typeof text === 'string' ? parseConfig(file, text) : unreadable(text.refused);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return unreadable(`the system says ${code}`);
    return (await isLink(file)) ? unreadable('it is a link to a file that is missing') : nothing;
  }
}

async function readText(file: string): Promise<string | { refused: string }> {
  // Without O_NONBLOCK, opening a named pipe waits for its writer, and the process with it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (info.isDirectory()) return { refused: 'it is a folder' };
    if (!info.isFile()) return { refused: 'it is not a regular file' };
    if (info.size > MAX_BYTES)
      return { refused: `it may have at most ${MAX_BYTES} bytes (it has ${info.size})` };
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}
