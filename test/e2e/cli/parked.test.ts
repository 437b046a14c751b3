import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { cliFile, clifford } from '../../helpers/clifford-process.ts';
import { eventsOf, recorded, startRun } from '../../helpers/sprint-run.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { acpSprint, done, ofType, openCall } from '../../runner/support/acp-sprint.ts';

/** A run whose agent was parked while its call waits, and `clifford` in its project. */
async function parkedRun() {
  const sprint = await acpSprint([{ run: 'echo ran >> ran' }], undefined, { parkAfter: 0.005 });
  const { root, project } = sprint;
  const run = startRun(root, {});
  const id = await openCall(project);
  await recorded(project, 'agent.parked');
  await recorded(project, 'agent.exited');
  const says = async (...words: readonly string[]) => (await clifford(words, { cwd: root })).out;
  return { ...sprint, run, id, says };
}

describeOnEachEngine('an agent that is parked', () => {
  it('is shown as such, and what a decision about it does, too', async () => {
    const { run, id, says } = await parkedRun();
    const since = String.raw`parked since \d\d:\d\d`;
    const status = await says('status');
    expect(status).toMatch(new RegExp(`■ a {2}blocked .*${since},\\s+starts again with the answer`));
    expect(status).toContain('  ? open tool call about a\n');
    expect(await says('questions')).toMatch(new RegExp(`${since}, it starts again with the answer`));
    const { sprints } = JSON.parse(await says('status', '--json')) as { sprints: unknown[] };
    const parkedSince = expect.stringMatching(/^20\d\d-.*Z$/) as string;
    expect(sprints).toMatchObject([{ tasks: [{ id: 'a', state: 'blocked', parkedSince }] }]);
    expect(JSON.parse(await says('questions', '--json'))).toMatchObject([{ id, parkedSince }]);
    expect(await says('approve', id)).toMatch(/^allowed .*\nits agent was parked: it starts again\n$/);
    expect(await run.ended).toEqual(done);
    const history = await says('replay', 'demo');
    expect(history).toMatch(/agent\.parked .*it has waited for \d+ ms: the answer starts it again/);
    expect(history).toMatch(/agent\.exited .*parked until a human has answered/);
    expect(history).toMatch(/agent\.resumed .*after [\d.]+ m?s, in its session/);
    expect(await says('status', 'demo')).not.toContain('parked');
  });

  it.each([
    ['a question about its call', 'explain', []],
    ['a call that is changed', 'approve', ['--command', 'echo changed']],
    ['a yes to all that wait like it', 'approve', ['--same', '--yes']],
    ['a no to all that wait like it', 'deny', ['--same', '--yes']],
  ])('is started again by %s, which says so', async (_what, verb, options) => {
    const { id, says } = await parkedRun();
    expect(await says(verb, id, ...options)).toContain('\nits agent was parked: it starts again\n');
  });

  it('is shown on the screen of its run, where a yes starts it again', async () => {
    const { root } = await acpSprint([{ run: 'echo ran >> ran' }], undefined, { parkAfter: 0.005 });
    const { see, press, exited, lines, kill } = openPty(process.execPath, [cliFile, 'run', '--exit'], {
      cwd: root,
      columns: 80,
      rows: 24,
    });
    onTestFinished(kill);
    await see('starts again with the answer');
    expect(lines().join('\n')).toMatch(/■ blocked {3}a +parked \d+ s/);
    expect(lines().join('\n')).toMatch(/ Parked since 20\d\d-\d\d-\d\d \d\d:\d\d, starts again/);
    await see('Y allow once');
    press('y');
    expect(await exited).toBe(0);
    expect(await readFile(join(root, 'ran'), 'utf8')).toBe('ran\n');
  });

  it('goes on with the next run where none is at work', async () => {
    const { root, project, run, id, says } = await parkedRun();
    await run.runner.stop();
    expect(await says('status')).toMatch(/parked since/);
    const { out, err } = await clifford(['deny', id, '--reason', 'not here'], { cwd: root });
    expect(out).toMatch(/\nits agent was parked: it starts again\n$/);
    expect(err).toContain('next: clifford run demo');
    expect(await startRun(root, {}).ended).toEqual(done);
    expect(ofType(await eventsOf(project), 'agent.resumed')).toHaveLength(1);
  });

  it('stays parked when another question of it is left', async () => {
    const { project, run, id, says } = await parkedRun();
    const agent = { id: 'session-1', client: 'somebody' };
    const question = { kind: 'help', task: 'a', question: 'Which port?' } as const;
    const other = await ask(project, { stream: 'demo', agent, ...question });
    expect(await says('dismiss', id)).toMatch(/\nits agent stays parked: 1 question of its task left\n$/);
    expect(await says('answer', other.id, '8080')).toMatch(/\nits agent was parked: it starts again\n$/);
    expect(await run.ended).toEqual(done);
  });
});
