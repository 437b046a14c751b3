import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RequestView } from '../../views/describe-sprint.ts';
import type { Cli } from '../cli.ts';
import { hanging } from '../text/paragraph.ts';
import { packageFile } from '../../package-file.ts';

/** The option that the demo chooses where nobody is there to choose. */
const OPTION = 'french';

/**
 * Answers a question of the demo, or allows its tool call, with the command of a person in another shell. It is recorded
 * as the demo's own word: nobody was there.
 */
export async function answerByItself(cli: Cli, root: string, request: RequestView): Promise<void> {
  const args = request.approval ? ['approve', request.id] : ['answer', request.id, '--option', OPTION];
  cli.print(cli.style('bold', 'Nobody is at a terminal, so the demo answers by itself:'));
  cli.print(`$ clifford ${args.join(' ')}`);
  const { stdout } = await promisify(execFile)(process.execPath, [packageFile('dist/cli.js'), ...args], {
    env: { ...cli.env, CLIFFORD_PROJECT_ROOT: root, USER: 'demo' },
  });
  for (const line of stdout.trimEnd().split('\n')) cli.print(hanging(cli, '', line, 0));
}
