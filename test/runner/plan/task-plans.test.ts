import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { agentCmd, eventsOf, freshSprint, startRun, taskBecomes, typesOf } from '../../helpers/sprint-run.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };

/** A sprint of tasks with these entries, in a project with this `clifford.json`. */
async function sprintOf(tasks: readonly object[], config: object, manifest: object = {}) {
  const entries = tasks.map((task, index) => ({ id: 'abc'[index], file: 'a.md', ...task }));
  const project = await freshSprint({ tasks: ['a'], manifest: { tasks: entries, ...manifest } });
  await writeConfig(join(project.root, 'clifford.json'), config);
  return project;
}

/** The arguments that the agents were started with, as the test's agent prints them. */
const printedArgs = (text: string): string[][] =>
  [...text.matchAll(/^\{.*\}$/gm)].map(([line]) => (JSON.parse(line) as { args: string[] }).args);

async function answer(project: Project): Promise<void> {
  const { id } = findRequest(await project.refresh(), 'last');
  await answerRequest(project, id, { response: '8080', by: 'me', via: 'cli' });
}

const started = (events: readonly StoredEvent[]) => events.filter((event) => event.type === 'agent.started');

describe('each task is worked on', () => {
  it('by its own agent with its own model', async () => {
    const { root } = await sprintOf(
      [{}, { model: 'small' }, { agent: 'careful' }],
      {
        agent: 'quick',
        agents: {
          quick: { command: agentCmd('print-start', '--quick', '{model}') },
          careful: { command: agentCmd('print-start', '--careful', '--model={model}') },
        },
      },
      { model: 'big' },
    );
    const { ended, text } = startRun(root, {});
    expect(await ended).toEqual(done);
    expect(printedArgs(text())).toEqual([
      ['--quick', 'big'],
      ['--quick', 'small'],
      ['--careful', '--model=big'],
    ]);
  });

  it('by the agent of the options, whatever its entry says', async () => {
    const { root } = await sprintOf([{ agent: 'nobody', model: 'm' }], { agentCmd: 'no-such-agent' });
    const options = { agentCmd: agentCmd('print-start', '{model}'), model: 'mine' };
    const { ended, text } = startRun(root, options);
    expect(await ended).toEqual(done);
    expect(printedArgs(text())).toEqual([['mine']]);
  });

  it('until its own limit of failed attempts, which the log has', async () => {
    const { root, project } = await sprintOf([{ maxAttempts: 2 }, {}], { agentCmd: agentHere('crash-once') });
    expect(await startRun(root, {}).ended).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('task b failed'),
    });
    const events = await eventsOf(project);
    expect(events.find(({ type }) => type === 'sprint.started')?.data).toMatchObject({
      maxAttempts: 1,
      limits: [{ id: 'a', maxAttempts: 2 }],
    });
    expect(started(events).map(({ subject }) => subject)).toEqual(['demo/a', 'demo/a', 'demo/b']);
  });

  it('by an agent whose command has a secret, which is not recorded', async () => {
    const { root, project } = await sprintOf([{}], {
      agentCmd: agentCmd('print-start', '--key=${CLIFFORD_TEST_KEY}', '{model}'),
      model: '${CLIFFORD_TEST_KEY}-model',
    });
    const env = { ...process.env, CLIFFORD_TEST_KEY: 'open-sesame' };
    const { ended, text } = startRun(root, { env });
    expect(await ended).toEqual(done);
    expect(printedArgs(text())).toEqual([['--key=open-sesame', 'open-sesame-model']]);
    const [{ data } = { data: { argv: [] } }] = started(await eventsOf(project));
    expect(data.argv.slice(-2)).toEqual(['--key=${CLIFFORD_TEST_KEY}', '${CLIFFORD_TEST_KEY}-model']);
  });
});

describe('a model that the configuration names', () => {
  it('is no flag, whoever brings it in: it is told, and none is passed on', async () => {
    const config = { agentCmd: 'true --model {model}', model: '${CLIFFORD_TEST_MODEL}' };
    const { root } = await sprintOf([{}], config);
    const env = { ...process.env, CLIFFORD_TEST_MODEL: '--yolo' };
    await expect(startRun(root, { env }).ended).rejects.toMatchObject({ code: 'MODEL_MISSING' });
    await expect(startRun(root, { env, model: '-y' }).ended).rejects.toMatchObject({
      message: expect.stringContaining('begins with neither a dash nor a space (current value is "-y")'),
    });
  });

  it('becomes no flag of the next attempt when an agent has written it meanwhile', async () => {
    const config = { agentCmd: 'sh -c "cp other.json clifford.json; exit 1" {model}', maxAttempts: 2 };
    const { root, project } = await sprintOf([{}], { ...config, model: 'small' });
    await writeConfig(join(root, 'other.json'), { ...config, model: '--yolo' });
    expect(await startRun(root, {}).ended).toMatchObject({ outcome: 'failed' });
    const models = started(await eventsOf(project)).map(({ data }) =>
      'argv' in data ? data.argv.at(-1) : '',
    );
    expect(models).toEqual(['small', 'small']);
  });
});

