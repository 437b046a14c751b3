import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventsOf, freshSprint, startRun } from '../../../helpers/sprint-run.ts';
import { ofType } from '../../support/acp-sprint.ts';

it('its log is kept in the transcript, and in the reason when it fails, and does not fill what is shown', async () => {
  const { root, project } = await freshSprint();
  const said = { type: 'text', sessionID: 'ses_1', part: { text: 'I look.' } };
  await writeFile(
    join(root, 'agent.sh'),
    `echo 'level=WARN message=slow' >&2\necho '${JSON.stringify(said)}'\nexit 3\n`,
  );
  const fake = { command: 'sh agent.sh', output: 'opencode' };
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ agent: 'fake', agents: { fake } }));
  const { runner, ended } = startRun(root, { maxAttempts: 1, agentCmd: undefined });
  let shown = '';
  runner.on('output', ({ text }) => (shown += text));
  expect((await ended).reason).toContain('message=slow');
  expect(shown).toContain('I look.');
  expect(shown).not.toContain('message=slow');
  const [started] = ofType(await eventsOf(project), 'agent.started');
  expect(await readFile(join(root, started?.data.transcript ?? ''), 'utf8')).toContain('message=slow');
});
