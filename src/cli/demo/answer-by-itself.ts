import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RequestView } from '../../views/describe-sprint.ts';
import type { Cli } from '../cli.ts';
import { hanging } from '../text/paragraph.ts';
import { packageFile } from '../../package-file.ts';

/** What the demo says where nobody is there to say it. */
const ANSWER = 'French, please';

/** Answers a question of the demo as a person in another shell would: with `clifford answer`. */
export async function answerByItself(cli: Cli, root: string, { id }: RequestView): Promise<void> {
  cli.print(cli.style('bold', `Nobody is at a terminal, so the demo answers by itself:`));
  cli.print(`$ clifford answer ${id} "${ANSWER}"`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [packageFile('dist/cli.js'), 'answer', id, ANSWER],
    {
      env: { ...cli.env, CLIFFORD_PROJECT_ROOT: root },
    },
  );
  for (const line of stdout.trimEnd().split('\n')) cli.print(hanging(cli, '', line, 0));
}
