import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { logFile } from '../../src/workflow/project/project-log.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { cliFile } from '../helpers/clifford-process.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

it('a screen whose log was cut ends, and says why once', async () => {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  const agent = { id: 'session-1', client: 'opencode' };
  await ask(project, { stream, agent, kind: 'help', question: 'Which port?' });
  const log = logFile(join(root, '.clifford'));
  const { length } = await readFile(log);
  const screen = openPty(process.execPath, [cliFile, 'attach'], { cwd: root, columns: 100, rows: 30 });
  onTestFinished(screen.kill);
  await screen.see('Enter answer');
  await truncate(log, Math.floor(length / 2));
  expect(await screen.exited).toBe(1);
  expect(
    screen
      .lines()
      .join('\n')
      .match(/Cannot continue reading/g),
  ).toHaveLength(1);
  expect(screen.lines().join('\n')).toContain('Bring the log back that was there');
});
