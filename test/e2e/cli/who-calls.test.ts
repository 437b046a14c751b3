import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tryHold } from '../../../src/lib/files/kernel-lock.ts';
import { markProblem } from '../../../src/lib/processes/inherited-mark.ts';
import { hasProcessTable } from '../../../src/lib/processes/process-table.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { runnerLockPath } from '../../../src/workflow/project/runner-lock.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { approval } from '../../helpers/approval.ts';
import { cliFile, clifford } from '../../helpers/clifford-process.ts';
import { demoNotes } from '../../helpers/demo-notes.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { collectOutput } from '../../helpers/ended-process.ts';
import type { Ended } from '../../helpers/ended-process.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { untilFile } from '../../helpers/until-file.ts';

const shellOfAgent = { CLIFFORD_RUN_ID: 'run-1' };

async function call(project: Project): Promise<string> {
  return (await askApproval(project, { stream: 'demo', taskId: 'a', agent: { id: 'agent-1' }, approval })).id;
}

/** Starts a shell as a runner starts an agent: in a session of its own, its attempt in its environment. */
function startAgent(root: string, script: string, args: readonly string[], env: object = {}) {
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, cliFile, ...args], {
    cwd: root,
    env: {
      ...process.env,
      USER: 'ada',
      CI: '1',
      XDG_STATE_HOME: join(root, 'state'),
      ...shellOfAgent,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  return child;
}

function runInAgent(...start: Parameters<typeof startAgent>): Promise<Ended> {
  return collectOutput(startAgent(...start), undefined).ended;
}

describe.skipIf(!hasProcessTable)('a command of an agent that hides its attempt', () => {
  it('is known by the process it descends from', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const script = 'unset CLIFFORD_RUN_ID; "$@"; exit $?';
    const { code, err } = await runInAgent(root, script, ['approve', id]);
    expect({ code, err: err.split('\n')[0] }).toEqual({
      code: 1,
      err: `clifford: Cannot approve ${id}: this is a process of an agent (run run-1), and a human decides`,
    });
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
  });

  it('is known by the session it is in when the shell between them has ended', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const unmarked = 'env -u CLIFFORD_RUN_ID sh -c \'"$@" 2>err.tmp; mv err.tmp err\' sh "$@"';
    const agent = startAgent(root, `(${unmarked} &); read end`, ['approve', id]);
    expect(await untilFile(join(root, 'err'))).toContain('this is a process of an agent (run run-1)');
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    agent.stdin?.end();
  });
});

describeOnEachEngine('the agent of an editor', () => {
  const asks = ['ask', 'Which port?', '--wait', '0'];

  it('may ask, though it works on no task', async () => {
    const { root } = await projectWithSprint();
    const { code, err } = await clifford(asks, { cwd: root, env: { CLIFFORD_RUN_ID: 'editor-1' } });
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('The question stays open') });
  });

  it.skipIf(!hasProcessTable)('is not what an attempt makes itself by its variable', async () => {
    const { root } = await projectWithSprint();
    const { code, err } = await runInAgent(root, 'CLIFFORD_RUN_ID=editor-1 "$@"; exit $?', asks);
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('Cannot act for run run-1: no task has such an attempt'),
    });
  });
});

/** Whether processes can be put into a namespace of their own here. */
const canUnshare = spawnSync('unshare', ['-Urpf', '--mount-proc', 'true']).status === 0;

