import { closeSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { openPlainFile } from '../files/plain-file.ts';
import { findExecutable } from './find-executable.ts';

/** As much of a first line as Linux reads, in bytes. */
const FIRST_LINE = 256;

/** Whether the program is there that a script names in its first line. What is no script, or cannot be read, needs none. */
export function hasInterpreter(file: string, cwd: string): boolean {
  const [, interpreter] = /^#![ \t]*(\S+)/.exec(beginningOf(file)) ?? [];
  return interpreter === undefined || findExecutable(resolve(cwd, interpreter), { cwd }) !== undefined;
}

function beginningOf(file: string): string {
  let opened: number | undefined;
  try {
    opened = openPlainFile(file);
    const bytes = Buffer.alloc(FIRST_LINE);
    return bytes.toString('utf8', 0, readSync(opened, bytes));
  } catch {
    return '';
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
