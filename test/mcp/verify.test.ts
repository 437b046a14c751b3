import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { hasProcessTable } from '../../src/lib/processes/process-table.ts';
import { allGone } from '../../src/lib/processes/terminate.ts';
import { CHECKS_VARIABLE, packChecks } from '../../src/workflow/verify/attempt-checks.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { untilFile } from '../helpers/until-file.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';
import { eventsOf, untilLogged } from './support/project-log.ts';
import { startAttempt } from './support/start-attempt.ts';

const completed = { sprintDir: 'sprints/demo', taskId: 'a', status: 'completed' };
const node = JSON.stringify(process.execPath);
const script = (code: string) => `${node} -e '${code}'`;
/** Adds a line to the file `runs` of the project. */
const note = (what: string) => `sh -c 'echo ${what} >>runs'`;
/** Runs until there is a file `go`. */
const untilGo = `sh -c 'while [ ! -e go ]; do sleep 0.02; done'`;
/** Says its pid in the file `pid`, and stays, with a child that does not listen to SIGTERM. */
const stay = script(
  'const c = child_process.spawn(process.execPath, ["-e", "process.on(`SIGTERM`, () => {}); setInterval(() => {}, 6e4); fs.writeFileSync(`pid.tmp`, process.ppid + ` ` + process.pid); fs.renameSync(`pid.tmp`, `pid`)"], {stdio: "inherit"}); setInterval(() => {}, 6e4)',
);

/** A project whose task `a` is active, with an agent and these commands. */
async function verified(verify: string[], manifest: object = {}) {
  const made = await projectWithSprint({ manifest });
  await writeFile(join(made.root, 'clifford.json'), JSON.stringify({ verify }));
  const agent = await connectAgent(made.root);
  await agent.call('update_task_status', { ...completed, status: 'active' });
  return { ...made, ...agent };
}

const stateOf = async (project: Project) =>
  nameOf((await project.refresh()).streams.get('demo')?.tasks.get('a')?.machine.value ?? '');
const runsOf = (root: string) => readFile(join(root, 'runs'), 'utf8');

describe('a task of an attempt whose checks are fixed', () => {
  const fixed = packChecks({ commands: ['true'], areOwn: true });

  /** An agent of that attempt; `checks` is what its environment says. */
  async function attempted(checks: string) {
    const made = await underWay(['false']);
    const env = { CLIFFORD_RUN_ID: 'run-1', [CHECKS_VARIABLE]: checks };
    return { ...made, ...(await connectAgent(made.root, { env })) };
  }

  /** A project in whose manifest the commands are others by now. */
  async function underWay(verify: string[]) {
    const made = await projectWithSprint({ manifest: { verify } });
    await startAttempt(made.project, 'a', 'run-1', fixed.digest);
    return made;
  }

  it('is verified by those, whatever the files say by now', async () => {
    const { project, text } = await attempted(fixed.text);
    expect(await text('update_task_status', completed)).toBe('Task a is completed');
    expect((await eventsOf(project, 'verify.returned')).map(({ data }) => data.command)).toEqual(['true']);
  });

  it.each([
    ['others', packChecks({ commands: [], areOwn: false }).text],
    ['nothing', ''],
  ])('is not completed where its environment says %s: nothing is run', async (_what, checks) => {
    const { project, call } = await attempted(checks);
    expect(textOf(await call('update_task_status', completed))).toMatch(
      /^Cannot complete task a: the commands that verify it have changed since its attempt began/,
    );
    expect(await eventsOf(project, 'verify.returned')).toEqual([]);
    expect(await stateOf(project)).toBe('active.working');
  });

  it('is held to them by whoever says that it is completed', async () => {
    const { root, project } = await underWay([]);
    const { call } = await connectAgent(root);
    expect(textOf(await call('update_task_status', completed))).toMatch(
      /^Cannot complete task a: the commands that verify it have changed since its attempt began/,
    );
    expect(await stateOf(project)).toBe('active.starting');
  });

  it('is not completed by what verified an attempt before it', async () => {
    const { root, project } = await projectWithSprint();
    execFileSync('mkfifo', [join(root, 'gate')]);
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ verify: ['cat gate'] }));
    const { call } = await connectAgent(root);
    await call('update_task_status', { ...completed, status: 'active' });
    const saying = call('update_task_status', completed);
    // Opened when the command reads.
    const gate = await open(join(root, 'gate'), 'w');
    await startAttempt(project, 'a', 'run-1', fixed.digest);
    await gate.close();
    expect(textOf(await saying)).toMatch(
      /^Cannot complete task a: the commands that verify it have changed since its attempt began/,
    );
    expect(await stateOf(project)).toBe('active.starting');
  });

  it.skipIf(!hasProcessTable)(
    'is not completed by a server that its agent starts with an empty environment',
    async () => {
      const { root, project } = await underWay([]);
      const script = 'env -i "PATH=$PATH" "$@"; exit $?';
      const { call } = await startServer(root, {
        env: { CLIFFORD_RUN_ID: 'run-1' },
        node: 'sh',
        before: ['-c', script, 'sh', process.execPath],
      }).connect();
      expect(textOf(await call('update_task_status', completed))).toMatch(/^Cannot complete task a: /);
      const [connected] = await eventsOf(project, 'agent.connected');
      expect(connected?.data).toMatchObject({ runId: 'run-1' });
      expect(await stateOf(project)).toBe('active.working');
    },
  );
});

