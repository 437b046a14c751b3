import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { showHidden } from '../../lib/text/hidden-characters.ts';
import { exportCast } from '../../workflow/transcripts/export-cast.ts';
import { chooseTranscript } from '../history/choose-transcript.ts';
import { STDOUT, writeOutput } from '../history/write-output.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';

type Options = { sprint?: string; v2?: true; output?: string; json?: true };

/** `clifford export`: what an agent printed, as one asciicast. */
export function addExport(program: Command, cli: Cli): void {
  program
    .command('export')
    .summary('write the transcript of an attempt as an asciicast')
    .description('Writes what an agent printed as one asciicast, for asciinema and its players.')
    .argument('[run|task]', 'run id, a unique beginning of one, or a task (default: the last attempt)')
    .option('--sprint <sprint>', 'id or folder name (default: the latest sprint)')
    .option('--v2', 'asciicast v2, for players that do not know v3')
    .option('--output <file>', 'a file; - is stdout (default: stdout)')
    .option('--json', 'the same, which is lines of JSON; with --output, which file it is in')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford export form --output form.cast\n  clifford export --v2 | asciinema play -',
    )
    .action((name: string | undefined, { sprint, v2, output, json }: Options) =>
      withProject(cli, async (project) => {
        const path = await chooseTranscript(project, { name, sprint });
        const lines = exportCast(path, v2 ? 2 : 3);
        if (output === undefined || output === STDOUT) return toStdout(cli, lines);
        const file = resolve(cli.cwd, output);
        await writeOutput(file, lines, { own: project.dir, isNamed: true });
        if (json) cli.printJson({ transcript: basename(path), file });
      }),
    );
}

async function toStdout({ stdout, lostReader }: Cli, lines: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(shown(lines)), stdout, { end: false });
  } catch (error) {
    // Whoever read it has seen enough; that the disk is full is said at the end.
    if (!lostReader.aborted) throw error;
  }
}

/** As JSON escapes it, what would act on a terminal is the same to every player. */
function* shown(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield showHidden(line);
}
