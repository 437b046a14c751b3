import { closeSync, constants, fstatSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { openPlainFile } from '../../lib/files/plain-file.ts';
import { messageOf } from '../../lib/message-of.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;

/** Largest size of a log file, in bytes. There are two at most: this one, and the one before it (`.1`). */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** How much of the end is kept at hand, in bytes. */
const TAIL_BYTES = 8 * 1024;

/** Where the stderr of a server is kept. */
export function stderrFile(stateDir: string, serverId: string): string {
  return join(stateDir, 'mcp', `${serverId}.log`);
}

/**
 * Keeps what a server prints on stderr: `.clifford/mcp/<id>.log`, mode 0600, at most 5 MiB and as much of
 * before. A full disk costs the log, never the server. Written at once, so that nothing piles up in memory.
 */
export class StderrLog {
  readonly #file: string;
  readonly #report: (problem: string) => void;
  #fd: number | undefined;
  #size = 0;
  #tail = Buffer.alloc(0);

  constructor(file: string, report: (problem: string) => void) {
    this.#file = file;
    this.#report = report;
    this.#attempt(() => {
      makeOwnFolder(dirname(dirname(file)));
      makeOwnFolder(dirname(file));
      this.#open();
    });
  }

  write(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    this.#attempt(() => this.#append(chunk));
  }

  /** Remarks of Clifford's own between the lines, each a line. */
  note(remarks: readonly string[]): void {
    const lines = remarks.map((remark) => `[clifford] ${remark}\n`);
    this.#attempt(() => this.#append(Buffer.from(lines.join(''))));
  }

  /** The last it printed. */
  tail(): string {
    return this.#tail.toString('utf8');
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #append(chunk: Buffer): void {
    if (this.#fd === undefined) return;
    if (this.#size + chunk.length > MAX_FILE_BYTES) this.#rotate();
    writeSync(this.#fd, chunk);
    this.#size += chunk.length;
  }

  #rotate(): void {
    this.close();
    renameSync(this.#file, `${this.#file}.1`);
    this.#open();
  }

  #open(): void {
    this.#fd = openPlainFile(this.#file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    this.#size = fstatSync(this.#fd).size;
  }

  /** The first failure is reported and ends the log. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.close();
      this.#report(`cannot write ${this.#file}: ${messageOf(error)}`);
    }
  }
}
