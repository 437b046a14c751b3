import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RequestState, SprintState } from '../../../src/machines/project-state.ts';
import { nameOf } from '../../../src/machines/status-words.ts';
import { undelivered } from '../../../src/workflow/task/current-task.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { detachmentOf } from '../../../src/workflow/requests/deliver.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { agentCmd, eventsOf, freshSprint, startRun, typesOf } from '../../helpers/sprint-run.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const me = { by: 'me', via: 'cli' };

/** Runs a sprint of one task with an agent program that is started as configured. */
async function runWith(program: string, definition: object = {}, args: readonly string[] = []) {
  const { root, project } = await freshSprint();
  const command = agentCmd(program, '{prompt}', ...args);
  await writeConfig(`${root}/clifford.json`, {
    agent: 'asker',
    agents: { asker: { command, ...definition } },
  });
  return { root, project, ...startRun(root, {}) };
}

/** A sprint whose agent ends with this line and waits, the first time or until a command of the shell succeeds, and the prompt that the last attempt was started with. */
async function askedOnce(line: string, isOver = '[ -f again ]') {
  const { root, project } = await freshSprint({ manifest: { done: 'exit-0', verify: ['true'] } });
  const file = join(root, 'agent.sh');
  await writeFile(file, `printf %s "$1" >told\n${isOver} || { >again; printf '${line}'; exec sleep 60; }`);
  const told = () => readFile(join(root, 'told'), 'utf8');
  return { root, project, command: `sh "${file}" {prompt}`, told };
}

/** The request that is open, once there is one. */
function asked(project: Project): Promise<RequestState> {
  return project.until((state) => openRequests(state)[0]);
}

function streamOf({ state }: Project): SprintState {
  const sprint = state.streams.get('demo');
  if (!sprint) throw new Error('there is no sprint');
  return sprint;
}

function taskState(project: Project): string {
  return nameOf(streamOf(project).tasks.get('a')?.machine.value ?? '');
}

async function helpTypes(project: Project): Promise<string[]> {
  return (await typesOf(project)).filter((type) => type.startsWith('help.'));
}

