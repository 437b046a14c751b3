import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Launch } from './agents/agent-adapter.ts';

/** The private folder of a run, below the project's `.clifford/`. */
export function runDir(stateDir: string, runId: string): string {
  return join(stateDir, 'runs', runId);
}

/** The files that a run needs while it lives: mode 0600, in a folder of mode 0700. */
export class RunFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  write({ files = [], links = [] }: Pick<Launch, 'files' | 'links'>): void {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, text, { mode: 0o600 });
    }
    for (const { path, target, isFolder } of links) {
      if (isFolder) mkdirSync(target, { recursive: true, mode: 0o700 });
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      symlinkSync(target, path);
    }
  }

  /** Takes them away. Safe to call twice, and when none were written. */
  remove(): void {
    // What has left the agent's group may still write there.
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
