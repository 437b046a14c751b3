import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SprintRunner } from '../../../src/runner/sprint/sprint-runner.ts';
import { approve } from '../../../src/workflow/requests/approval.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { agentCmd, eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { writeSprint } from '../../helpers/temp-project.ts';
import { acpSprint, done, human, ofType, openCall } from '../support/acp-sprint.ts';

/** Two agents, one of which asks before it acts. */
const agents = {
  fake: { command: agentCmd('acp-agent'), via: 'acp' },
  quick: { command: agentHere('complete') },
};

it('an agent that asks nobody does not take over from one that asks while the run goes on', async () => {
  const { root, project } = await acpSprint([{ run: 'touch made' }], undefined, {}, {});
  const tasks = [
    { id: 'a', file: 'a.md' },
    { id: 'b', file: 'a.md', dependsOn: ['a'] },
  ];
  await writeSprint(root, { tasks: ['a'], manifest: { tasks } });
  await writeConfig(join(root, 'clifford.json'), { agent: 'fake', agents });
  const { runner, ended } = startRun(root, {});
  const problems: string[] = [];
  runner.on('problem', (problem) => problems.push(problem));
  const id = await openCall(project);
  await writeConfig(join(root, 'clifford.json'), { agent: 'quick', agents });
  await approve(project, id, { ...human, scope: 'once' });
  await ended;
  const started = ofType(await eventsOf(project), 'agent.started').map(({ data }) => data.agent);
  expect(started).toEqual(['fake', 'fake']);
  expect(problems).toContainEqual(expect.stringContaining('quick would ask nobody before it acts'));
});

it('a run with an agent that asks nobody has to be agreed to where agents of the project were asked', async () => {
  const { root } = await acpSprint([]);
  await writeConfig(join(root, 'clifford.json'), { agent: 'fake', agents });
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state') };
  const options = { projectRoot: root, env };
  expect(await new SprintRunner(options).run()).toEqual(done);
  await writeSprint(root, { tasks: ['a', 'b'], manifest: { agent: 'quick' } });
  const refused = { code: 'COMMANDS_NEW', message: expect.stringContaining('quick would ask nobody') };
  await expect(new SprintRunner(options).run()).rejects.toMatchObject(refused);
  // Who chooses it by its name has said so; once agreed to it is known.
  expect(await new SprintRunner({ ...options, acceptCommands: true }).run()).toEqual(done);
  await writeSprint(root, { tasks: ['a', 'b', 'c'], manifest: { agent: 'quick' } });
  expect(await new SprintRunner(options).run()).toEqual(done);
});

it('a command line without a name that asks nobody has to be agreed to as well', async () => {
  const { root } = await acpSprint([]);
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state') };
  const options = { projectRoot: root, env };
  const agentCmd = agents.quick.command;
  const config = join(root, 'clifford.json');
  await writeConfig(config, { agentCmd });
  expect(await new SprintRunner(options).run()).toEqual(done);
  await writeSprint(root, { tasks: ['a', 'b'] });
  await writeConfig(config, { agent: 'fake', agents });
  await new SprintRunner({ ...options, acceptCommands: true }).run();
  await writeConfig(config, { agentCmd });
  await expect(new SprintRunner(options).run()).rejects.toMatchObject({
    code: 'COMMANDS_NEW',
    message: expect.stringContaining('would ask nobody'),
  });
  expect(await new SprintRunner({ ...options, agentCmd }).run()).toEqual(done);
});

it('who chooses by its name an agent that never asked has agreed, and not for one that did', async () => {
  const { root } = await acpSprint([]);
  const config = join(root, 'clifford.json');
  await writeConfig(config, { agent: 'fake', agents });
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state') };
  const options = { projectRoot: root, env };
  expect(await new SprintRunner(options).run()).toEqual(done);
  await writeSprint(root, { tasks: ['a', 'b'] });
  expect(await new SprintRunner({ ...options, agent: 'quick' }).run()).toEqual(done);
  await writeSprint(root, { tasks: ['a', 'b', 'c'] });
  await writeConfig(config, {
    agent: 'fake',
    agents: { ...agents, fake: { command: agentCmd('acp-agent') } },
  });
  await expect(new SprintRunner({ ...options, agent: 'fake' }).run()).rejects.toMatchObject({
    code: 'COMMANDS_NEW',
    message: expect.stringContaining('fake would ask nobody'),
  });
});

it('a manifest that calls a task completed which is not names no agent unseen', async () => {
  const { root, project } = await acpSprint([]);
  await writeConfig(join(root, 'clifford.json'), { agent: 'fake', agents });
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state') };
  await writeSprint(root, { tasks: ['a', 'b'] });
  const failed = { outcome: 'failed' };
  expect(await new SprintRunner({ projectRoot: root, env }).run()).toMatchObject(failed);
  const tasks = ['a', 'b'].map((id) => ({ id, file: 'a.md', status: 'completed', agent: 'quick' }));
  await writeSprint(root, { tasks: ['a'], manifest: { tasks } });
  await expect(new SprintRunner({ projectRoot: root, env }).run()).rejects.toMatchObject({
    code: 'COMMANDS_NEW',
    message: expect.stringContaining('quick would ask nobody'),
  });
  const started = ofType(await eventsOf(project), 'agent.started').map(({ data }) => data.agent);
  expect(started).toEqual(['fake', 'fake']);
});

it.each([
  ['itself', { agent: 'fake', agents: { ...agents, fake: agents.quick } }, { code: 'COMMANDS_NEW' }],
  ['another one', { agent: 'quick', agents }, done],
])('that nobody was asked before is no yes to it once agents are asked: %s', async (_, silent, last) => {
  const { root } = await acpSprint([]);
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state') };
  const run = async (config: object, tasks: string[], acceptCommands = false) => {
    await writeSprint(root, { tasks });
    await writeConfig(join(root, 'clifford.json'), config);
    return new SprintRunner({ projectRoot: root, env, acceptCommands }).run();
  };
  expect(await run(silent, ['a'])).toEqual(done);
  // Its steps are of the first task.
  const failed = { outcome: 'failed' };
  expect(await run({ agent: 'fake', agents }, ['a', 'b'], true)).toMatchObject(failed);
  await expect(run(silent, ['a', 'b', 'c'])).rejects.toMatchObject({
    code: 'COMMANDS_NEW',
    message: expect.stringContaining('would ask nobody'),
  });
  // Once agreed to it is known, until it asks again.
  expect(await run(silent, ['a', 'b', 'c'], true)).toEqual(done);
  expect(await run(silent, ['a', 'b', 'c', 'd'])).toEqual(done);
  expect(await run({ agent: 'fake', agents }, ['a', 'b', 'c', 'd', 'e'])).toMatchObject(failed);
  const again = run(silent, ['a', 'b', 'c', 'd', 'e', 'f']);
  expect(await again.catch((error: unknown) => error)).toMatchObject(last);
});
