import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const oxlint = join(import.meta.dirname, '../../node_modules/oxlint/bin/oxlint');

const reportSchema = z.object({
  diagnostics: z.array(z.object({ filename: z.string(), code: z.string().default('') })),
});

/** What the lint has found. */
export type LintReport = z.infer<typeof reportSchema>;

/** Lints a tree that has an `oxlint.config.ts`: all of it, unless `args`, of oxlint, say less. */
export function lint(cwd: string, ...args: string[]): Promise<LintReport> {
  return new Promise((resolve, reject) => {
    // It exits with 1 when it finds something: only what it prints tells a finding from a failure.
    execFile(
      process.execPath,
      [oxlint, '-f', 'json', ...args],
      { cwd, maxBuffer: 2 ** 26 },
      (_exit, out, err) => {
        try {
          resolve(reportSchema.parse(JSON.parse(out)));
        } catch (cause) {
          reject(new Error(`Cannot lint ${cwd}: ${out}${err}`, { cause }));
        }
      },
    );
  });
}

/** The files of a tree that the lint reads, without reading them: their rules would take a hundred times as long. */
export async function lintedFiles(cwd: string, folder: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [oxlint, '--debug=files', folder], {
    cwd,
    maxBuffer: 2 ** 26,
  });
  return stdout.trimEnd().split('\n');
}
