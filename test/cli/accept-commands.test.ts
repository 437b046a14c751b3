import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryHold } from '../../src/lib/files/kernel-lock.ts';
import { runnerLockPath } from '../../src/workflow/project/runner-lock.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

const args = ['run', 'demo', '--plain', '--agent-cmd', agentHere('complete')];

/** A project that was run once, and in whose configuration somebody has written a command since. */
async function changedProject() {
  const root = await tempRoot();
  await writeSprint(root, { tasks: ['a'] });
  const env = { XDG_STATE_HOME: join(root, 'state') };
  const config = join(root, 'clifford.json');
  await writeConfig(config, { verify: ['true'] });
  expect(await clifford(args, { cwd: root, env })).toMatchObject({ code: 0 });
  await writeSprint(root, { tasks: ['a', 'b'] });
  await writeConfig(config, { verify: ['true', 'touch seen'] });
  return { root, env, hasRun: () => existsSync(join(root, 'seen')) };
}

describe('a command that the files name since the last run', () => {
  it('is not run where nobody can be asked; accepted once, it is known', async () => {
    const { root, env, hasRun } = await changedProject();
    const { code, err } = await clifford(args, { cwd: root, env });
    expect(code).toBe(2);
    expect(err).toBe(
      'clifford: Cannot run sprint demo: clifford.json or its manifest names what is new since the last run, and ' +
        'nobody has agreed to run it: verify: touch seen\n' +
        '  Look at it, then run the same at a terminal or with --accept-commands\n',
    );
    expect(hasRun()).toBe(false);
    expect(await clifford([...args, '--accept-commands'], { cwd: root, env })).toMatchObject({ code: 0 });
    expect(hasRun()).toBe(true);
    expect((await clifford(args, { cwd: root, env })).err).not.toContain('new since the last run');
  });

  it('is one since the last run that began: a first run that was refused is no run', async () => {
    const root = await tempRoot();
    const env = { XDG_STATE_HOME: join(root, 'state') };
    const config = join(root, 'clifford.json');
    const refused = ['run', 'demo', '--plain', '--agent-cmd', './nowhere-to-be-found.sh'];
    await writeSprint(root, { tasks: ['a'], manifest: { done: 'exit-0' } });
    expect((await clifford(args, { cwd: root, env })).err).toContain('done');
    await writeConfig(config, { verify: ['true'] });
    const { code, err } = await clifford(refused, { cwd: root, env });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('Cannot start agent command ./nowhere-to-be-found.sh'),
    });
    await writeConfig(config, { verify: ['true', 'touch seen'] });
    expect(await clifford(args, { cwd: root, env })).toMatchObject({ code: 0 });
    // What somebody agreed to for a run that was refused has been run by none either.
    await writeSprint(root, { tasks: ['a', 'b'] });
    await writeConfig(config, { verify: ['touch more'] });
    expect(await clifford([...refused, '--accept-commands'], { cwd: root, env })).toMatchObject({ code: 2 });
    expect((await clifford(args, { cwd: root, env })).err).toContain(
      'nobody has agreed to run it: verify: touch more',
    );
  });

  it('is shown where it is run without a question: what was refused may have been something else', async () => {
    const { root, env, hasRun } = await changedProject();
    const config = join(root, 'clifford.json');
    expect((await clifford(args, { cwd: root, env })).err).toContain(
      'agreed to run it: verify: touch seen\n',
    );
    await writeConfig(config, { verify: ['true', 'touch seen', 'touch more'] });
    const { err } = await clifford([...args, '--accept-commands'], { cwd: root, env });
    const since = 'note: New since the last run of this project, with your rights';
    expect(err).toContain(`${since}: verify: touch seen; verify: touch more\n`);
    expect(hasRun()).toBe(true);
    await writeSprint(root, { tasks: ['a', 'b', 'c'] });
    await writeConfig(config, { verify: ['true', 'true # again'] });
    const trusted = await clifford(args, { cwd: root, env: { ...env, CLIFFORD_TRUST_PROJECT: '1' } });
    expect(trusted.err).toContain(`${since}: verify: true # again\n`);
  });

  it('is shown at the first run, too, which takes just that, and is none while it is refused', async () => {
    const root = await tempRoot();
    const env = { XDG_STATE_HOME: join(root, 'state') };
    const config = join(root, 'clifford.json');
    await writeSprint(root, { tasks: ['a'] });
    await writeConfig(config, { agentCmd: './mine.sh', verify: ['true'] });
    const lock = tryHold(runnerLockPath(join(root, '.clifford'), 'demo'));
    expect((await clifford(args, { cwd: root, env })).err).toContain('another runner works on it');
    lock?.release();
    expect(existsSync(join(root, 'state/clifford/commands.json'))).toBe(false);
    await writeConfig(config, { agentCmd: './mine.sh', verify: ['true', 'touch seen'] });
    const { code, err } = await clifford(args, { cwd: root, env });
    expect({ code, note: err.split('\n')[0] }).toEqual({
      code: 0,
      note: 'note: The first run of this project takes what its files have it run, with your rights: verify: true; verify: touch seen',
    });
    // What it did not run is not taken either.
    await writeSprint(root, { tasks: ['a', 'b'] });
    const later = await clifford(['run', 'demo', '--plain'], { cwd: root, env });
    expect(later.err).toContain('agreed to run it: agentCmd: ./mine.sh\n');
  });

  it('is not asked about where it is not run: --agent-cmd takes the place of the agents', async () => {
    const { root, env } = await changedProject();
    await writeConfig(join(root, 'clifford.json'), {
      verify: ['true'],
      agent: 'mine',
      agents: { mine: { command: './mine.sh' }, other: { command: './other.sh' } },
    });
    expect(await clifford(args, { cwd: root, env })).toMatchObject({ code: 0 });
    // One that is named may have a fallback, which an agent could name meanwhile: all of them are asked about.
    const named = await clifford(['run', 'demo', '--agent', 'other'], { cwd: root, env });
    expect(named).toMatchObject({ code: 2 });
    expect(named.err).toContain('agents.other.command: ./other.sh\n');
    expect(named.err).toContain('agents.mine.command: ./mine.sh; ');
  });

  it('is accepted by no agent', async () => {
    const { root, env, hasRun } = await changedProject();
    const { code, err } = await clifford([...args, '--accept-commands'], {
      cwd: root,
      env: { ...env, CLIFFORD_RUN_ID: 'run-1', CLIFFORD_TRUST_PROJECT: '1' },
    });
    expect(code).toBe(1);
    expect(err).toContain(
      'Cannot run commands that are new here (verify: touch seen): this is the shell of an agent',
    );
    expect(hasRun()).toBe(false);
  });

  it.each([
    ['y', true, 'demo completed'],
    [' yes ', true, 'demo completed'],
    ['n', false, 'Cannot run sprint demo: its new commands were not accepted'],
  ])('is shown and asked about at a terminal: %s', async (key, runs, said) => {
    const { root, env, hasRun } = await changedProject();
    const { see, press, exited } = openClifford([...args], { cwd: root, env });
    await see('verify: touch seen');
    await see('Run this? [y/N]');
    press(`${key}\r`);
    await see(said);
    expect(await exited).toBe(runs ? 0 : 2);
    expect(hasRun()).toBe(runs);
  });

  it('is what was shown, whatever the files say by the time of the yes', async () => {
    const { root, env, hasRun } = await changedProject();
    const { see, press, exited } = openClifford([...args], { cwd: root, env });
    await see('Run this? [y/N]');
    await writeConfig(join(root, 'clifford.json'), { verify: ['touch other'] });
    const manifest = join(root, 'sprints', 'demo', 'manifest.json');
    const { tasks, ...sprint } = JSON.parse(await readFile(manifest, 'utf8'));
    const swapped = tasks.map((task: object) => ({ ...task, verify: ['touch other'] }));
    await writeFile(manifest, JSON.stringify({ ...sprint, tasks: swapped }));
    press('y\r');
    expect(await exited).toBe(0);
    expect(hasRun()).toBe(true);
    expect(existsSync(join(root, 'other'))).toBe(false);
  });
});