describe.skipIf(!hasProcessTable)('a command of an agent that goes far away', () => {
  it('is known through any number of shells', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const deep = join(root, 'deep.sh');
    await writeFile(
      deep,
      'n=$1; shift; if [ $n -gt 0 ]; then sh "$0" $((n-1)) "$@"; else "$@"; fi; code=$?; exit $code\n',
    );
    const script = `env -u CLIFFORD_RUN_ID setsid -w sh '${deep}' 70 "$@"; exit $?`;
    const { code, err } = await runInAgent(root, script, ['approve', id]);
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('this is a process of an agent (run run-1)'),
    });
  });

  it.skipIf(!canUnshare)('and sees nobody there is no human while a runner is at work', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const lock = tryHold(runnerLockPath(join(root, '.clifford'), 'demo'));
    const script = 'env -u CLIFFORD_RUN_ID setsid -w unshare -Urpf --mount-proc "$@"; exit $?';
    const { code, err } = await runInAgent(root, script, ['approve', id]);
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Cannot approve ${id}: an agent is at work outside of this container`),
    });
    // Another kind of lock on the same file makes nobody the runner.
    const stagehand = `env -u CLIFFORD_RUN_ID unshare -Urpf --mount-proc flock .clifford/locks/runner-demo.lock "$@"; exit $?`;
    const pretended = await runInAgent(root, stagehand, ['approve', id]);
    expect(pretended).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Cannot approve ${id}: an agent is at work outside of this container`),
    });
    lock?.release();
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    expect(await runInAgent(root, script, ['approve', id])).toMatchObject({ code: 0 });
  });
});

describe.skipIf(!hasProcessTable)('a command of the program that a runner has started', () => {
  /** Each agent of the sprint becomes the next of the scripts, with `$SKIP` for skipping the last task. */
  const agent = `n=1; while ! mkdir at-$n 2>/dev/null; do n=$((n+1)); done
[ -e $n.sh ] || exit
SKIP="$SKIP >$n.tmp 2>&1; mv $n.tmp $n.said" SAID=$n.said exec sh ./$n.sh`;

  /** Runs a sprint with a task for each script. Returns what skipping another one printed there, by script. */
  async function skipBy(scripts: Readonly<Record<string, string>>) {
    const [names, texts] = [Object.keys(scripts), Object.values(scripts)];
    const { root, project } = await projectWithSprint({ tasks: [...names.keys(), 'z'].map((n) => `t${n}`) });
    await writeFile(join(root, 'agent.sh'), agent);
    for (const [index, text] of texts.entries()) await writeFile(join(root, `${index + 1}.sh`), text);
    const SKIP = `'${process.execPath}' '${cliFile}' skip tz`;
    const env = { SKIP, XDG_STATE_HOME: join(root, 'state') };
    await clifford(['run', 'demo', '--plain', '--agent-cmd', 'sh agent.sh'], { cwd: root, env });
    const said = await Promise.all(
      names.map((_, index) => readFile(join(root, `${index + 1}.said`), 'utf8')),
    );
    const task = (await project.refresh()).streams.get('demo')?.tasks.get('tz');
    return {
      said: Object.fromEntries(names.map((name, index) => [name, said[index]])),
      isSkipped: task?.setAside !== undefined,
    };
  }

  /** The same of each of them. */
  const eachSays = (scripts: Readonly<Record<string, string>>, what: unknown) => ({
    said: Object.fromEntries(Object.keys(scripts).map((name) => [name, what])),
    isSkipped: false,
  });

  const wait = 'while [ ! -e "$SAID" ]; do sleep 0.1; done';
  // Who is root needs no namespace of users, and sees more of the others.
  const own = process.getuid?.() === 0 ? '-pf' : '-Urpf';

  it('is an agent’s, whatever that program becomes', async () => {
    const scripts = {
      'another program, without its environment': `if [ "$HIDDEN" ]; then eval "$SKIP"; else HIDDEN=1 exec env -u CLIFFORD_RUN_ID sh "$0"; fi`,
      'one with another environment': `exec perl -e '$0 = "x" x 200000; delete $ENV{CLIFFORD_RUN_ID}; system($ENV{SKIP})'`,
      'one that has ended, in its session': `if [ "$HIDDEN" ]; then (eval "$SKIP") & else HIDDEN=1 exec env -u CLIFFORD_RUN_ID sh "$0"; fi; ${wait}`,
      ...(canUnshare && {
        'one with the number of another in /proc': `env -u CLIFFORD_RUN_ID setsid -w unshare ${own} sh -c 'eval "$SKIP"'`,
      }),
    };
    const what = /^clifford: Cannot skip tz: this is a process of an agent \(run run-[0-9a-f-]+\)/;
    expect(await skipBy(scripts)).toEqual(eachSays(scripts, expect.stringMatching(what)));
  });

  it.skipIf(markProblem() !== undefined)('is an agent’s, however far away', async () => {
    const far = (skip: string) =>
      `env -i SKIP="$SKIP" FAR='(sleep 0.2; ${skip}) &' PATH="$PATH" XDG_STATE_HOME="$XDG_STATE_HOME" setsid sh -c 'eval "$FAR"'; ${wait}`;
    const scripts = {
      'has left its session and outlived its parents': far('eval "$SKIP"'),
      'has made itself a terminal there': far('script -qec "$SKIP" /dev/null'),
      'tries to lift the limit that marks it': far('ulimit -w unlimited; ulimit -w 7; eval "$SKIP"'),
    };
    const what =
      'Cannot skip tz: this is a process of an agent (its limit of file locks is set, as for all that Clifford starts';
    expect(await skipBy(scripts)).toEqual(eachSays(scripts, expect.stringContaining(what)));
  });

  it.skipIf(markProblem() !== undefined)('is an agent’s when its runner has ended, too', async () => {
    const far = '(while [ ! -e over ]; do sleep 0.1; done; eval "$SKIP") &';
    const { root, project } = await projectWithSprint();
    await writeFile(
      join(root, 'agent.sh'),
      `env -i SKIP="$SKIP" FAR='${far}' PATH="$PATH" XDG_STATE_HOME="$XDG_STATE_HOME" setsid sh -c 'eval "$FAR"'`,
    );
    const SKIP = `'${process.execPath}' '${cliFile}' skip b >said.tmp 2>&1; mv said.tmp said`;
    await clifford(['run', 'demo', '--plain', '--agent-cmd', 'sh agent.sh'], {
      cwd: root,
      env: { SKIP, XDG_STATE_HOME: join(root, 'state') },
    });
    await writeFile(join(root, 'over'), '');
    expect(await untilFile(join(root, 'said'))).toContain('Cannot skip b: this is a process of an agent');
    expect((await project.refresh()).streams.get('demo')?.tasks.get('b')?.setAside).toBeUndefined();
  });
});

