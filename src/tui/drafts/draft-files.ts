import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { makeOwnFolders } from '../../lib/files/own-folder.ts';
import { ownText } from '../../lib/files/plain-file.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeAtomicallySync } from '../../lib/files/write-atomically.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { noChoice } from '../../views/requests/answer-choice.ts';
import { emptyBuffer, wholeText, type TextBuffer } from '../text/text-buffer.ts';
import type { FormEntry, FormState } from './filled-form.ts';

/** Longest file that is read, in bytes: two texts, and as many as a form has questions, as long as they may be. */
const MAX_BYTES = 4_194_304;

const bufferSchema = z.strictObject({
  text: z.string(),
  cursor: z.int().nonnegative(),
  pastes: z.array(z.string()).exactOptional(),
  isPasted: z.boolean().exactOptional(),
  isCut: z.boolean().exactOptional(),
});

const entrySchema = z.strictObject({
  choice: z.strictObject({
    at: z.int().nonnegative().optional(),
    marked: z.array(z.int().nonnegative()).exactOptional(),
  }),
  words: bufferSchema,
});

const draftSchema = z.strictObject({
  /** The answer, the reason against it, a question back. */
  drafts: bufferSchema.exactOptional(),
  reasons: bufferSchema.exactOptional(),
  asks: bufferSchema.exactOptional(),
  /** The answers to a form. */
  forms: z.strictObject({ at: z.int().nonnegative(), entries: z.array(entrySchema) }).exactOptional(),
});

/** What a person has typed about a question and not sent. */
export type KeptDraft = {
  readonly [Kept in 'drafts' | 'reasons' | 'asks']?: TextBuffer | undefined;
} & { readonly forms?: FormState | undefined };

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
    const { forms, ...buffers } = draft.data;
    const all = [...Object.values(buffers), ...(forms?.entries.map(({ words }) => words) ?? [])];
    if (!all.every(({ text: typed, cursor }) => cursor <= typed.length)) return undefined;
    return forms
      ? { ...buffers, forms: { ...forms, entries: forms.entries.map(asEntry), review: noChoice } }
      : buffers;
  }

  /** Keeps a draft. Of one that is empty, or looks like a secret, nothing stays. */
  write(id: string, { forms, ...draft }: KeptDraft): void {
    const kept = Object.entries(draft).filter(([, buffer]) => mayBeKept(buffer));
    const form = forms && keptForm(forms);
    if (kept.length === 0 && !form) return this.remove(id);
    makeOwnFolders(this.#folder, this.#dir);
    const file = { ...Object.fromEntries(kept), ...(form ? { forms: form } : {}) };
    writeAtomicallySync(this.#fileOf(id), JSON.stringify(file));
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

/** What of a form is kept: its marks, and words as those of any draft. `undefined`: there is nothing. */
function keptForm({ at, entries }: FormState): Omit<FormState, 'review'> | undefined {
  const kept = entries.map(({ choice, words }) => ({
    choice,
    words: mayBeKept(words) ? words : emptyBuffer,
  }));
  const isEmpty = kept.every(({ choice, words }) => (choice.marked ?? []).length === 0 && words.text === '');
  return isEmpty ? undefined : { at, entries: kept };
}

function asEntry({ choice: { at, marked }, words }: z.infer<typeof entrySchema>): FormEntry {
  return { choice: { at, ...(marked ? { marked } : {}) }, words };
}

function mayBeKept(buffer: TextBuffer | undefined): boolean {
  const text = buffer ? wholeText(buffer) : '';
  return text.trim() !== '' && !looksSecret(text);
}
