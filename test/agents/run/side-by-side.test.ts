import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { EventType } from '../../../src/events/catalog.ts';
import type { Conversation } from '../../../src/runner/scripted-model/conversation.ts';
import type { Scripts } from '../../../src/runner/scripted-model/script.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { killAll, processesOf } from '../../helpers/project-processes.ts';
import { taskBecomes } from '../../helpers/sprint-run.ts';
import { makeRepository } from '../../helpers/temp-repository.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import type { AgentCli } from '../harness/agent-cli.ts';
import { agentSprint, isA, settle } from '../harness/agent-sprint.ts';
import { claude } from '../harness/claude.ts';
import { agentEnvironment } from '../harness/installed.ts';
import { opencode } from '../harness/opencode.ts';
import { testModel, testPlace } from '../harness/test-place.ts';

const agents = [opencode, claude];

/** By their command lines they ask about nothing but what the script asks. */
const config = { agents: { opencode: { via: 'cli' }, claude: { via: 'cli' } } };

/** The folder of the sprint, as the prompt names it. */
const sprintDir = ({ prompt }: Conversation) => /CURRENT_SPRINT_DIR: (.*)/.exec(prompt)?.[1] ?? '';

/** Asks, writes the answer into a file of its own, and is done. */
const asker = (task: string): Scripts => ({
  [`task ${task} of`]: [
    { tool: 'get_sprint_context', args: (talk) => ({ sprintDir: sprintDir(talk) }) },
    { tool: 'request_help', args: { task, reason: 'Two will do.', question: `Which colour has ${task}?` } },
    { shell: ({ results }) => `echo ${/(red|blue)/.exec(results.at(-1)?.text ?? '')?.[1]} > ${task}.txt` },
    {
      tool: 'update_task_status',
      args: (talk) => ({ sprintDir: sprintDir(talk), taskId: task, status: 'completed' }),
    },
    { text: `${task} is done.` },
  ],
});

const script = { ...asker('form'), ...asker('page') };

it('two agents work side by side on one machine, each asks, and both are merged', async () => {
  const tasks = [
    { id: 'form', file: 'form.md', agent: 'opencode' },
    { id: 'page', file: 'page.md', agent: 'claude' },
  ];
  const { project, log, model, run, clifford, events } = await agentSprint({
    agent: opencode,
    beside: [claude],
    tasks: ['form', 'page'],
    manifest: { tasks, parallel: 2 },
    config,
    script: () => script,
  });
  const git = makeRepository(project);
  git.commitAll('The plan');

  const running = run();
  for (const task of ['form', 'page']) await running.until(taskBecomes(log, 'blocked.question', task));
  const open = (await events()).filter(isA('help.requested'));
  expect(open.map(({ data }) => data.question).toSorted()).toEqual([
    'Which colour has form?',
    'Which colour has page?',
  ]);
  for (const { data } of open) {
    const colour = data.question.includes('form') ? 'red' : 'blue';
    expect(await clifford('answer', data.requestId, colour).ended).toMatchObject({ code: 0 });
  }
  const { code, out, err } = await running.ended;
  expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
  expect(await readFile(join(project, 'form.txt'), 'utf8')).toBe('red\n');
  expect(await readFile(join(project, 'page.txt'), 'utf8')).toBe('blue\n');
  const all = await events();
  expect(
    all
      .filter(isA('agent.started'))
      .map(({ data }) => data.adapter)
      .toSorted(),
  ).toEqual(['claude', 'opencode']);
  expect(all.filter(isA('worktree.merged'))).toHaveLength(2);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(await clifford('replay', '--verify').ended).toMatchObject({ code: 0 });
});

