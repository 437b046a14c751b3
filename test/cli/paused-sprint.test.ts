import { expect, it, onTestFinished } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { cliFile, clifford, startClifford } from '../helpers/clifford-process.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { freshSprint, startRun } from '../helpers/sprint-run.ts';

/** A sprint of two tasks that somebody paused before its first run. */
async function pausedSprint(): Promise<string> {
  const { root } = await freshSprint({ tasks: ['a', 'b'] });
  const { runner, ended, printed } = startRun(root, { agentCmd: agentHere('hang-first') });
  await printed(/ready/);
  await runner.stop();
  await ended;
  expect(await clifford(['pause'], { cwd: root })).toMatchObject({ code: 0 });
  return root;
}

it('a run of a paused sprint says so, and how it goes on: in plain text, and at its end', async () => {
  const root = await pausedSprint();
  const waiting = startClifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
  await waiting.warned(/note: the sprint is paused, no task starts before: clifford resume demo\n/);
  waiting.kill('SIGINT');
  const { out, err } = await waiting.ended;
  expect(out).toContain('demo stopped, 0 of 2 tasks done');
  expect(err).toContain('next: clifford resume demo ends the pause; then the same command goes on\n');

  const hurried = await clifford(['run', '--no-wait', '--agent-cmd', agentHere('complete')], { cwd: root });
  expect(hurried).toMatchObject({ code: 3 });
  expect(hurried.out).toContain('demo blocked, 0 of 2 tasks done: the sprint is paused');
  expect(hurried.err).toContain('next: clifford resume demo');
});

it('the screen of a paused sprint says how it goes on', async () => {
  const root = await pausedSprint();
  const args = [cliFile, 'run', '--exit', '--agent-cmd', agentHere('complete')];
  const { see, exited, kill } = openPty(process.execPath, args, { cwd: root });
  onTestFinished(kill);
  await see('The sprint is paused: no task starts. P resumes it');
  expect(await clifford(['resume'], { cwd: root })).toMatchObject({ code: 0 });
  expect(await exited).toBe(0);
});

it('status of a paused sprint names what ends the pause first', async () => {
  const root = await pausedSprint();
  expect((await clifford(['status'], { cwd: root })).out).toMatch(
    /^demo \(Sprint demo\): paused, 0 of 2 tasks done, no runner at work \(.*\): clifford resume demo, then clifford run demo --agent-cmd '.*'\n/,
  );
});
