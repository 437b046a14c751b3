import { expect, it, onTestFinished, vi } from 'vitest';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { agentCmd, freshSprint } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';
import { readSignals } from '../../helpers/terminal-signals.ts';

const escape = '\u001B';
const begun = `${escape}[200~`;

/** Runs a command as often as Enter is pressed, and says how it ended, and whether the terminal is as it was before. */
const shell = `
  before=$(stty -a)
  while read -r _; do
    (echo "pid $BASHPID"; exec "$@")
    code=$?
    [ "$(stty -a)" = "$before" ] && echo "as it was, $code" || stty -a
  done`;

/** So many cells, whatever the terminal of the tests is. */
const size = { columns: 100, rows: 30 };

/** With `SIGUSR2` the program has a fault. */
const breaking = `data:text/javascript,process.on('SIGUSR2', () => { throw new Error('a fault'); })`;

it('a terminal is as it was after a screen that was left, told to end, or broke, and takes long pastes and new sizes before', async () => {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  const agent = { id: 'session-1', client: 'opencode' };
  const { id } = await ask(project, { stream, agent, kind: 'help', question: 'Which port?' });
  const args = [process.execPath, '--import', breaking, cliFile, 'attach'];
  const screen = openPty('/bin/bash', ['-c', shell, 'bash', ...args], {
    cwd: root,
    ...size,
    env: { TERM_PROGRAM: 'ghostty', TMUX: '', KITTY_WINDOW_ID: '' },
  });
  onTestFinished(screen.kill);
  let lives = 0;
  /** Opens the screen, and returns its process. */
  const open = async (): Promise<number> => {
    lives += 1;
    screen.press('\r');
    await screen.see(/Which (?:port|host)\?/);
    await screen.see(/Enter answer|i answer/);
    return Number([...screen.bytes().matchAll(/pid (\d+)/g)].at(-1)?.[1]);
  };
  const isLeft = async (code: number | string) => {
    await vi.waitFor(() => expect(screen.bytes().match(/(?:as it was, \d+|speed .*)/g)).toHaveLength(lives), {
      timeout: 30_000,
    });
    expect(
      screen
        .bytes()
        .match(/(?:as it was, \d+|speed .*)/g)
        ?.at(-1),
    ).toMatch(new RegExp(`as it was, ${code}$`));
    expect(modesLeftOn(screen.bytes())).toEqual([]);
    await vi.waitFor(() => expect(screen.buffer()).toBe('normal'));
    const { titles, progress } = await readSignals(screen.bytes());
    expect([titles.at(-1), progress.at(-1)?.slice(0, 1) ?? '0']).toEqual(['shell', '0']);
  };

  // What is typed and pasted is there whatever becomes of the size, and arrives whole.
  await open();
  screen.press('a');
  await screen.see('> a');
  for (const [columns, rows] of [
    [50, 14],
    [140, 40],
    [100, 30],
  ] as const) {
    screen.resize(columns, rows);
    screen.press('b');
    await vi.waitFor(
      () => {
        expect(screen.lines().filter((line) => line.startsWith('╭')).length).toBeLessThan(2);
        expect(screen.lines().at(-1)).toContain('Enter answer');
        expect(screen.lines().join('\n')).toMatch(/> ab/);
      },
      { timeout: 20_000, interval: 20 },
    );
  }
  await screen.see('> abbb');
  const text = Array.from({ length: 5_000 }, (_, at) => (at % 50 === 49 ? '\n' : String(at % 10))).join('');
  screen.press(`${begun}${text}${escape}[201~`);
  await screen.see('pasted]');
  screen.press('\r');
  await screen.see('Answered');
  const { requests } = (await project.refresh()).streams.get(stream) ?? {};
  expect(requests?.get(id)?.answer?.response).toBe(`abbb${text}`);
  screen.press('q');
  await isLeft(0);

  await ask(project, { stream, agent, kind: 'help', question: 'Which host?' });
  await open();
  screen.press('\u0003');
  await isLeft(0);

  process.kill(await open(), 'SIGTERM');
  await isLeft('(?:143|130|0)');

  process.kill(await open(), 'SIGQUIT');
  await isLeft(131);

  // A paste that never ends keeps nobody.
  await open();
  screen.press(`${begun}half`);
  await screen.see('> half');
  screen.press('\u0003');
  await screen.lose('> half');
  screen.press('\u0003');
  await isLeft(0);

  process.kill(await open(), 'SIGUSR2');
  await isLeft(1);
  expect(screen.lines().join('\n')).toContain('a fault');
  expect(openRequests(project.state)).toHaveLength(1);
});

