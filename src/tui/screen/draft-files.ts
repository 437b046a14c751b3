import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { looksSecret } from '../../events/secrets/redaction.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { ownText } from '../../lib/files/plain-file.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeAtomicallySync } from '../../lib/files/write-atomically.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { wholeText, type TextBuffer } from '../text/text-buffer.ts';

/** Longest file that is read, in bytes: three texts as long as they may be. */
const MAX_BYTES = 1_048_576;

const bufferSchema = z.strictObject({
  text: z.string(),
  cursor: z.int().nonnegative(),
  pastes: z.array(z.string()).exactOptional(),
  isPasted: z.boolean().exactOptional(),
});

const draftSchema = z.strictObject({
  /** The answer, the reason against it, a question back. */
  drafts: bufferSchema.exactOptional(),
  reasons: bufferSchema.exactOptional(),
  asks: bufferSchema.exactOptional(),
});

/** What a person has typed about a question and not sent. */
export type KeptDraft = {
  readonly [Kept in keyof z.infer<typeof draftSchema>]: TextBuffer | undefined;
};

/**
 * Files of what was typed and not sent, one for each question, in `.clifford/cache/drafts`: mode 0600, replaced as a whole, gone with
 * the question. A draft is no fact, so no event. The words stand there as they were typed, as redacted ones would be of no use; what
 * looks like a secret is therefore not kept at all, nor is a call that is being changed: what runs in the end is typed where it is seen.
 */
export class DraftFiles {
  readonly #dir: string;
  readonly #folder: string;

  /** @param dir - `.clifford`, absolute. */
  constructor(dir: string) {
    this.#dir = dir;
    this.#folder = join(dir, 'cache', 'drafts');
  }

  /** The draft of a question; `undefined`: there is none, or a file that is none of ours. */
  read(id: string): KeptDraft | undefined {
    const text = ownText(this.#fileOf(id), { maxBytes: MAX_BYTES });
    const draft = draftSchema.safeParse(jsonValue(text ?? ''));
    if (!draft.success) return undefined;
    const isSound = Object.values(draft.data).every(
      (buffer) => !buffer || buffer.cursor <= buffer.text.length,
    );
    return isSound ? draft.data : undefined;
  }

  /** Keeps a draft. Of one that is empty, or looks like a secret, nothing stays. */
  write(id: string, draft: KeptDraft): void {
    const kept = Object.entries(draft).filter(([, buffer]) => mayBeKept(buffer));
    if (kept.length === 0) return this.remove(id);
    makeOwnFolders(this.#folder, this.#dir);
    writeAtomicallySync(this.#fileOf(id), JSON.stringify(Object.fromEntries(kept)));
  }

  remove(id: string): void {
    removeOwn(this.#fileOf(id), this.#dir);
  }

  /** Removes the drafts of all questions but these, also what a process has left that died while it wrote. */
  removeAllBut(ids: readonly string[]): void {
    const open = new Set(ids.map((id) => basename(this.#fileOf(id))));
    for (const name of ifThere(() => readdirSync(this.#folder), []))
      if (!open.has(name)) removeOwn(join(this.#folder, name), this.#dir);
  }

  /** Ids are words of others: what of them a file system takes differs. */
  #fileOf(id: string): string {
    return join(this.#folder, `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`);
  }
}

function mayBeKept(buffer: TextBuffer | undefined): boolean {
  const text = buffer ? wholeText(buffer) : '';
  return text.trim() !== '' && !looksSecret(text);
}