describe.skipIf(!hasProcessTable)('a command of whoever started the runner, without a terminal', () => {
  it('is a human’s in the session of the runner, also when its leader has ended', async () => {
    const { root, project } = await projectWithSprint();
    const wait = 'while [ ! -e said ]; do sleep 0.1; done';
    await writeFile(join(root, 'agent.sh'), `touch at-work; ${wait}`);
    const script =
      'cli="$*"; ($cli run demo --plain --agent-cmd "sh agent.sh" >/dev/null 2>&1; touch ended) & ' +
      // Younger than the runner, and once the leader is gone: the session is all that it has.
      'while [ ! -e at-work ]; do sleep 0.1; done; ' +
      '(while kill -0 $$ 2>/dev/null; do sleep 0.1; done; $cli skip b >said.tmp 2>&1; mv said.tmp said) & exit 0';
    const leader = spawn('sh', ['-c', script, 'sh', process.execPath, cliFile], {
      cwd: root,
      env: { ...process.env, CI: '1', XDG_STATE_HOME: join(root, 'state') },
      stdio: 'ignore',
      detached: true,
    });
    await once(leader, 'exit');
    expect(await untilFile(join(root, 'said'))).toContain('skipped b');
    await untilFile(join(root, 'ended'));
    expect((await project.refresh()).streams.get('demo')?.tasks.get('b')?.setAside).toBeDefined();
  });

  it.skipIf(!canUnshare)(
    'is a human’s in a container whose session is from outside of it: the demo completes',
    async () => {
      const root = join(await tempRoot(), 'demo');
      const args = ['-Urpf', '--mount-proc', process.execPath, cliFile, 'demo', '--keep', root];
      const child = spawn('unshare', args, {
        cwd: '/',
        env: { ...process.env, CI: '1', CLIFFORD_DEMO_PACE_MS: '0' },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const { code, out, err } = await collectOutput(child, undefined).ended;
      expect({ code, err }).toEqual({ code: 0, err: demoNotes });
      expect(out).toContain('demo completed, 3 of 3 tasks done');
    },
  );
});

describeOnEachEngine('a command of an agent', () => {
  it.each([
    [['skip', 'a'], 'skip a'],
    [['retry', 'a'], 'retry a'],
    [['cancel', 'a'], 'cancel a'],
    [['cancel'], 'cancel a sprint'],
    [['resume'], 'resume a sprint'],
    [['mcp', 'trust', '--yes'], 'trust '],
  ])('decides nothing that is for a human: %j', async (args, what) => {
    const { root, project } = await projectWithSprint();
    await writeMcpJson(root, { servers: { fs: { command: 'true' } } });
    const env = { ...shellOfAgent, XDG_STATE_HOME: join(root, 'state') };
    const before = project.state.streams.get('demo')?.version;
    const { code, err } = await clifford(args, { cwd: root, env });
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^clifford: Cannot ${what}.*: this is the shell of an agent \\(run run-1\\)`),
    );
    expect((await project.refresh()).streams.get('demo')?.version).toBe(before);
  });

  it('that answers its own question is recorded as its own, and shown so', async () => {
    const { root, project } = await projectWithSprint();
    const agent = { id: 'run-1', runId: 'run-1' };
    const { id } = await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which port?' });
    expect(await clifford(['answer', id, '8080'], { cwd: root, env: shellOfAgent })).toMatchObject({
      code: 0,
    });
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({ by: 'agent:run-1', via: 'cli' });
    const { out } = await clifford(['questions', '--all'], { cwd: root });
    expect(out).toContain('answered by the agent that asked (run-1), no human, in the shell');
    const history = await clifford(['replay', 'adhoc'], { cwd: root });
    expect(history.out).toContain('an agent (run-1), no human, in the shell: 8080');
  });
});

describe.skipIf(!hasProcessTable)('CLIFFORD_TRUST_PROJECT=1 of an agent', () => {
  const list = ['mcp', 'list', '--json'];
  const sayTrusted = ({ out }: Ended) => JSON.parse(out).trusted;

  async function untrusted(): Promise<string> {
    const root = await tempRoot();
    await writeMcpJson(root, { servers: { fs: { command: 'true', disabled: true } } });
    return root;
  }

  it('trusts nothing where its shell says so', async () => {
    const env = { CLIFFORD_TRUST_PROJECT: '' };
    for (const script of [
      'CLIFFORD_TRUST_PROJECT=1 "$@"; exit $?',
      'unset CLIFFORD_RUN_ID; CLIFFORD_TRUST_PROJECT=1 "$@"; exit $?',
    ])
      expect(sayTrusted(await runInAgent(await untrusted(), script, list, env))).toBe(false);
  });

  it.skipIf(!canUnshare)('nor where no runner can be seen', async () => {
    const root = await untrusted();
    const lock = tryHold(runnerLockPath(join(root, '.clifford'), 'demo'));
    onTestFinished(() => lock?.release());
    const script =
      'env -u CLIFFORD_RUN_ID CLIFFORD_TRUST_PROJECT=1 setsid -w unshare -Urpf --mount-proc "$@"; exit $?';
    const env = { CLIFFORD_TRUST_PROJECT: '' };
    expect(sayTrusted(await runInAgent(root, script, list, env))).toBe(false);
  });

  it('trusts where its runner has it from a person', async () => {
    const env = { CLIFFORD_TRUST_PROJECT: '1' };
    expect(sayTrusted(await runInAgent(await untrusted(), '"$@"; exit $?', list, env))).toBe(true);
  });
});
