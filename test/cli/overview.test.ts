import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../../src/workflow/requests/ask.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { cliFile } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { openPty, type PtyScreen } from '../helpers/pty-screen.ts';
import { freshSprint } from '../helpers/sprint-run.ts';
import { writeSprint } from '../helpers/temp-project.ts';

const escape = '\u001B';

/** `clifford` alone, in a terminal. */
function openClifford(cwd: string, env: Record<string, string> = {}): PtyScreen {
  const terminal = openPty(process.execPath, [cliFile], { cwd, env });
  onTestFinished(terminal.kill);
  return terminal;
}

describeOnEachEngine('clifford alone', () => {
  it('clifford alone leads into what waits and back, follows the project, runs a sprint, and leaves the terminal as it was', async () => {
    const { root, project } = await freshSprint();
    const agent = { id: 'session-1', client: 'opencode' };
    const asks = (question: string) => ask(project, { stream: 'adhoc', agent, kind: 'help', question });
    await asks('Which database?');
    await asks('Which port?');
    const screen = openClifford(root, { CLIFFORD_AGENT_CMD: agentHere('complete') });
    await screen.see('Waits for you');
    await screen.see(/› *\? question +opencode +Which database\?/);
    expect(screen.buffer()).toBe('alternate');
    // The title of the terminal says how many wait, and goes with the screen.
    expect(screen.bytes()).toContain(`${escape}]0;? 2 · ${basename(root)}`);

    // In, with that question shown, and back by Esc: out of its box, then out of its screen.
    screen.press('j');
    await screen.see(/› *\? question +opencode +Which port\?/);
    screen.press('\r');
    await screen.see(/Question 2 of 2.*\n.*Which port\?/);
    await screen.see('Enter answer');
    screen.press(escape);
    await screen.see('Esc overview');
    screen.press(escape);
    await screen.see(/› *\? question +opencode +Which port\?/);
    // Between the two nothing else was seen.
    expect(screen.bytes()).not.toContain(`${escape}[?1049l`);

    // A command of the palette says here what it says in a shell.
    screen.press(':');
    await screen.see('or / for a command');
    screen.press('/status');
    await screen.see('> /status');
    screen.press('\r');
    await screen.see(/clifford status.*\n +demo .*pending/);
    await screen.see('Esc back');
    expect(screen.lines().join('\n')).not.toContain('ended with');
    screen.press('q');
    await screen.see(/› *\? question +opencode +Which port\?/);

    // What happens meanwhile is seen: a question in the log, a sprint in a folder.
    await asks('Which key?');
    await screen.see('Which key?');
    await writeSprint(root, { id: 'later' });
    await screen.see('Sprint later');

    // Why a sprint cannot be run is said here, too.
    const config = join(root, 'clifford.json');
    await writeFile(config, '{');
    screen.press('\t');
    await screen.see(/›○ pending +Sprint demo/);
    const run = async () => {
      screen.press('\r');
      await screen.see('Run demo here?');
      await screen.see('Enter run it');
      screen.press('\r');
    };
    await run();
    // Wherever the line is broken: the folder's name is as long as it is.
    await screen.see(/it\s+is\s+not\s+JSON/);
    await rm(config);
    await run();
    await screen.see('Summary');
    screen.press('q');
    await screen.see('demo completed, 1 of 1 tasks done');
    await screen.see(/✔ done +Sprint demo/);
    expect(screen.buffer()).toBe('alternate');

    screen.press('q');
    expect(await screen.exited).toBe(0);
    expect(screen.buffer()).toBe('normal');
    // Both what was printed and what is put back: the cursor is to be seen, and what is typed is echoed.
    expect(screen.lines()).toContain('demo completed, 1 of 1 tasks done');
    expect(screen.bytes().lastIndexOf(`${escape}[?25h`)).toBeGreaterThan(
      screen.bytes().lastIndexOf(`${escape}[?25l`),
    );
  });

  it('offers to run a sprint once an agent is configured for it, and says before what is missing', async () => {
    const { root } = await freshSprint();
    const screen = openClifford(root, { HOME: root, CLIFFORD_AGENT_CMD: '' });
    await screen.see('no agent is configured');
    await expect.poll(() => screen.lines().at(-1)).not.toContain('run it');
    screen.press('r');
    await screen.see('No agent is configured. Name one as "agent" in clifford.json');
    await writeFile(join(root, 'clifford.json'), JSON.stringify({ agent: 'opencode' }));
    await screen.see('Enter run it…');
    expect(screen.lines().join('\n')).toContain('nobody runs it: Enter starts it');
    screen.press('q');
    expect(await screen.exited).toBe(0);
  });
});

it('clifford alone where there is no project says how to come to one, and does it', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-none-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const screen = openClifford(root, { PATH: '', HOME: root });
  await screen.see('1 or 2');
  expect(screen.lines().slice(-24).join('\n')).toMatch(/clifford init .*\n.*clifford demo /);
  screen.press('x\r');
  await screen.see(/1 or 2.*\n.*1 or 2/);
  screen.press('1\r');
  await screen.see(`project  ${root}`);
  // Before it asks, Ctrl+C is a signal like any other.
  await screen.see('1, 2 or 3');
  screen.press('\u0003');
  expect(await screen.exited).toBe(130);
});
