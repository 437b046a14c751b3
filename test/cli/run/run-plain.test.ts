import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentHere } from '../../helpers/agent-here.ts';
import { clifford, followClifford, startClifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { agentCmd } from '../../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';

async function freshProject(tasks: readonly string[] = ['a']): Promise<string> {
  const root = await tempRoot();
  await writeSprint(root, { tasks });
  return root;
}

const withoutTimes = (out: string) => out.replaceAll(/^\d\d:\d\d:\d\d /gm, '');

/** What is left of a process after a signal that does nothing. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describeOnEachEngine('clifford run without a terminal', () => {
  it('prints a line per event and per line of an agent, and ends with 0', async () => {
    const root = await freshProject(['a', 'b']);
    const { code, out, err } = await clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = withoutTimes(out).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'demo sprint.created Sprint demo (a, b)',
        expect.stringMatching(/^demo sprint\.started by clifford .*, 1 attempt per task$/),
        'demo/a task.started attempt 1 by clifford',
        'a | did a',
        expect.stringMatching(/^demo\/a task\.completed by run-/),
        'b | did b',
        'demo sprint.completed by clifford',
        'demo completed, 2 of 2 tasks done',
      ]),
    );
    expect(out).not.toContain('\u001B');
  });

  it('takes the agent from the environment, and --plain for granted where CI is set', async () => {
    const root = await freshProject();
    const env = { CLIFFORD_AGENT_CMD: agentHere('complete') };
    expect(await clifford(['run'], { cwd: root, env })).toMatchObject({ code: 0 });
  });

  it('ends with 1 when tasks failed, and says once why each of them did', async () => {
    const root = await freshProject(['one', 'two']);
    const { code, out, err } = await clifford(['run', '--agent-cmd', agentCmd('give-up')], { cwd: root });
    expect(code).toBe(1);
    expect(
      err.match(/note: an agent completes a task with update_task_status or clifford task done, /g),
    ).toHaveLength(1);
    expect(out).toMatch(/ sprint\.failed one, two failed\n/);
    expect(out).toMatch(/\ndemo failed, 0 of 2 tasks done, 2 failed: one, two failed\n$/);
    for (const task of ['one', 'two']) {
      expect(out).toMatch(
        new RegExp(`/${task} task\\.failed the agent ended without completing the task: I think I am done\n`),
      );
    }
    expect(out.match(/ended without completing the task/g)).toHaveLength(2);
    const status = await clifford(['status'], { cwd: root });
    expect(status.out.match(/ended without completing the task/g)).toHaveLength(2);
  });

  it('does not print what was typed at a prompt of a program', async () => {
    const root = await freshProject();
    const asks = `sh -c 'printf "? Passwort: "; exec sleep 60' {prompt}`;
    const { printed } = startClifford(['run', '--agent-cmd', asks], { cwd: root });
    const [, id = ''] = await printed(/clifford answer (q-\S+) /);
    await clifford(['answer', id, 'sonnen_blume9'], { cwd: root });
    const [line] = await printed(/ help\.answered .*\n/);
    expect(line).toMatch(/ in the shell: \[not shown: it answers a program's prompt\]\n$/);
  });

  it('prints a question in full with the command that answers it, and goes on with the answer', async () => {
    const root = await freshProject();
    const { printed, ended } = followClifford(['run', '--agent-cmd', agentCmd('ask')], { cwd: root });
    const [, id = ''] = await printed(
      /help\.requested a human has to answer:\n {4}Which port\?\n {4}answer with: clifford answer (q-\S+) "…"\n/,
    );
    expect(await clifford(['answer', id, '8080'], { cwd: root })).toMatchObject({ code: 0 });
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toContain('help.answered ada in the shell: 8080\n');
    expect(out).toContain('a | answer: 8080\n');
  });

  it('ends with 3 instead of waiting when it is told so', async () => {
    const root = await freshProject();
    const args = ['run', '--no-wait', '--agent-cmd', agentHere('ask-and-leave')];
    const { code, out } = await clifford(args, { cwd: root });
    expect(code).toBe(3);
    expect(out).toMatch(/\ndemo blocked, 0 of 1 tasks done: a human has to answer a: /);

    const again = await clifford(args, { cwd: root });
    expect(again.code).toBe(3);
    expect(again.out).toMatch(
      /^demo\/a a human still has to answer:\n {4}.*\n {4}answer with: clifford answer q-/,
    );
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops its agent at %s, ends with 130, and can be resumed',
    async (signal) => {
      const root = await freshProject();
      const args = ['run', '--agent-cmd', agentHere('hang-first')];
      const { printed, ended, kill } = startClifford(args, { cwd: root });
      const [, pid = ''] = await printed(/a \| ready (\d+)\n/);
      kill(signal);
      const { code, out } = await ended;
      expect(code).toBe(130);
      expect(out).toMatch(/\ndemo stopped, 0 of 1 tasks done: /);
      expect(isAlive(Number(pid))).toBe(false);

      expect(await clifford(args, { cwd: root })).toMatchObject({ code: 0 });
      expect(await clifford(['replay', '--verify'], { cwd: root })).toMatchObject({ code: 0 });
    },
  );

  it('makes what an agent prints harmless', async () => {
    const root = await freshProject();
    const agent = join(root, 'agent.mjs');
    await writeFile(
      agent,
      String.raw`process.stdout.write('one\u001b[2J\u001b]0;title\u0007 two\r\nthree'); process.exit(1);`,
    );
    const cmd = `"${process.execPath}" "${agent}"`;
    const { out } = await clifford(['run', '--agent-cmd', cmd], { cwd: root });
    expect(out).toContain('a | one two\n');
    expect(out).toContain('a | three\n');
    expect(out).not.toContain('\u001B');
  });

  it('goes on when nobody reads what it prints', async () => {
    const root = await freshProject(['a', 'b']);
    const run = startClifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
    await run.printed(/sprint\.created/);
    run.closeOutput();
    expect(await run.ended).toMatchObject({ code: 0, err: '' });
  });

  it('leaves a sprint that runs already to its runner, with 1', async () => {
    const root = await freshProject();
    const args = ['run', '--agent-cmd', agentHere('hang-first')];
    const first = startClifford(args, { cwd: root });
    await first.printed(/a \| ready/);
    const { code, err } = await clifford(args, { cwd: root });
    expect(code).toBe(1);
    expect(err).toMatch(/another runner works on it\n {2}Watch it with: clifford attach demo/);
    first.kill('SIGTERM');
    await first.ended;
  });
});

describeOnEachEngine('clifford attach without a terminal', () => {
  it('shows where the sprint stands, then its events until it ends', async () => {
    const root = await freshProject();
    const run = followClifford(['run', '--agent-cmd', agentCmd('ask')], { cwd: root });
    await run.printed(/a human has to answer/);
    const attached = followClifford(['attach'], { cwd: root });
    await attached.printed(
      /^demo \(Sprint demo\): blocked, .*\n {2}■ a {2}blocked .*\n {2}\? open question about a\n/,
    );
    await clifford(['answer', 'last', '8080'], { cwd: root });
    const { code, out } = await attached.ended;
    expect(code).toBe(0);
    expect(withoutTimes(out)).toMatch(
      /\ndemo\/a help\.answered ada .*\n(.*\n)*demo sprint\.completed by clifford\n$/,
    );
    expect((await run.ended).code).toBe(0);
  });

  it('leaves at Ctrl-C with 130, and the sprint runs on', async () => {
    const root = await freshProject();
    const run = startClifford(['run', '--agent-cmd', agentCmd('ask')], { cwd: root });
    await run.printed(/a human has to answer/);
    const attached = startClifford(['attach', 'demo'], { cwd: root });
    await attached.printed(/open question/);
    attached.kill('SIGINT');
    expect(await attached.ended).toMatchObject({ code: 130, err: '' });
    await clifford(['answer', 'last', '8080'], { cwd: root });
    expect((await run.ended).code).toBe(0);
  });
});

describe('clifford run whose log is a file', () => {
  it.each<[string, (log: string) => Promise<void>]>([
    ['cut', (log) => truncate(log, 1_000)],
    ['removed', (log) => rm(log)],
  ])('ends with 1 when that was %s, and leaves no agent', async (_, change) => {
    const root = await freshProject();
    const { printed, ended } = followClifford(['run', '--agent-cmd', agentCmd('ask')], { cwd: root });
    await printed(/help\.requested/);
    const log = join(root, '.clifford', 'events.jsonl');
    const [, pid = ''] = /"agent\.started".*?"pid":(\d+)/.exec(await readFile(log, 'utf8')) ?? [];
    expect(isAlive(Number(pid))).toBe(true);
    await change(log);
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toMatch(
      /^clifford: Cannot continue reading \S+events\.jsonl after byte \d+: .*; the log is another one than was read before$/m,
    );
    expect(isAlive(Number(pid))).toBe(false);
  });
});
