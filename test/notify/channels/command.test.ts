import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { command } from '../../../src/notify/channels/command.ts';
import type { Notice } from '../../../src/notify/notice.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { untilFile } from '../../helpers/until-file.ts';

const notice: Notice = {
  kind: 'question',
  title: 'Clifford · demo: a asks',
  text: '-x $(touch bad) `touch bad`; "red"?',
  sprint: 'demo',
  task: 'a',
  request: 'q-1',
  open: 2,
};

/** Calls a human by this program. */
async function callBy(
  argv: readonly string[],
  {
    signal = new AbortController().signal,
    root,
    about = notice,
  }: { signal?: AbortSignal; root?: string; about?: Notice } = {},
) {
  const { notify } = configSchema.parse({ notify: { command: argv } });
  const opened = command.open(notify, { terminal: undefined, env: {}, root: root ?? (await tempRoot()) });
  if ('off' in opened) throw new Error(opened.off);
  return opened.call?.(about, signal);
}

const node = (script: string) => [process.execPath, '-e', script];

describe('the program that calls a human', () => {
  it('has it all on stdin, in its environment, and as whole arguments, and no shell reads it', async () => {
    const root = await tempRoot();
    const script =
      'const env = Object.entries(process.env).filter(([name]) => name.startsWith("CLIFFORD_NOTIFY_"));' +
      'const input = JSON.parse(require("fs").readFileSync(0, "utf8"));' +
      'require("fs").writeFileSync("seen", JSON.stringify({ input, env: Object.fromEntries(env), args: process.argv.slice(1) }))';
    const args = ['--', '{title}', '{text}', 'x {text}'];
    expect(await callBy([...node(script), ...args], { root })).toEqual({
      done: `${process.execPath} ended with exit code 0`,
    });
    expect(JSON.parse(await readFile(join(root, 'seen'), 'utf8'))).toEqual({
      input: notice,
      env: {
        CLIFFORD_NOTIFY_KIND: 'question',
        CLIFFORD_NOTIFY_TITLE: notice.title,
        CLIFFORD_NOTIFY_TEXT: notice.text,
        CLIFFORD_NOTIFY_SPRINT: 'demo',
        CLIFFORD_NOTIFY_TASK: 'a',
        CLIFFORD_NOTIFY_REQUEST: 'q-1',
        CLIFFORD_NOTIFY_OPEN: '2',
      },
      args: [notice.title, ` ${notice.text}`, 'x {text}'],
    });
  });

  it('may read nothing, and fails in words', async () => {
    expect(await callBy(['true'])).toEqual({ done: 'true ended with exit code 0' });
    vi.stubEnv('CLIFFORD_NOTIFY_TASK', 'old');
    const { task: _task, ...about } = notice;
    const saysTask = await callBy(['sh', '-c', 'echo "task <$CLIFFORD_NOTIFY_TASK>"; exit 1'], { about });
    expect(saysTask).toEqual({ problem: 'notify.command (sh) ended with exit code 1: task <>' });
    const failing = node('console.error("first\\nno \\u001b[2Jbus"); process.exit(3)');
    expect(await callBy(failing)).toEqual({
      problem: `notify.command (${process.execPath}) ended with exit code 3: no bus`,
    });
    // A secret that its beginning is cut off looks like none.
    const secret = node('console.error(`sk-${"9".repeat(40)} ${"y".repeat(771)}`); process.exit(3)');
    expect(await callBy(secret)).toEqual({
      problem: expect.stringMatching(/ended with exit code 3: y+…$/),
    });
    const inParts = node(
      'process.stderr.write("y".repeat(900) + "sk-99", () => process.stderr.write("9".repeat(40), () => process.exit(3)))',
    );
    expect(await callBy(inParts)).toEqual({
      problem: `notify.command (${process.execPath}) ended with exit code 3`,
    });
    expect(await callBy(['./no-such-program'])).toEqual({
      problem: expect.stringMatching(
        /^notify\.command \(\.\/no-such-program\) could not be started: .*ENOENT/,
      ),
    });
  });

  it('is ended with all it has started when nobody waits for it any more', async () => {
    const root = await tempRoot();
    const over = new AbortController();
    const hanging = node(
      'process.on("SIGTERM", () => {});' +
        'const child = require("child_process").spawn("sleep", ["1000"], { stdio: "inherit" });' +
        'require("fs").writeFileSync("new", String(child.pid)); require("fs").renameSync("new", "pid"); setInterval(() => {}, 1000)',
    );
    const called = callBy(hanging, { signal: over.signal, root });
    const pid = Number(await untilFile(join(root, 'pid')));
    over.abort();
    expect(await called).toEqual({ problem: expect.stringContaining('was ended by SIGKILL') });
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });
});
