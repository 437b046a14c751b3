import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { cliFile, startClifford } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { on } from '../helpers/history.ts';
import { openPty, type PtyScreen } from '../helpers/pty-screen.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const escape = '\u001B';

function attach(cwd: string, env: Record<string, string> = {}): PtyScreen {
  const terminal = openPty(process.execPath, [cliFile, 'attach'], { cwd, env });
  onTestFinished(terminal.kill);
  return terminal;
}

describeOnEachEngine('clifford attach', () => {
  it('words that go on after somebody else has answered start nothing, before Esc and a yes', async () => {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    const agent = { id: 'session-1', client: 'opencode' };
    const { id } = await ask(project, { stream, agent, kind: 'help', question: 'Which database?' });
    const screen = attach(root, { CLIFFORD_AGENT_CMD: agentHere('complete') });
    await screen.see('Enter answer');
    screen.press('I would use ');
    await screen.see('> I would use');
    await answerRequest(project, id, { by: 'carl', via: 'cli', response: 'SQLite' });
    await screen.see('Esc goes on: until then no key does anything');
    for (const letter of 'Postgres, Backups first') screen.press(letter);
    screen.press(escape);
    await screen.lose('Esc goes on');
    await project.refresh();
    expect(project.state.streams.get(stream)?.machine.value).toBe('pending');

    screen.press('B');
    await screen.see('Run the sprint here? y/n');
    await screen.see('Its agents start at once');
    await screen.see('(CLIFFORD_AGENT_CMD)');
    await screen.see('y start it');
    screen.press('y');
    await screen.see('Summary');
    screen.press('q');
    expect(await screen.exited).toBe(0);
  });

  it('a run that cannot be is said on the screen of the sprint, which stays', async () => {
    const { root } = await projectWithSprint({ tasks: ['a'] });
    const screen = attach(root, { CLIFFORD_AGENT_CMD: '' });
    await screen.see('↑/↓ pick');
    screen.press('B');
    await screen.see('y start it');
    screen.press('y');
    await screen.see('Cannot run a sprint: no agent is configured');
    await screen.see('↑/↓ pick');
    expect(screen.buffer()).toBe('alternate');
    screen.press('q');
    expect(await screen.exited).toBe(0);
  });

  it('a run that is begun on the screen says what it starts, and which options of the last one it does not repeat', async () => {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ agentCmd: 'my-agent --prompt {prompt}' }));
    await project.dispatch(stream, (state) => {
      const sprint = state.streams.get(stream);
      const task = sprint?.tasks.get('a');
      return sprint && task ? startTask(sprint, task, { by: 'runner', runId: 'r-1' }) : [];
    });
    const argv = ['other-agent', '--fast'];
    await project.record(stream, [
      on(`${stream}/a`, 'agent.started', { runId: 'r-1', option: '--agent-cmd', argv, pid: 2 ** 22 + 1 }),
    ]);
    const screen = attach(root, { CLIFFORD_AGENT_CMD: '' });
    await screen.see('B run it');
    screen.press('B');
    await screen.see('my-agent --prompt {prompt} (clifford.json');
    await screen.see('The last run was begun as:');
    await screen.see('other-agent --fast');
    screen.press(escape);
    screen.press('q');
    expect(await screen.exited).toBe(0);
  });
});

it.each([
  ['attach', 'adhoc', '--plain'],
  ['questions', '--watch'],
])('clifford %s ends once what it prints has no reader, though nothing more happens', async (...args) => {
  const { root, project } = await projectWithSprint();
  const agent = { id: 'session-1', client: 'opencode' };
  await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which database?' });
  // A pipe: a socket, as Node gives to what it starts, is looked at in another way.
  const intoNothing = ['bash', '-o', 'pipefail', '-c', '"$@" | true', 'bash'];
  const { ended } = startClifford(args, { cwd: root, by: intoNothing });
  expect(await ended).toMatchObject({ code: 0, err: '' });
});