describe('a task with verify commands', () => {
  it('is completed when they succeed, one after the other; each is recorded', async () => {
    const { root, project, text } = await verified([note('first'), note('second'), script('console.log(1)')]);
    expect(await text('update_task_status', completed)).toBe('Task a is completed');
    expect(await runsOf(root)).toBe('first\nsecond\n');
    const [first, , third] = await eventsOf(project, 'verify.returned');
    expect(first).toMatchObject({ subject: 'demo/a', data: { command: note('first'), code: 0, output: '' } });
    expect(third?.data.output).toBe('1');

    await text('update_task_status', completed);
    expect(await eventsOf(project, 'verify.returned')).toHaveLength(3);
  });

  it('stays active when one fails; its agent reads which, and the end of its output', async () => {
    const wrong = script('console.log("\\u001b[31mred\\u001b[0m"); console.error("no"); process.exit(3)');
    const { root, project, call } = await verified([note('first'), wrong, note('never')]);
    const result = await call('update_task_status', completed);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^Cannot complete task a: `[^`]+` ended with exit code 3\. Fix it and complete the task again\. The end of its output:\n(red\nno|no\nred)$/,
    );
    expect(await runsOf(root)).toBe('first\n');
    expect(await stateOf(project)).toBe('active.working');
    expect((await eventsOf(project, 'verify.returned')).map(({ data }) => data.code)).toEqual([0, 3]);

    await writeFile(join(root, 'clifford.json'), '{}');
    expect(textOf(await call('update_task_status', completed))).toBe('Task a is completed');
  });

  it('tells and keeps the end of a long output, without secrets', async () => {
    const long = script(
      'process.stdout.write("x".repeat(1e6) + "y".repeat(7e3) + process.env.SECRET_TOKEN + "\\u00fc", () => process.exit(1))',
    );
    const { project, root } = await verified([long]);
    const server = startServer(root, { env: { SECRET_TOKEN: 'hunter2-hunter2' } });
    const { call } = await server.connect();
    const text = textOf(await call('update_task_status', completed));
    expect(text).toMatch(/x{900,}y{7000}\[redacted:SECRET_TOKEN\]ü$/);
    const [event] = await eventsOf(project, 'verify.returned');
    expect(event?.data.output).toHaveLength(8_000);
  });

  it.each([
    [
      'no-such-program --at-all',
      / could not be started: no-such-program is not on the PATH.* It printed nothing$/,
    ],
    ['sh -c "kill -9 $$"', /^Cannot complete task a: `[^`]+` was ended by SIGKILL\. .* It printed nothing$/],
  ])('stays active when %j does not end by itself', async (command, message) => {
    const { call, project } = await verified([command]);
    expect(textOf(await call('update_task_status', completed))).toMatch(message);
    const [event] = await eventsOf(project, 'verify.returned');
    expect(event?.data).toMatchObject({ command, code: null });
  });

  it('takes them as commands, not as lines of a shell', async () => {
    const { call, project } = await verified(['echo a && exit 1']);
    expect(textOf(await call('update_task_status', completed))).toBe('Task a is completed');
    const [event] = await eventsOf(project, 'verify.returned');
    expect(event?.data).toMatchObject({ code: 0, output: 'a && exit 1' });
  });

  it('has those of its own entry in the manifest, else of its sprint, else of the configuration', async () => {
    const tasks = [
      { id: 'a', file: 'a.md', verify: [note('task')] },
      { id: 'b', file: 'b.md' },
    ];
    const { root, call } = await verified([note('project')], { tasks, verify: [note('sprint')] });
    await call('update_task_status', completed);
    await call('update_task_status', { ...completed, taskId: 'b', status: 'active' });
    await call('update_task_status', { ...completed, taskId: 'b' });
    expect(await runsOf(root)).toBe('task\nsprint\n');
  });

  it('that may not be completed is refused before anything is run', async () => {
    const { root, call } = await verified([note('never')]);
    const result = await call('update_task_status', { ...completed, taskId: 'b' });
    expect(textOf(result)).toMatch(/^Cannot complete task b: it is pending/);
    expect(existsSync(join(root, 'runs'))).toBe(false);
  });

  it('is verified once when two calls say at the same time that it is completed', async () => {
    const { root, text, project } = await verified([note('begin'), note('end')]);
    const both = await Promise.all([
      text('update_task_status', completed),
      text('update_task_status', completed),
    ]);
    expect(both).toEqual(['Task a is completed', 'Task a is completed']);
    expect(await runsOf(root)).toBe('begin\nend\n');
    expect(await eventsOf(project, 'task.completed')).toHaveLength(1);
  });

  it('leaves nothing of a command behind when the call is cancelled, or its output stays open', async () => {
    const { root, project, call } = await verified([stay]);
    const [cancel, other] = [new AbortController(), new AbortController()];
    const lost = call('update_task_status', completed, cancel.signal);
    const lostToo = call('update_task_status', completed, other.signal);
    const pids = (await untilFile(join(root, 'pid'))).split(' ').map(Number);
    cancel.abort('enough');
    await expect(lost).rejects.toThrow('enough');
    expect(await allGone(pids, 0)).toBe(false);
    other.abort('enough');
    await expect(lostToo).rejects.toThrow('enough');
    expect(await allGone(pids, 15_000)).toBe(true);
    expect(await stateOf(project)).toBe('active.working');

    await rm(join(root, 'pid'));
    const daemon = stay.replace(
      "setInterval(() => {}, 6e4)'",
      "c.unref(); setInterval(() => fs.existsSync(`pid`) && process.exit(0), 20)'",
    );
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ verify: [daemon] }));
    expect(textOf(await call('update_task_status', completed))).toBe('Task a is completed');
    expect(await allGone((await untilFile(join(root, 'pid'))).split(' ').map(Number), 15_000)).toBe(true);
  });

  it('answers before the limit of its client, goes on, and is completed by a later call', async () => {
    const { root, project } = await verified([note('begin'), untilGo]);
    const { text } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '300' } });
    expect(await text('update_task_status', completed)).toBe(
      'Task a is not completed yet: the commands that verify it still run. Call update_task_status again ' +
        'with the same arguments to wait for them; change nothing before that',
    );
    await writeFile(join(root, 'go'), '');
    while ((await text('update_task_status', completed)) !== 'Task a is completed');
    expect(await runsOf(root)).toBe('begin\n');
    expect(await eventsOf(project, 'verify.returned')).toHaveLength(2);
  });

  it('is verified anew by an agent that calls again after minutes, in which it may have changed anything', async () => {
    const { root, project } = await verified([
      note('begin'),
      script('setInterval(() => fs.existsSync("go") && process.exit(fs.existsSync("bad") ? 1 : 0), 20)'),
    ]);
    const { text } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '300' } });
    expect(await text('update_task_status', completed)).toContain('not completed yet');
    await writeFile(join(root, 'go'), '');
    await untilLogged(project, 'verify.returned', 2);
    // A call that is recorded after the end of the commands: the server knows of that, too.
    await text('get_sprint_context', { sprintDir: 'sprints/demo' });

    await writeFile(join(root, 'bad'), '');
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10 * 60_000);
    let reply: string;
    do reply = await text('update_task_status', completed);
    while (reply.includes('not completed yet'));
    expect(reply).toContain('ended with exit code 1');
    expect(await runsOf(root)).toBe('begin\nbegin\n');
  });

  it('knows the attempt by its environment: what a server that was killed leaves can be found', async () => {
    const { root, project } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    const verify = [script('console.log(process.env.CLIFFORD_RUN_ID)')];
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ verify }));
    const server = startServer(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    const { call } = await server.connect();
    expect(textOf(await call('update_task_status', completed))).toBe('Task a is completed');
    const [event] = await eventsOf(project, 'verify.returned');
    expect(event?.data.output).toBe('run-1');
    await server.exitAfter(() => server.child.stdin.end());
  });

  it('tells its client that it is alive', async () => {
    const { root } = await verified([untilGo]);
    const { client } = await connectAgent(root, { env: { CLIFFORD_PROGRESS_MS: '20' } });
    const { promise, resolve } = Promise.withResolvers<string>();
    const call = client.callTool({ name: 'update_task_status', arguments: completed }, undefined, {
      onprogress: ({ progress, message }) => progress > 1 && resolve(message ?? ''),
    });
    expect(await promise).toMatch(/^verifying task a \d+ s$/);
    await writeFile(join(root, 'go'), '');
    expect((await call).isError).toBeFalsy();
  });

  it('that still runs between two calls is ended when its agent goes', async () => {
    const { root } = await verified([stay]);
    const { text, server } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '300' } });
    expect(await text('update_task_status', completed)).toContain('not completed yet');
    const pids = (await untilFile(join(root, 'pid'))).split(' ').map(Number);
    await server.stop();
    expect(await allGone(pids, 15_000)).toBe(true);
  });

  it('leaves nothing of a command behind when the agent goes', async () => {
    const { root } = await verified([stay]);
    const server = startServer(root);
    const { call } = await server.connect();
    const lost = call('update_task_status', completed).catch(() => 'lost');
    const pids = (await untilFile(join(root, 'pid'))).split(' ').map(Number);
    await server.exitAfter(() => server.child.stdin.end());
    expect(await lost).toBe('lost');
    expect(await allGone(pids, 15_000)).toBe(true);
  });
});