describe('before anything is started, a run is refused', () => {
  const agents = { quick: { command: agentHere('complete') }, dear: { command: 'x ${CLIFFORD_TEST_NONE}' } };
  it.each<[string, object, object, string, string]>([
    [
      'where the agent of a later task is unknown',
      { agent: 'nobody' },
      { agent: 'quick', agents },
      'AGENT_UNKNOWN',
      'Cannot find agent nobody, named by sprints/demo/manifest.json: tasks[1].agent: the known ones are quick',
    ],
    [
      'where the configuration has no agents',
      { agent: 'nobody' },
      { agentCmd: 'true' },
      'AGENT_UNKNOWN',
      'Cannot find agent nobody, named by sprints/demo/manifest.json: tasks[1].agent: the known ones are opencode',
    ],
    [
      'where the command of an agent misses a variable',
      { agent: 'dear' },
      { agent: 'quick', agents },
      'CONFIG_INVALID',
      'agents.dear.command uses the variable CLIFFORD_TEST_NONE, which is not set',
    ],
    [
      'where a command wants a model',
      {},
      { agentCmd: 'true {model}' },
      'MODEL_MISSING',
      'Cannot start agent command true {model}: it has {model}, and no model is configured',
    ],
    ['where no agent is configured', {}, {}, 'AGENT_MISSING', 'no agent is configured'],
    [
      'where an entry says nonsense',
      { maxAttempts: 0 },
      { agentCmd: 'true' },
      'TASK_SETTINGS_INVALID',
      'Cannot use sprints/demo/manifest.json: tasks[1].maxAttempts: it must be a whole number from 1 to 1000 (current value is 0)',
    ],
    [
      'where a model would be a flag',
      { model: '--yolo' },
      { agentCmd: 'true --model {model}', model: 'm' },
      'TASK_SETTINGS_INVALID',
      'tasks[1].model: it must be a text that is not empty, and begins with neither a dash nor a space (current value is "--yolo")',
    ],
  ])('%s', async (_why, entry, config, code, message) => {
    const { root, project } = await sprintOf([{}, entry], config);
    await expect(startRun(root, {}).ended).rejects.toMatchObject({
      code,
      recovery: 'fix-input',
      message: expect.stringContaining(message),
    });
    expect(await typesOf(project)).toEqual([]);
  });

  it('but not because of a task that is done', async () => {
    const { root } = await sprintOf([{}, { agent: 'nobody', status: 'completed' }], {
      agent: 'quick',
      agents,
    });
    expect(await startRun(root, {}).ended).toEqual(done);
  });
});

describe('a configuration that changes while its sprint runs', () => {
  const agents = {
    first: { command: agentCmd('ask', 'first') },
    second: { command: agentCmd('print-start', 'second') },
  };

  it('counts from the next attempt on', async () => {
    // Else it is started while the first one waits.
    const { root, project } = await sprintOf([{}, { dependsOn: ['a'] }], { agent: 'first', agents });
    const { ended, text } = startRun(root, {});
    await taskBecomes(project, 'blocked.question');
    await writeConfig(join(root, 'clifford.json'), { agent: 'second', agents });
    await answer(project);
    expect(await ended).toEqual(done);
    expect(printedArgs(text())).toEqual([['second']]);
  });

  it.each([
    [
      'broken',
      '{"agent": ',
      /^Cannot read .*clifford\.json:1:11: it is not JSON: .*; its previous content is used$/,
    ],
    [
      'without the agent',
      '{"agents": {}}',
      /^The configuration runs other programs .* \(agents\.first, agents\.second changed\): this run goes on with those/,
    ],
    [
      'with another command for it',
      JSON.stringify({ agent: 'first', agents: { ...agents, second: { command: 'false' } } }),
      /\(agents\.second changed\): this run goes on with those of then\. To take up the change, stop it and run/,
    ],
  ])('counts as it was before while it is %s, and that is said once', async (_how, text, message) => {
    const { root, project } = await sprintOf([{}, { agent: 'second' }], { agent: 'first', agents });
    const run = startRun(root, {});
    const problems: string[] = [];
    run.runner.on('problem', (problem) => problems.push(problem));
    await taskBecomes(project, 'blocked.question');
    await writeConfig(join(root, 'clifford.json'), text);
    await answer(project);
    expect(await run.ended).toEqual(done);
    expect(printedArgs(run.text())).toEqual([['second']]);
    expect(problems).toEqual([expect.stringMatching(message)]);
  });
});