describe('an agent that waits at a prompt', () => {
  it('gets the answer typed in where its stdin is open, once for each prompt', async () => {
    const prompts = ['Continue? [y/N] ', 'Password: ', 'Enter a value: '];
    const { project, ended, text } = await runWith('prompt-and-read', { stdin: 'open' }, prompts);
    const first = await asked(project);
    expect(first.asked).toMatchObject({
      kind: 'prompt',
      task: 'a',
      question: 'Continue? [y/N]',
      options: ['y', 'n'],
      secret: false,
      context: 'This deletes the old files.',
      origin: { client: 'asker' },
    });
    expect(first.asked.reason).toContain('Your answer is typed into it.');
    expect(first.waiting.size).toBe(1);
    expect(taskState(project)).toBe('blocked.prompt');
    await answerRequest(project, first.id, { response: 'y', option: 0, ...me });
    const second = await asked(project);
    expect(second.asked).toMatchObject({ question: 'Password:', secret: true });
    await answerRequest(project, second.id, { response: 'correct horse', ...me });
    const third = await asked(project);
    await answerRequest(project, third.id, { response: 'sonnen_blume9', ...me });
    expect(await ended).toEqual(done);
    // The program prints what it has read; nothing else does, but an option that it has named.
    expect(text()).toBe(
      'This deletes the old files.\nContinue? [y/N] y\ntyped: y\nPassword: \ntyped: correct horse\n' +
        'Enter a value: \ntyped: sonnen_blume9\n',
    );
    const each = ['help.requested', 'help.answered', 'help.delivered'];
    expect(await helpTypes(project)).toEqual([...each, ...each, ...each]);
    const types = await typesOf(project);
    expect(types.filter((type) => type === 'agent.started')).toHaveLength(1);
  });

  it('says that it waits for a key, and any words press Enter', async () => {
    const { project, ended, text } = await runWith('prompt-and-read', { stdin: 'open' }, [
      'Press any key to go on ',
    ]);
    const { id, asked: said } = await asked(project);
    expect(said).toMatchObject({ kind: 'prompt', question: 'Press any key to go on', awaitsKey: true });
    await answerRequest(project, id, { response: 'Enter', ...me });
    expect(await ended).toEqual(done);
    expect(text()).toContain('typed: \n');
  });

  it('is ended by the answer where its stdin is closed, and the next attempt is told', async () => {
    const { project, ended, text } = await runWith('prompt-and-hang', {}, ['{mcpConfig}']);
    const { id, asked: said } = await asked(project);
    expect(said).toMatchObject({ kind: 'prompt', options: ['yes', 'no'] });
    expect(said.reason).toContain('its stdin is closed');
    await project.until(({ streams }) => streams.get('demo')?.requests.get(id)?.detached.at(0));
    await answerRequest(project, id, { response: 'no', option: 1, ...me });
    expect(await ended).toEqual(done);
    expect(text()).toContain('no answer could be typed: "Overwrite the data base? (yes/no)"');
    expect(text()).toMatch(/that answers it\. no\n/);
    const events = await eventsOf(project);
    const exits = events.flatMap((event) => (event.type === 'agent.exited' ? [event.data.reason] : []));
    expect(exits[0]).toBe('stopped');
    expect(events.filter(({ type }) => type === 'task.retried')).toEqual([]);
    expect(await helpTypes(project)).toEqual([
      'help.requested',
      'help.detached',
      'help.answered',
      'help.delivered',
    ]);
  });

  it('tells later attempts in their prompt where they have no tools of Clifford, and records it once', async () => {
    const { root, project } = await freshSprint({ manifest: { done: 'exit-0', verify: ['true'] } });
    const file = join(root, 'agent.sh');
    await writeFile(
      file,
      `echo x >>attempts; n=$(wc -l <attempts); printf %s "$1" >told$((n))
[ $n = 1 ] && { printf 'Proceed with? '; exec sleep 60; }
[ $n = 3 ]`,
    );
    const { ended } = startRun(root, { agentCmd: `sh "${file}" {prompt}`, maxAttempts: 2 });
    const { id } = await asked(project);
    await answerRequest(project, id, { response: 'the old one', ...me });
    expect(await ended).toEqual(done);
    const told = await Promise.all([1, 2, 3].map((n) => readFile(join(root, `told${n}`), 'utf8')));
    const answer =
      'An earlier attempt stopped at a prompt of its terminal, where no answer could be typed: "Proceed with?". The ' +
      'answer is for you now. Go on without such a prompt, e.g. with a flag that answers it.\n' +
      'What the human said: the old one\n';
    expect(told.map((text) => text.includes(answer))).toEqual([false, true, true]);
    const events = await eventsOf(project);
    const runs = events.flatMap((event) => (event.type === 'agent.started' ? [event.data.runId] : []));
    const delivered = events.flatMap((event) => (event.type === 'help.delivered' ? [event.data] : []));
    expect(delivered).toEqual([{ requestId: id, to: runs[1] }]);
  });

  it.each([
    ['Use the existing token? [y/N] ', 'y', true],
    ['Password: ', 'correct horse', false],
    ['Kennwort: ', 'sonnen_blume9', false],
  ])(
    'tells them of no secret, which would stand in a command line: %j, %j',
    async (line, response, isTold) => {
      const { root, project, command, told } = await askedOnce(line);
      const { ended } = startRun(root, { agentCmd: command });
      const { id, asked: said } = await asked(project);
      expect(said.reason?.includes('A secret is told through the tools of Clifford alone')).toBe(true);
      await answerRequest(project, id, { response, ...me });
      expect(await ended).toEqual(done);
      expect((await told()).includes(`What the human said: ${response}\n`)).toBe(isTold);
      expect((await told()).includes('It was answered with a secret')).toBe(!isTold);
      expect((await helpTypes(project)).includes('help.delivered')).toBe(isTold);
    },
  );

  it('tells them of no answer that looks like a secret, whatever was asked', async () => {
    const { root, project, command, told } = await askedOnce('Proceed with? ');
    const { ended } = startRun(root, { agentCmd: command });
    const { id } = await asked(project);
    const response = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    await answerRequest(project, id, { response, ...me });
    expect(await ended).toEqual(done);
    expect(await told()).not.toContain(response);
    expect(await told()).toContain('It was answered with a secret');
  });

  it.each([
    ['Enter a value: ', 'sonnen_blume9', undefined],
    ['Password: ', 'correct horse', undefined],
    ['Weiter? [y/N] ', 'y', 'y'],
  ])(
    'tells nobody else what was meant to be typed, as far as the log knows: %j, %j',
    async (line, response, option) => {
      const { root, project, command, told } = await askedOnce(line);
      const agents = { asker: { command, stdin: 'open' } };
      await writeConfig(`${root}/clifford.json`, { agent: 'asker', agents });
      const first = startRun(root, {});
      const { id, asked: said } = await asked(project);
      expect(said.reason).toContain('Your answer is typed into it.');
      await first.runner.stop();
      await first.ended;
      // As a `clifford ask` of its own says that joined it and went.
      await project.record('demo', [
        detachmentOf(await asked(project), { agentId: said.origin.agent, why: 'it went' }),
      ]);
      await answerRequest(project, id, { response, ...me });
      expect(await startRun(root, {}).ended).toEqual(done);
      expect((await told()).includes(response)).toBe(option !== undefined);
      expect(await told()).toContain(
        option === undefined
          ? `An earlier attempt stopped at a prompt of its terminal: "${line.trim()}".\nIt was answered.`
          : `What the human said: ${option}\n`,
      );
      expect(await helpTypes(project)).toEqual([
        'help.requested',
        'help.detached',
        'help.answered',
        'help.delivered',
      ]);
    },
  );

  it('has failed where it has answered itself, and what it said passes for no word of a human', async () => {
    const { root, project, command, told } = await askedOnce('Proceed with? ', 'false');
    const { ended } = startRun(root, { agentCmd: command, maxAttempts: 2 });
    for (const response of ['once', 'twice']) {
      const { id, asked: said } = await asked(project);
      await answerRequest(project, id, { response, by: `agent:${said.origin.agent}`, via: 'cli' });
      await project.until((state) => openRequests(state).every((each) => each.id !== id));
    }
    expect(await ended).toMatchObject({ outcome: 'failed' });
    expect(await told()).toMatch(/This is the word of the agent that asked \(run-\S+\), no human: once\n/);
    expect(await told()).not.toContain('the human');
  });

  it('and goes on without an answer is not waited for any more', async () => {
    const go = join(await tempRoot(), 'go');
    const { project } = await runWith('prompt-and-go-on', {}, [go]);
    const { id } = await asked(project);
    await writeFile(go, '');
    const dismissal = await project.until(({ streams }) => streams.get('demo')?.requests.get(id)?.dismissal);
    expect(dismissal).toMatchObject({ by: 'clifford', via: 'runner', reason: 'the agent went on by itself' });
    expect(taskState(project)).toMatch(/^active\./);
    expect(undelivered(streamOf(project), 'a')).toEqual([]);
  });

  it('asks nobody when its line comes to an end soon enough', async () => {
    const { project, ended } = await runWith('complete');
    expect(await ended).toEqual(done);
    expect(await helpTypes(project)).toEqual([]);
  });
});

it('a command whose stdin stays open needs the prompt as an argument', async () => {
  const { root } = await freshSprint();
  const agents = { asker: { command: agentCmd('prompt-and-read'), stdin: 'open' } };
  await writeConfig(`${root}/clifford.json`, { agent: 'asker', agents });
  await expect(startRun(root, {}).ended).rejects.toMatchObject({
    code: 'AGENT_COMMAND_INVALID',
    fix: expect.stringContaining('{prompt}'),
  });
});