describe('a task whose commands were run before the work, too', () => {
  const [good, bad] = ['true', `sh -c 'echo no; exit 1'`];
  const excuse = 'it failed before this task began, too: not counted against it';

  /** These commands ended with these codes before; what they end with now is in them. */
  async function compared(before: Record<string, number | null>, manifest: object = {}) {
    const made = await verified(Object.keys(before), manifest);
    const facts = Object.entries(before).map(([command, code]) => ({
      type: 'verify.returned' as const,
      subject: 'demo/a',
      data: { command, code, durationMs: 1, output: '', baseline: true as const },
    }));
    await made.project.record('demo', facts);
    const verdicts = async () =>
      (await eventsOf(made.project, 'verify.returned'))
        .filter(({ data }) => !data.baseline)
        .map(({ data }) => data.verdict);
    return { ...made, verdicts };
  }

  it('is completed when nothing became worse, and each verdict is recorded', async () => {
    const fixed = script('1');
    const { text, verdicts } = await compared({ [good]: 0, [fixed]: 1 });
    expect(await text('update_task_status', completed)).toBe('Task a is completed');
    expect(await verdicts()).toEqual(['clean', 'fixed']);
  });

  it('is refused when one became worse, and its agent reads that it was fine', async () => {
    const { project, call, verdicts } = await compared({ [bad]: 0 });
    const result = await call('update_task_status', completed);
    expect(textOf(result)).toBe(
      `Cannot complete task a: \`${bad}\` ended with exit code 1; it succeeded before this task. ` +
        'Fix it and complete the task again. The end of its output:\nno',
    );
    expect(await verdicts()).toEqual(['regressed']);
    expect(await stateOf(project)).toBe('active.working');
  });

  it.each([1, null])('is completed when one failed before, too (with %s); the others count', async (code) => {
    const { root, project, text, verdicts } = await compared({ [bad]: code, [note('next')]: 0 });
    expect(await text('update_task_status', completed)).toBe(
      `Task a is completed. \`${bad}\` ended with exit code 1; ${excuse}`,
    );
    expect(await verdicts()).toEqual(['broken-before', 'clean']);
    expect(await runsOf(root)).toBe('next\n');
    expect((await project.refresh()).streams.get('demo')?.tasks.get('a')?.checks).toEqual([
      { command: bad, code: 1, verdict: 'broken-before' },
      { command: note('next'), code: 0, verdict: 'clean' },
    ]);
  });

  it('is refused all the same when the command stands in its own entry: that is its work', async () => {
    const tasks = [{ id: 'a', file: 'a.md', verify: [bad] }];
    const { call, verdicts } = await compared({ [bad]: 1 }, { tasks });
    const result = await call('update_task_status', completed);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('it failed before this task, too, and has to succeed');
    expect(await verdicts()).toEqual(['broken-before']);
  });

  it('says nothing of a command that was not run before: its failure counts', async () => {
    const { root, call, verdicts } = await compared({ [good]: 0 });
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ verify: [bad] }));
    expect(textOf(await call('update_task_status', completed))).toMatch(/ended with exit code 1\. Fix it/);
    expect(await verdicts()).toEqual([undefined]);
  });
});
