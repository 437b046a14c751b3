import { statSync } from 'node:fs';
import { systemCodeOf } from '../../lib/system-error.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import type { ConfigDocument } from './config-document.ts';

/** A configuration file as it is now. */
export type ConfigFile = {
  /** Changes with the file. */
  readonly stamp: string;
  readonly now: ConfigDocument;
  /** What counts: the file as it is, or, while it has a mistake, as it last was without one. */
  readonly counts: ConfigDocument;
};

/** A file younger than this, in ms, may change again without a trace: clocks of file systems are that coarse. */
const SETTLING_MS = 100;

type Known = ConfigFile & { readonly isGood: boolean; readonly isSettled: boolean };

/** What is remembered of configuration files from one reading to the next, for as long as something runs. */
export class ConfigMemory {
  readonly #known = new Map<string, Known>();
  /** What was reported last, by file. */
  readonly #reported = new Map<string, string>();

  /**
   * Reads a configuration file, or remembers it: an unchanged one costs one `stat`. A file that is missing
   * says nothing; one that cannot be read has a problem. Never throws.
   */
  async read(file: string): Promise<ConfigFile> {
    const { stamp, isSettled } = stampOf(file);
    const before = this.#known.get(file);
    if (before?.stamp === stamp && before.isSettled) return before;
    const now = await readDocument(file);
    const isGood = now.problems.length === 0;
    const lastGood = before?.isGood ? before.now : before?.counts;
    const next = { stamp, now, counts: isGood ? now : (lastGood ?? now), isGood, isSettled };
    this.#known.set(file, next);
    return next;
  }

  /** Whether this is news of a file in that state; `undefined`: there is nothing to report any more. */
  isNews(file: string, text: string | undefined): boolean {
    const isNews = text !== undefined && this.#reported.get(file) !== text;
    if (text === undefined) this.#reported.delete(file);
    else this.#reported.set(file, text);
    return isNews;
  }
}

/** In place: a run asks with every event, and to hand so little to another thread and back takes ten times as long. */
function stampOf(file: string): { stamp: string; isSettled: boolean } {
  const now = Date.now();
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (!stats) return { stamp: 'missing', isSettled: true };
    const { ino, size, ctimeNs, ctimeMs } = stats;
    return { stamp: `${ino} ${size} ${ctimeNs}`, isSettled: now - Number(ctimeMs) > SETTLING_MS };
  } catch (error) {
    return { stamp: systemCodeOf(error), isSettled: true };
  }
}

async function readDocument(file: string): Promise<ConfigDocument> {
  const nothing: ConfigDocument = { file, leaves: [], problems: [], unknownKeys: [] };
  const bytes = await readSmallFile(file);
  if (bytes === undefined) return nothing;
  if ('refused' in bytes) return { ...nothing, problems: [{ file, rule: bytes.refused }] };
  // Most projects and people have no such file: the parser is loaded when one does.
  const { parseConfig } = await import('./parse-config.ts');
  return parseConfig(file, bytes.toString('utf8'));
}
