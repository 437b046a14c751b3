import { join } from 'node:path';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { endRun } from '../run/end-run.ts';
import { findInstall } from '../project/install.ts';
import { isInteractive } from '../input/is-interactive.ts';
import { printHistory } from '../history/print-history.ts';
import { printVerification } from '../history/print-verification.ts';
import type { FinishedRun, RunOrder } from '../run/run-order.ts';
import { hanging } from '../text/paragraph.ts';
import { withProject } from '../project/with-project.ts';
import { answerByItself } from './answer-by-itself.ts';

/** The demo, made ready: see prepareDemo. */
export type Demo = {
  readonly root: string;
  /** Starts the demo agent; as `--agent-cmd`. */
  readonly agentCmd: string;
};

/** Runs the demo's sprint, then shows where it is recorded, that the record holds, and what it says. */
export async function playDemo(cli: Cli, { root, agentCmd }: Demo): Promise<void> {
  const here: Cli = { ...cli, cwd: root, env: { ...cli.env, CLIFFORD_PROJECT_ROOT: root } };
  const order: RunOrder = { root, sprint: 'demo', flags: { agentCmd, maxAttempts: 1 }, wait: true };
  const what = `demo agent works through a sprint of three tasks in ${root}. It needs no key and no network.`;
  cli.print(`${hanging(cli, 'A ', what, 0)}\n`);
  const finished = await (isInteractive(cli) ? onScreen(here, order) : inPlainText(here, order));
  endRun(cli, finished);

  const log = join(root, STATE_DIR, 'events.jsonl');
  cli.print(`\n${hanging(cli, 'Everything ', `that happened is recorded in ${log}`, 2)}`);
  cli.print('\n$ clifford replay --verify');
  await printVerification(here, log, { json: false, shown: log });
  cli.print('\n$ clifford replay');
  await withProject(here, (project) => printHistory(here, project, finished.stream));
  cli.print(`\nThe project is kept, to look around: cd ${root}`);
  const { call } = findInstall(root, cli.env);
  if (call.length > 1) cli.print(`Where this says clifford, type: ${call.map(quoted).join(' ')}`);
  if (finished.end.outcome !== 'completed') cli.print(`To go on: clifford run --agent-cmd '${agentCmd}'`);
  cli.print(`To remove it: rm -r ${root}`);
}

function quoted(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word;
}

async function onScreen(cli: Cli, order: RunOrder): Promise<FinishedRun> {
  const { runOnScreen } = await import('../run/run-on-screen.ts');
  return runOnScreen(cli, order);
}

async function inPlainText(cli: Cli, order: RunOrder): Promise<FinishedRun> {
  const { runPlain } = await import('../run/run-plain.ts');
  return runPlain(cli, order, { onQuestion: (request) => answerByItself(cli, order.root, request) });
}