describeWithNats('two workers', (server) => {
  /** One worker for each agent, labelled with its name, whose agents ask what the script has them ask. */
  async function team(sprints: Parameters<typeof workerWorld>[1]['sprints']) {
    const place = await testPlace();
    const model = await testModel(script);
    const settled = await settle(agents, place.home, model);
    const { CLIFFORD_CONFIG: _, ...env } = agentEnvironment(place, settled);
    const world = await workerWorld(server.address, { sprints, config, deadlineMs: 20_000 });
    onTestFinished(async () => void killAll(await processesOf(world.desk, '')));
    const eventsOf = async <T extends EventType>(type: T) => (await world.events()).filter(isA(type));
    return {
      world,
      model,
      eventsOf,
      start: ({ name }: AgentCli) => world.worker(name, { args: ['--labels', name], env }),
      /** Answers the questions of both tasks, once both have been asked. */
      answerBoth: async (answerTo: (question: string) => string) => {
        const asked = () => eventsOf('help.requested');
        await expect.poll(async () => (await asked()).length, { timeout: 120_000 }).toBe(2);
        for (const { data } of await asked())
          expect(await world.human('answer', data.requestId, answerTo(data.question))).toMatchObject({
            code: 0,
          });
      },
    };
  }

  it('run a sprint each with an agent of its own, are answered from elsewhere, and push what was made', async () => {
    const { world, model, eventsOf, start, answerBoth } = await team({
      one: { tasks: ['form'], manifest: { agent: 'opencode', needs: ['opencode'] } },
      two: { tasks: ['page'], manifest: { agent: 'claude', needs: ['claude'] } },
    });
    for (const sprint of ['one', 'two'])
      expect(await world.human('queue', 'add', sprint)).toMatchObject({ code: 0 });
    const workers = await Promise.all(agents.map(start));
    await answerBoth(() => 'red');
    const ended = () => eventsOf('job.ended');
    await expect.poll(async () => (await ended()).length, { timeout: 120_000 }).toBe(2);
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) expect(await worker.ended).toMatchObject({ code: 0 });

    expect(
      (await ended())
        .map(({ subject, data }) => `${subject} ${data.worker.replace(/\/.*/, '')} ${data.outcome}`)
        .toSorted(),
    ).toEqual(['one opencode over', 'two claude over']);
    expect(model.surprises).toEqual([]);
    expect(world.origin('show', 'clifford-sprints/one:form.txt')).toBe('red');
    expect(world.origin('show', 'clifford-sprints/two:page.txt')).toBe('red');
    expect(await world.human('replay', '--verify')).toMatchObject({ code: 0 });
  });

  it('run a task of one sprint each, with an agent of its own that asks, and one of them merges both', async () => {
    const tasks = [
      { id: 'form', file: 'form.md', status: 'pending', agent: 'opencode', needs: ['opencode'] },
      { id: 'page', file: 'page.md', status: 'pending', agent: 'claude', needs: ['claude'] },
    ];
    const { world, model, eventsOf, start, answerBoth } = await team({
      one: { tasks: ['form', 'page'], manifest: { tasks, parallel: 2 } },
    });
    expect(await world.human('queue', 'add', 'one')).toMatchObject({ code: 0 });
    const owner = await start(opencode);
    await owner.printed(/offer\.made/);
    const helper = await start(claude);
    await answerBoth((question) => (question.includes('form') ? 'red' : 'blue'));
    await helper.printed(/one\/page over/);
    await owner.printed(/one over: completed/);

    const started = (await eventsOf('agent.started')).map(
      ({ subject, data }) => `${subject} ${data.adapter}`,
    );
    expect(started.toSorted()).toEqual(['one/form opencode', 'one/page claude']);
    const taken = (await eventsOf('offer.taken')).map(
      ({ subject, data }) => `${subject} ${data.worker.replace(/\/.*/, '')}`,
    );
    expect(taken).toEqual(['one/page claude']);
    expect(model.surprises).toEqual([]);
    expect(world.origin('show', 'clifford-sprints/one:form.txt')).toBe('red');
    expect(world.origin('show', 'clifford-sprints/one:page.txt')).toBe('blue');
    expect(await eventsOf('help.delivered')).toHaveLength(2);
    expect(await world.human('replay', '--verify')).toMatchObject({ code: 0 });
  });
});
