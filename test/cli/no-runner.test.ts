import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgsStringToArgv } from 'string-argv';
import { expect, it, onTestFinished } from 'vitest';
import { terminate } from '../../src/lib/processes/terminate.ts';
import { skipTask } from '../../src/workflow/sprint/control.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford, followClifford, startClifford } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { agentCmd, eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

type Told = { readonly sprints: readonly { readonly runOptions: readonly string[] }[] };

describeOnEachEngine('a sprint whose runner left', () => {
  it('has that in its log, with the reason, and neither status nor attach call it running', async () => {
    const { root, project } = await freshSprint();
    const { runner, ended, printed } = startRun(root, { agentCmd: agentHere('hang-first') });
    await printed(/ready/);
    expect((await clifford(['status'], { cwd: root })).out).not.toContain('no runner');
    const attached = followClifford(['attach', '--plain', 'demo'], { cwd: root });
    await attached.printed(/^demo \(Sprint demo\): active/);
    await runner.stop('Ctrl-C');
    expect(await ended).toMatchObject({ outcome: 'stopped' });

    const events = await eventsOf(project);
    const runners = events.flatMap(({ data }) => ('runner' in data ? [data.runner] : []));
    expect(new Set(runners).size).toBe(1);
    expect(events.at(-1)).toMatchObject({
      type: 'runner.left',
      data: { runner: runners[0], reason: 'Ctrl-C' },
    });

    const noRunner = 'no runner is at work on demo. To go on: clifford run demo';
    const left = await attached.ended;
    expect(left.code).toBe(1);
    expect(left.out).toMatch(/demo runner\.left clifford .*: Ctrl-C\n$/);
    expect(left.err).toContain(noRunner);
    const again = await clifford(['attach', '--plain', 'demo'], { cwd: root });
    expect(again.code).toBe(1);
    expect(again.err).toContain(noRunner);
    expect((await clifford(['status'], { cwd: root })).out).toMatch(
      /^demo \(Sprint demo\): idle, 0 of 1 tasks done, no runner at work \(it left at \d\d:\d\d.*: Ctrl-C\): clifford run demo --agent-cmd '.*hang-first.*'\n/,
    );
    // The command that is named goes on with it as it stands.
    const [, named = ''] = /clifford (run .*)\n/.exec(again.err) ?? [];
    expect(await clifford(parseArgsStringToArgv(named), { cwd: root })).toMatchObject({ code: 0 });
  });

  it('and that waits in the queue is followed until it leaves that', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    const say = (type: 'job.added' | 'job.cancelled') =>
      project.dispatch('demo', () => [{ type, subject: 'demo', data: { by: 'ada' } }]);
    await say('job.added');
    const queued =
      /^demo \(Sprint demo\): pending, 0 of 1 tasks done, waits in the queue for a worker since /;
    expect((await clifford(['status'], { cwd: root })).out).toMatch(queued);
    const attached = followClifford(['attach', '--plain', 'demo'], { cwd: root });
    await attached.printed(queued);
    await setTimeout(1_500);
    expect(await clifford(['skip', 'a'], { cwd: root })).toMatchObject({ code: 0, err: '' });
    await attached.printed(/skipped/);
    await say('job.cancelled');
    expect(await attached.ended).toMatchObject({ code: 1, err: expect.stringContaining('no runner') });
  });

  it('and that waits in the queue: no decision that is refused is said to be possible by a run, which is, too', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    await project.dispatch('demo', () => [{ type: 'job.added', subject: 'demo', data: { by: 'ada' } }]);
    const refused = [['pause'], ['resume'], ['stop'], ['retry', 'a'], ['task', 'done', 'a']];
    for (const args of refused) {
      const { code, err } = await clifford(args, { cwd: root });
      expect(code, args.join(' ')).not.toBe(0);
      expect(err).toContain('clifford queue cancel demo');
      expect(err).not.toContain('clifford run');
    }
  });

  it('is gone on with as it was run: no option is lost that holds for the whole run', async () => {
    const { root } = await freshSprint();
    const options = ['--parallel', '3', '--max-attempts', '2', '--fail-fast'];
    const run = startClifford(['run', '--plain', '--agent-cmd', agentHere('hang-first'), ...options], {
      cwd: root,
    });
    await run.printed(/ready/);
    const goesOn = /clifford run demo --agent-cmd '.*' --parallel 3 --max-attempts 2 --fail-fast\n/;
    expect((await clifford(['stop', 'demo'], { cwd: root })).out).toMatch(goesOn);
    await run.ended;
    expect((await clifford(['status'], { cwd: root })).out).toMatch(goesOn);
    const [, named = ''] =
      /clifford (run .*)\n/.exec((await clifford(['attach', '--plain'], { cwd: root })).err) ?? [];
    expect(named).toContain(' --parallel 3 ');
    // What the next run does not say is not said of it.
    const next = parseArgsStringToArgv(named.replace(/ --parallel.*/, ' --parallel 1'));
    expect(await clifford(next, { cwd: root })).toMatchObject({ code: 0 });
    const [told] = (JSON.parse((await clifford(['status', '--json'], { cwd: root })).out) as Told).sprints;
    expect(told?.runOptions.slice(2)).toEqual(['--parallel', '1']);
  });

  it('because it was killed is not called running either', async () => {
    const { root, project } = await freshSprint();
    const run = startClifford(['run', '--plain', '--agent-cmd', agentCmd('ask')], { cwd: root });
    await run.printed(/a human has to answer/);
    expect((await clifford(['status'], { cwd: root })).out).not.toContain('no runner');
    // The question is told before the files that follow from it are written.
    const seen = async () => JSON.parse((await clifford(['status', '--json'], { cwd: root })).out) as object;
    await expect.poll(seen, { timeout: 15_000 }).toMatchObject({ behind: [] });
    const pids = (await eventsOf(project)).flatMap(({ data }) => ('pid' in data ? [data.pid] : []));
    onTestFinished(() => terminate(pids.map((pid) => -pid)));
    run.kill('SIGKILL');
    await run.ended;
    expect((await clifford(['status'], { cwd: root })).out).toMatch(
      /^demo \(Sprint demo\): blocked, .*, no runner at work: clifford run demo --agent-cmd '.*'\n/,
    );
    const status = JSON.parse((await clifford(['status', '--json'], { cwd: root })).out);
    expect(status).toMatchObject({ sprints: [{ id: 'demo', hasRunner: false }], behind: [] });
  });

  it('says that an agent is gone which nobody saw end', async () => {
    const { root, project } = await freshSprint();
    const run = startClifford(['run', '--plain', '--agent-cmd', agentHere('hang-first')], { cwd: root });
    await run.printed(/ready/);
    const [pid = 0] = (await eventsOf(project)).flatMap(({ data }) => ('pid' in data ? [data.pid] : []));
    const statusText = async () => (await clifford(['status'], { cwd: root })).out;
    expect(await statusText()).toMatch(new RegExp(`agent pid ${pid}(?! is gone)`));
    run.kill('SIGKILL');
    await run.ended;
    await terminate([-pid]);
    expect(await statusText()).toContain(`agent pid ${pid} is gone`);
    const { out } = await clifford(['status', '--json'], { cwd: root });
    expect(JSON.parse(out)).toMatchObject({ sprints: [{ tasks: [{ agent: { pid }, isAgentGone: true }] }] });
  });

  it('that is over is not said to have none', async () => {
    const { root, project } = await freshSprint();
    await startRun(root, { agentCmd: agentHere('complete') }).ended;
    expect((await eventsOf(project)).map(({ type }) => type)).not.toContain('runner.left');
    expect((await clifford(['status'], { cwd: root })).out).not.toContain('no runner');
  });
});

describeOnEachEngine('a manifest that could not be written', () => {
  it('is named by the command, by status and by doctor, and written by the next decision', async () => {
    const { root, dir, project } = await projectWithSprint();
    const path = join(dir, 'manifest.json');
    await skipTask(project, { stream: 'demo', by: 'me', taskId: 'a' });
    await rename(path, join(dir, 'kept'));
    await mkdir(path);
    await skipTask(project, { stream: 'demo', by: 'me', taskId: 'b' });
    await project.close();
    await rm(path, { recursive: true });
    await rename(join(dir, 'kept'), path);

    const behind = 'sprints/demo/manifest.json does not say what the log says';
    expect((await clifford(['status'], { cwd: root })).err).toBe(
      `note: ${behind}: the next decision here about the sprint writes it; what a worker has made of it comes with the branch that it pushed\n`,
    );
    expect((await clifford(['doctor'], { cwd: root })).out).toContain(behind);
    await clifford(['retry', 'a'], { cwd: root });
    expect((await clifford(['status'], { cwd: root })).err).toBe('');
  });
});
