import { StringDecoder } from 'node:string_decoder';
import { runGroup } from '../../lib/processes/run-group.ts';
import { packageFile } from '../../package-file.ts';
import type { ToldPage } from '../web/told-page.ts';
import { isAboutPage } from '../../tui/palette/slash-commands.ts';
import type { RunCommand } from '../../tui/palette/run-commands.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { columnsOf } from '../text/broken-for.ts';

const NO_PAGE = 'No page is served from here: clifford serve, in another shell, or clifford run --web';

/** So long a command of the palette may take, in ms: `mcp list` waits 20 s for servers. */
const LIMIT_MS = 60_000;

/** Cells of a row that a result does not have: a blank at both ends. */
const MARGIN = 2;

/**
 * Runs commands of our own in a process of their own, in this project: what they print is shown on the screen, as wide as that has
 * room for.
 *
 * @param page - Where this process serves it.
 */
export function commandsIn(
  { env, stdout }: Pick<Cli, 'env' | 'stdout'>,
  { root }: Pick<Project, 'root'>,
  page?: ToldPage,
): RunCommand {
  const hasColours = (env['NO_COLOR'] ?? '') === '';
  return async (argv, { signal, onOutput }) => {
    if (isAboutPage(argv)) {
      onOutput(page ? pageText(page) : NO_PAGE);
      return { how: '' };
    }
    const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
    const { isLate, how, code } = await runGroup({
      file: process.execPath,
      args: [packageFile('dist/cli.js'), ...argv],
      cwd: root,
      env: {
        ...env,
        CLIFFORD_PROJECT_ROOT: root,
        COLUMNS: String(columnsOf(stdout) - MARGIN),
        ...(hasColours ? { FORCE_COLOR: '1' } : {}),
      },
      signal,
      limitMs: LIMIT_MS,
      onOutput: (channel, chunk) => onOutput(decoders[channel].write(chunk)),
    });
    if (isLate) return { how: `ended after ${LIMIT_MS / 1_000} s, which is the most it may take` };
    // What went well has said all there is to say.
    return { how: code === 0 ? '' : how };
  };
}

function pageText({ address, exposes, qr }: ToldPage): string {
  return [address, ...exposes, ...qr].join('\n');
}
