import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { untilFile } from '../../helpers/until-file.ts';
import { calledProject, logged } from './support/called-project.ts';

const node = (script: string) => [process.execPath, '-e', script];

/** A project that calls by this program, what it has had said of it, and a question that it is to tell. */
async function calledBy(
  command: readonly string[],
  { env = {}, ...rules }: { env?: Record<string, string>; remind?: number } = {},
) {
  const { PATH = '' } = process.env;
  const called = await calledProject({
    notify: { channels: { mine: { via: 'command', command, after: 0, ...rules } } },
    env: { PATH, ...env },
  });
  const calling = await called.begin();
  return { ...called, ...calling };
}

/** Why it failed first, as the log has it. */
async function firstFailure({
  project,
}: Pick<Awaited<ReturnType<typeof calledBy>>, 'project'>): Promise<unknown> {
  await expect.poll(() => logged(project, 'notify.failed')).not.toEqual([]);
  return (await logged(project, 'notify.failed'))[0];
}

describe('a program that calls a human', () => {
  it('has it all on stdin, in its environment, and as whole arguments, and no shell reads it', async () => {
    const script =
      'const env = Object.entries(process.env).filter(([name]) => name.startsWith("CLIFFORD_NOTIFY_"));' +
      'const input = JSON.parse(require("fs").readFileSync(0, "utf8"));' +
      'require("fs").writeFileSync("new", JSON.stringify({ input, env: Object.fromEntries(env), args: process.argv.slice(1) }));' +
      'require("fs").renameSync("new", "seen")';
    const args = ['--', '{title}', '{text}', 'x {text}', '${HOME}'];
    const { asks, root, project } = await calledBy([...node(script), ...args], {
      env: { CLIFFORD_NOTIFY_LINK: 'old' },
    });
    await asks('q-1', { question: '-x $(touch bad) `touch bad`; "red"?', options: ['red', 'blue'] });
    const { input, env, args: given } = JSON.parse(await untilFile(join(root, 'seen')));
    const said = '-x $(touch bad) touch bad; "red"?';
    const all = `${said}\n\n1. red\n2. blue\n\nAnswer with: clifford answer q-1 "…"`;
    expect(input).toEqual({
      id: expect.any(String),
      kind: 'question',
      title: 'Clifford · Sprint demo: a asks',
      text: said,
      project: expect.any(String),
      sprint: 'demo',
      task: 'a',
      request: 'q-1',
      options: ['red', 'blue'],
      hint: 'Answer with: clifford answer q-1 "…"',
    });
    expect(env).toEqual({
      CLIFFORD_NOTIFY_KIND: 'question',
      CLIFFORD_NOTIFY_TITLE: input.title,
      CLIFFORD_NOTIFY_TEXT: all,
      CLIFFORD_NOTIFY_PROJECT: input.project,
      CLIFFORD_NOTIFY_SPRINT: 'demo',
      CLIFFORD_NOTIFY_TASK: 'a',
      CLIFFORD_NOTIFY_REQUEST: 'q-1',
      CLIFFORD_NOTIFY_LINK: '',
    });
    expect(given).toEqual([input.title, ` ${all}`, 'x {text}', '${HOME}']);
    await expect
      .poll(() => logged(project, 'notify.sent'))
      .toMatchObject([{ channel: 'mine', service: 'command', requests: ['q-1'] }]);
  });

  it('is given no more in an argument and a variable than the system takes', async () => {
    const counts =
      'const { length } = process.env.CLIFFORD_NOTIFY_TEXT;' +
      'require("fs").writeFileSync("new", JSON.stringify([length, process.argv[1].length]));' +
      'require("fs").renameSync("new", "seen")';
    const { asks, root } = await calledBy([...node(counts), '--', '{text}']);
    // 600 kB in UTF-8.
    const options = Array.from({ length: 1_000 }, (_, at) => `${at} ${'漢'.repeat(199)}`);
    await asks('q-1', { options });
    const [variable, argument] = JSON.parse(await untilFile(join(root, 'seen')));
    expect(variable).toBeGreaterThan(7_000);
    expect(variable).toBeLessThanOrEqual(8_000);
    expect(argument).toBe(variable);
  });

  it('may read nothing, and is run again for what still waits', async () => {
    const { asks, project } = await calledBy(['true'], { remind: 1 });
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent'), { timeout: 5_000 }).toHaveLength(2);
    expect(await logged(project, 'notify.failed')).toEqual([]);
  });

  it('that fails is run again, and is one event', async () => {
    const { asks, root, project } = await calledBy([
      'sh',
      '-c',
      'echo again >> tries; test $(wc -l < tries) = 3',
    ]);
    await asks('q-1');
    await expect.poll(() => logged(project, 'notify.sent')).toHaveLength(1);
    expect(await readFile(join(root, 'tries'), 'utf8')).toBe('again\n'.repeat(3));
    expect(await logged(project, 'notify.failed')).toHaveLength(1);
  });

  it.each([
    [
      'the last that it said',
      node('console.error("first\\nno \\u001b[2Jbus"); process.exit(3)'),
      /exit code 3: no bus$/,
    ],
    ['nothing that it said where that is empty', ['false'], /^false ended with exit code 1$/],
    [
      'no part of a secret that is cut',
      node('console.error(`sk-${"9".repeat(40)} ${"y".repeat(771)}`); process.exit(3)'),
      /exit code 3: y+…$/,
    ],
    [
      'no part of one that comes in two',
      node(
        'process.stderr.write("y".repeat(900) + "sk-99", () => process.stderr.write("9".repeat(40), () => process.exit(3)))',
      ),
      /exit code 3$/,
    ],
    [
      'that it is not there',
      ['./no-such-program'],
      /^\.\/no-such-program could not be started: there is no program \.\/no-such-program$/,
    ],
  ])('that fails has in the log %s', async (_what, command, why) => {
    const called = await calledBy(command);
    await called.asks('q-1');
    expect(await firstFailure(called)).toMatchObject({ service: 'command', why: expect.stringMatching(why) });
  });

  it('is ended with all it has started when nobody waits for it any more', async () => {
    const hanging = node(
      'process.on("SIGTERM", () => {});' +
        'const child = require("child_process").spawn("sleep", ["1000"], { stdio: "inherit" });' +
        'require("fs").writeFileSync("new", String(child.pid)); require("fs").renameSync("new", "pid"); setInterval(() => {}, 1000)',
    );
    const { asks, root, end } = await calledBy(hanging);
    await asks('q-1');
    const pid = Number(await untilFile(join(root, 'pid')));
    await end();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });
});
