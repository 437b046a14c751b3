import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CliffordProject } from '../../src/library/clifford-project.ts';
import { SprintRunner, type SprintRunnerOptions } from '../../src/runner/sprint/sprint-runner.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { writeConfig } from '../helpers/config-files.ts';
import {} from '../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

/** A project that the library has run once, and in whose configuration somebody has written a command since. */
async function changedProject() {
  const root = await tempRoot();
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state') };
  const config = join(root, 'clifford.json');
  const options: SprintRunnerOptions = { projectRoot: root, env, agentCmd: agentHere('complete') };
  await writeSprint(root, { tasks: ['a'] });
  await writeConfig(config, { verify: ['true'] });
  expect(await new SprintRunner(options).run()).toMatchObject({ outcome: 'completed' });
  await writeSprint(root, { tasks: ['a', 'b'] });
  await writeConfig(config, { verify: ['true', 'touch seen'] });
  return { options, hasRun: () => existsSync(join(root, 'seen')) };
}

describe('a command that the files name since the last run', () => {
  it('is not run by the library; accepted once, it is known', async () => {
    const { options, hasRun } = await changedProject();
    await expect(new SprintRunner(options).run()).rejects.toMatchObject({
      code: 'COMMANDS_NEW',
      message: expect.stringContaining('nobody has agreed to run it: verify: touch seen'),
      fix: 'Look at it, then run the same with acceptCommands: true',
    });
    const project = await CliffordProject.open(options);
    onTestFinished(() => project.close());
    const { agentCmd } = options;
    await expect(project.runner({ agentCmd }).run()).rejects.toMatchObject({ code: 'COMMANDS_NEW' });
    expect(hasRun()).toBe(false);
    const accepted = await project.runner({ agentCmd, acceptCommands: true }).run();
    expect(accepted).toMatchObject({ outcome: 'completed' });
    expect(hasRun()).toBe(true);
    await expect(project.runner({ agentCmd, sprint: 'demo' }).run()).resolves.toBeDefined();
  });

  it('is accepted by no agent, and runs where the environment trusts the project', async () => {
    const { options, hasRun } = await changedProject();
    const env = { ...options.env, CLIFFORD_TRUST_PROJECT: '1' };
    const inAgent = { ...options, env: { ...env, CLIFFORD_RUN_ID: 'run-1' }, acceptCommands: true };
    await expect(new SprintRunner(inAgent).run()).rejects.toMatchObject({ code: 'NOT_A_HUMAN' });
    expect(hasRun()).toBe(false);
    expect(await new SprintRunner({ ...options, env }).run()).toMatchObject({ outcome: 'completed' });
    expect(hasRun()).toBe(true);
  });
});