it('a screen whose shell was killed ends, and its agents with it', async () => {
  const { root, project } = await freshSprint();
  const args = [process.execPath, cliFile, 'run', '--agent-cmd', agentCmd('hang-first')];
  const shellOnly = 'set -m; (echo "pid $BASHPID"; exec "$@"); echo over';
  const screen = openPty('/bin/bash', ['-c', shellOnly, 'bash', ...args], { cwd: root, ...size });
  onTestFinished(screen.kill);
  await screen.see(/ready \d+/);
  const pid = Number(/pid (\d+)/.exec(screen.bytes())?.[1]);
  const agent = Number(/ready (\d+)/.exec(screen.lines().join('\n'))?.[1]);
  screen.kill();
  await vi.waitFor(() => expect([pid, agent].map(isAlive)).toEqual([false, false]), { timeout: 20_000 });
  const { runner } = (await project.refresh()).streams.get('demo') ?? {};
  expect(runner?.left?.reason).toBe('SIGHUP');
});

it('a screen whose shell was killed inside of another one ends, and leaves that the terminal', async () => {
  const { root, project } = await freshSprint();
  const args = [process.execPath, cliFile, 'run', '--agent-cmd', agentCmd('hang-first')];
  const inner = 'set -m; echo "inner $$"; (echo "pid $BASHPID"; exec "$@"); echo never';
  const outer =
    'set -m; bash -c "$0" bash "$@"; echo back; read -r line; stty -a; echo "read $line"; read -r line';
  const screen = openPty('/bin/bash', ['-c', outer, inner, ...args], { cwd: root, ...size });
  onTestFinished(screen.kill);
  await screen.see(/ready \d+/);
  const [shell, pid] = ['inner', 'pid'].map((name) =>
    Number(new RegExp(`${name} (\\d+)`).exec(screen.bytes())?.[1]),
  );
  const agent = Number(/ready (\d+)/.exec(screen.lines().join('\n'))?.[1]);
  process.kill(shell ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect([pid ?? 0, agent].map(isAlive)).toEqual([false, false]), { timeout: 20_000 });
  const { runner } = (await project.refresh()).streams.get('demo') ?? {};
  expect(runner?.left?.reason).toBe('SIGHUP');
  screen.press('hello\r');
  await screen.see('read hello');
  expect(modesLeftOn(screen.bytes())).toEqual([]);
  expect(screen.buffer()).toBe('normal');
});

it.each(['SIGTERM', 'SIGQUIT'] as const)(
  'a run that is told to end by %s ends its agents, and leaves the terminal as it was',
  async (signal) => {
    const { root, project } = await freshSprint();
    const args = [process.execPath, cliFile, 'run', '--agent-cmd', agentCmd('hang-first')];
    const screen = openPty('/bin/bash', ['-c', shell, 'bash', ...args], { cwd: root, ...size });
    onTestFinished(screen.kill);
    screen.press('\r');
    await screen.see(/ready \d+/);
    const pid = Number(/pid (\d+)/.exec(screen.bytes())?.[1]);
    const agent = Number(/ready (\d+)/.exec(screen.lines().join('\n'))?.[1]);
    process.kill(pid, signal);
    await screen.see('as it was, 130');
    expect([pid, agent].map(isAlive)).toEqual([false, false]);
    expect(modesLeftOn(screen.bytes())).toEqual([]);
    expect(screen.buffer()).toBe('normal');
    const { runner } = (await project.refresh()).streams.get('demo') ?? {};
    expect(runner?.left?.reason).toBe(signal);
  },
);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
