import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { relayLines } from '../../../src/runner/editor/relay-lines.ts';
import { allGone } from '../../../src/lib/processes/terminate.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { untilFile } from '../../helpers/until-file.ts';
import { editorSide, openRequest, permission, type EditorSide } from '../support/editor-side.ts';

/** An agent that does not go when its stdin ends, with a child in its group and one that has left it. */
async function stubborn(root: string): Promise<readonly string[]> {
  const script =
    'sleep 1000 & setsid sleep 1001 & printf "%s\\n" "$0"; echo $! > pids.tmp; mv pids.tmp pids; cat; while :; do wait; done';
  await writeFile(join(root, 'agent.sh'), script);
  return ['sh', '-c', script, JSON.stringify(permission(1, 'npm test'))];
}

async function gone({ root, pid }: EditorSide): Promise<boolean> {
  return allGone(
    (await processesOf(root, '')).filter((each) => each !== pid),
    10_000,
  );
}

// Processes and pipes: no log has a say in them. What an editor's agent asks, and who answers first, is in e2e/editor-race.test.ts, with either log.
describe('the end of clifford acp', () => {
  it('comes with the end of its stdin, and leaves no process', async () => {
    const root = await tempRoot();
    const editor = await editorSide(await stubborn(root), { root });
    await editor.prompt();
    await untilFile(join(root, 'pids'));
    editor.leave();
    expect(await editor.ended).toEqual({ code: 0, signal: null, err: '' });
    expect(await processesOf(root, '')).toEqual([]);
    const project = await editor.project();
    expect(requestById(project.state, await openRequest(project))?.detached).toHaveLength(1);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('comes with %s', async (signal) => {
    const root = await tempRoot();
    const editor = await editorSide(await stubborn(root), { root });
    await editor.prompt();
    editor.child.kill(signal);
    expect(await editor.ended).toEqual({ code: 130, signal: null, err: '' });
    expect(await processesOf(root, '')).toEqual([]);
  });

  it('comes with that of the agent, whose code it tells', async () => {
    const editor = await editorSide([
      'sh',
      '-c',
      'printf "%s\\n" "$0"; read -r id; exit 7',
      JSON.stringify(permission(1, 'x')),
    ]);
    await editor.prompt();
    editor.say({});
    expect(await editor.ended).toEqual({
      code: 1,
      signal: null,
      err: 'clifford acp: sh ended with exit code 7\n',
    });
    const project = await editor.project();
    expect(requestById(project.state, await openRequest(project))?.detached).toHaveLength(1);
  });

  it('passes on what the agent says last', async () => {
    const editor = await editorSide(['sh', '-c', 'echo \'{"id":1,"result":{}}\'; printf tail']);
    expect((await editor.ended).code).toBe(0);
    expect(editor.bytes().toString('utf8')).toBe('{"id":1,"result":{}}\ntail');
  });

  it('comes when the editor reads no more', async () => {
    const editor = await editorSide(['sh', '-c', 'while echo "{}"; do :; done']);
    await once(editor.child.stdout, 'data');
    editor.child.stdout.destroy();
    expect((await editor.ended).code).toBe(0);
    expect(await processesOf(editor.root, '')).toEqual([]);
  });

  it('by force ends the agent all the same', async () => {
    const editor = await editorSide(['sh', '-c', 'trap "" HUP; echo "{}"; while :; do sleep 1000; done']);
    await once(editor.child.stdout, 'data');
    editor.child.kill('SIGKILL');
    await editor.ended;
    expect(await gone(editor)).toBe(true);
  });

  it.each([
    {
      what: 'a program that is not there',
      args: ['--', 'no-such-agent', 'acp'],
      code: 2,
      says: 'Cannot start agent no-such-agent: it is not on the PATH',
    },
    {
      what: 'an option of the agent in front of --',
      args: ['gemini', '--acp'],
      code: 2,
      says: "Cannot start an agent: unknown option '--acp'",
    },
    {
      what: 'a name that is none',
      args: ['--name', 'a b', '--', 'cat'],
      code: 2,
      says: 'it has 1 to 64 letters',
    },
  ])('comes at once, in one line and what to do, with $what', async ({ args, code, says }) => {
    const ended = await clifford(['acp', ...args], { cwd: await tempRoot() });
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(says);
    expect(ended.err.trim().split('\n')).toHaveLength(2);
  });
});

describe('relayLines', () => {
  it('reads no more than a receiver takes', async () => {
    const from = new PassThrough({ highWaterMark: 1_000 });
    let [sent, taken] = [0, 0];
    const release: (() => void)[] = [];
    const to = new Writable({
      highWaterMark: 1_000,
      write: (chunk: Buffer, _encoding, done) => {
        taken += chunk.length;
        release.push(done);
      },
    });
    const over = relayLines({ from, to, onLine: (line) => line, maxBytes: 10_000 });
    while (from.write('x'.repeat(99) + '\n')) sent += 100;
    await once(from, 'drain');
    while (from.write('x'.repeat(99) + '\n')) sent += 100;
    expect(taken).toBeLessThanOrEqual(1_100);
    expect(sent).toBeLessThanOrEqual(4_000);
    from.end();
    const free = setInterval(() => release.shift()?.(), 1);
    expect(await over).toBe('ended');
    clearInterval(free);
  });

  it('ends with a line that is too long', async () => {
    const from = new PassThrough();
    from.write('x'.repeat(60));
    from.write('x'.repeat(60));
    const to = new PassThrough();
    expect(await relayLines({ from, to, onLine: (line) => line, maxBytes: 100 })).toBe('too long');
    expect(to.readableLength).toBe(0);
  });

  it('ends when nobody takes what comes', async () => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    to.destroy();
    from.write('{}\n');
    expect(await relayLines({ from, to, onLine: (line) => line, maxBytes: 100 })).toBe('refused');
  });
});
