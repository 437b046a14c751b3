import { shellWord } from '../../lib/text/shell-word.ts';
import { join } from 'node:path';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { LOG_VARIABLE } from '../../workflow/log/log-variable.ts';
import { logFile } from '../../workflow/project/project-log.ts';
import type { Cli } from '../cli.ts';
import { endRun } from '../run/end-run.ts';
import { typedLine } from '../project/typed-line.ts';
import { screenFor, type ScreenOptions } from '../input/screen-options.ts';
import type { RunOrder } from '../run/run-order.ts';
import { hanging, lineWidth, paragraph } from '../text/paragraph.ts';
import { printSummaryRows } from '../history/print-summary.ts';
import { verifyLog } from '../history/verify-log.ts';
import { withProject } from '../project/with-project.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RequestView } from '../../views/requests/describe-request.ts';
import { packageFile } from '../../package-file.ts';

/**
 * The demo's `mcp.json` is Clifford's own: nothing in it has to be trusted by hand. And its log is its own: not that of the
 * project one is in.
 */
const ownPlace = { CLIFFORD_TRUST_PROJECT: '1', [LOG_VARIABLE]: '' };

/** Runs the demo's sprint, then sums it up: what happened, who decided what, where it is recorded, and that the record holds. */
export async function playDemo(cli: Cli, root: string, asked: ScreenOptions = {}): Promise<void> {
  const here: Cli = { ...cli, cwd: root, env: { ...cli.env, CLIFFORD_PROJECT_ROOT: root, ...ownPlace } };
  const order: RunOrder = { root, sprint: 'demo', page: { port: 0, qr: false }, options: { maxAttempts: 1 } };
  const what = `demo agent works through a sprint of three tasks in ${root}. It needs no key and no network.`;
  cli.print(`${hanging(cli, 'A ', what, 0)}\n`);
  const look = await screenFor(here, asked);
  const finished = look
    ? await (await import('../run/run-on-screen.ts')).runOnScreen(here, { ...order, look })
    : await (
        await import('../run/run-plain.ts')
      ).runPlain(here, order, {
        onQuestion: (request) => answerByItself(here, root, request),
      });
  endRun(cli, finished);

  cli.print('');
  await printEnd(here, root, finished.stream);
  cli.print('\nThe project is kept, to look around:');
  cli.print(`  ${typedLine(here, 'replay')}`);
  cli.print(`  ${typedLine(here, 'serve')}`);
  cli.print(`  ${typedLine(here, 'report')}`);
  if (finished.end.outcome !== 'completed')
    cli.print(
      `To go on, with the server of its mcp.json, which only the demo trusts by itself:\n  ${typedLine(here, 'mcp', 'trust')}\n  ${typedLine(here, 'run')}`,
    );
  cli.print(`To remove it:\n  rm -r ${shellWord(root)}`);
}

/** What stays on the terminal: what the sprint took, as its screen has shown it, and the record. */
async function printEnd(cli: Cli, root: string, stream: string): Promise<void> {
  const file = logFile(join(root, STATE_DIR));
  const { events } = await verifyLog(file);
  await withProject(cli, (project) => printSummaryRows(cli, project, stream));
  cli.print('');
  const width = lineWidth(cli);
  cli.printLines([
    ...paragraph('  Record    ', file, width),
    ...paragraph(
      '            ',
      `${events} events, verified: schema, chain and legality of each hold`,
      width,
    ),
  ]);
}

/** The option that the demo chooses where nobody is there to choose. */
const OPTION = 'french';

/**
 * Answers a question of the demo, or allows its tool call, with the command of a person in another shell. It is recorded
 * as the demo's own word: nobody was there.
 */
async function answerByItself(cli: Cli, root: string, request: RequestView): Promise<void> {
  const args = request.approval ? ['approve', request.id] : ['answer', request.id, '--option', OPTION];
  cli.print(cli.style('bold', 'Nobody is at a terminal, so the demo answers by itself:'));
  cli.print(`$ clifford ${args.join(' ')}`);
  const { stdout } = await promisify(execFile)(process.execPath, [packageFile('dist/cli.js'), ...args], {
    env: { ...cli.env, CLIFFORD_PROJECT_ROOT: root, USER: 'demo' },
  });
  for (const line of stdout.trimEnd().split('\n')) cli.print(hanging(cli, '', line, 0));
}
