import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import { exportCast } from '../../workflow/transcripts/export-cast.ts';
import { chooseTranscript } from '../choose-transcript.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../with-project.ts';

type Options = { sprint?: string; v2?: true; output?: string };

/** `clifford export`: what an agent printed, as one asciicast. */
export function addExport(program: Command, cli: Cli): void {
  program
    .command('export')
    .summary('write the transcript of an attempt as an asciicast')
    .description('Writes what an agent printed as one asciicast, for asciinema and its players.')
    .argument('[run|task]', 'run id, a unique beginning of one, or a task (default: the last attempt)')
    .option('--sprint <sprint>', 'id or folder name (default: the latest sprint)')
    .option('--v2', 'asciicast v2, for players that do not know v3')
    .option('--output <file>', 'a file instead of stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford export form --output form.cast\n  clifford export --v2 | asciinema play -',
    )
    .action((name: string | undefined, { sprint, v2, output }: Options) =>
      withProject(cli, async (project) => {
        const path = await chooseTranscript(project, { name, sprint });
        const lines = exportCast(path, v2 ? 2 : 3);
        await (output === undefined ? toStdout(cli, lines) : toFile(resolve(cli.cwd, output), lines));
      }),
    );
}

async function toStdout({ stdout, hasLostReader }: Cli, lines: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(lines), stdout, { end: false });
  } catch (error) {
    // Whoever read it has seen enough.
    if (!hasLostReader()) throw error;
  }
}

async function toFile(file: string, lines: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(lines), createWriteStream(file, { mode: 0o600 }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliffordError(`Cannot write ${file}: ${reason}`, {
      code: 'OUTPUT_INACCESSIBLE',
      fix: 'Name a file that can be written with --output',
      recovery: 'fix-input',
      cause,
    });
  }
}
