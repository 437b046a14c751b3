import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isMissing } from '../../system-error.ts';
import { jsonObject } from '../agents/json-line.ts';

const loanSchema = z.strictObject({
  version: z.literal(1),
  /** The file itself, where the user's path is a link to it. */
  path: z.string(),
  keys: z.array(z.string()).min(1),
  /** As it was; `undefined`: there was none. */
  original: z.strictObject({ base64: z.base64(), mode: z.int() }).optional(),
  /** Folders made for it, the innermost first. */
  madeFolders: z.array(z.string()),
  /** Digest of the file as it was changed. */
  written: z.string(),
});

/** A file of the user's as it was, and how to tell whether somebody else changed it meanwhile. */
export type Loan = z.infer<typeof loanSchema>;

const ENDING = '.loan.json';
const TEMPORARY = '.tmp';

/** What is borrowed in a project, written down before it is touched: a crash forgets nothing. */
export class BorrowJournal {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The loans that are written down. What another version of Clifford wrote is left to it. */
  loans(): Loan[] {
    return namesIn(this.#dir)
      .filter((name) => name.endsWith(ENDING))
      .flatMap((name) => loanIn(join(this.#dir, name)) ?? []);
  }

  /** Durable when it returns. */
  write(loan: Loan): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(loan);
    const temporary = `${file}${TEMPORARY}`;
    withOpen(temporary, 'w', (fd) => {
      writeFileSync(fd, JSON.stringify(loan));
      fsyncSync(fd);
    });
    renameSync(temporary, file);
    withOpen(this.#dir, 'r', fsyncSync);
  }

  /** Takes away what a crash left half written: its file was not touched yet. */
  removeLeftovers(): void {
    for (const name of namesIn(this.#dir))
      if (name.endsWith(TEMPORARY)) rmSync(join(this.#dir, name), { force: true });
  }

  remove(loan: Loan): void {
    rmSync(this.#fileOf(loan), { force: true });
  }

  #fileOf({ path }: Loan): string {
    const digest = createHash('sha256').update(path).digest('hex').slice(0, 16);
    return join(this.#dir, `${digest}${ENDING}`);
  }
}

function withOpen(path: string, flags: 'r' | 'w', work: (fd: number) => void): void {
  const fd = openSync(path, flags, 0o600);
  try {
    work(fd);
  } finally {
    closeSync(fd);
  }
}

/** Without the lock of the whole, folder and files may be gone at any instant: whatever was in them is over. */
function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function loanIn(file: string): Loan | undefined {
  try {
    return loanSchema.safeParse(jsonObject(readFileSync(file, 'utf8'))).data;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Tells one content from another. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
