import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Cli } from '../../../src/cli/cli.ts';
import { terminalOf } from '../../../src/cli/run/notify-human.ts';
import { addProject } from '../../../src/workflow/projects/known-projects.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { clifford, cliFile, startClifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { agentCmd, freshSprint } from '../../helpers/sprint-run.ts';
import { projectWithSprint, tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { readSignals } from '../../helpers/terminal-signals.ts';

const iTerm = {
  TERM_PROGRAM: 'iTerm.app',
  TERM_FEATURES: 'T3P',
  TMUX: '',
  KITTY_WINDOW_ID: '',
  VTE_VERSION: '',
};

/** A configuration that calls by this program. */
const callingBy = (command: readonly string[]) => ({
  notify: { channels: { mine: { via: 'command', command } } },
});

/** A program of the user's that writes what it is told, a line for each call. */
const writesTo = (file: string) => [
  process.execPath,
  '-e',
  `require('fs').appendFileSync(${JSON.stringify(file)}, require('fs').readFileSync(0, 'utf8'))`,
];

async function toldIn(root: string, file = 'told'): Promise<unknown[]> {
  const text = await readFile(join(root, file), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

// What is written to a terminal and to a program: no log has a say in it.
describe('in a terminal', () => {
  it('the screen of a run rings, asks for a notification, shows title and progress, and gives them back', async () => {
    const { root } = await freshSprint({ tasks: ['a'] });
    const screen = openPty(process.execPath, [cliFile, 'run', '--agent-cmd', agentCmd('ask')], {
      cwd: root,
      env: iTerm,
    });
    onTestFinished(screen.kill);
    await screen.see('Which port?');
    await vi.waitFor(() => expect(screen.bytes()).toContain(']9;Clifford'), { timeout: 15_000 });
    expect(await readSignals(screen.bytes())).toMatchObject({
      bells: 1,
      notifications: ['9;Clifford · Sprint demo: a asks: Which port?'],
      titles: ['shell', 'demo', '0/1 · Sprint demo', '? 1 · Sprint demo'],
      progress: ['1;0', '4;0'],
    });
    // No frame was damaged by it: first and last row are where they were.
    const lines = screen.lines();
    expect(lines[0]).toContain('Sprint demo');
    expect(lines.at(-1)).toContain('Enter answer');
    screen.hangUp();
    await screen.exited;
    expect(screen.buffer()).toBe('normal');
    const { bells, titles, progress } = await readSignals(screen.bytes());
    expect({ bells, title: titles.at(-1), progress: progress.at(-1) }).toEqual({
      bells: 1,
      title: 'shell',
      progress: '0;0',
    });
  });

  /** A screen that watches a sprint, and an agent that may ask. */
  async function attached() {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    const screen = openPty(process.execPath, [cliFile, 'attach'], { cwd: root, env: iTerm });
    onTestFinished(screen.kill);
    await screen.see('pending');
    const agent = { id: 'session-1', client: 'opencode' };
    const askPort = () => ask(project, { stream, agent, kind: 'help', question: 'Which port?' });
    return { screen, askPort };
  }

  it('a watching screen that is ended by a signal gives the title back', async () => {
    const { screen, askPort } = await attached();
    await askPort();
    await vi.waitFor(() => expect(screen.bytes()).toContain(']9;Clifford'), { timeout: 15_000 });
    screen.hangUp();
    await screen.exited;
    expect(screen.buffer()).toBe('normal');
    const { bells, titles } = await readSignals(screen.bytes());
    expect({ bells, titles: titles.slice(-2) }).toEqual({ bells: 1, titles: ['', 'shell'] });
  });

  it('who types on the screen is not called: they see it', async () => {
    const { screen, askPort } = await attached();
    screen.press('j');
    await askPort();
    await screen.see('Which port?');
    // What gathers is told at the end, but to whom has just pressed a key.
    screen.press('\u0003');
    expect(await screen.exited).toBe(0);
    expect(await readSignals(screen.bytes())).toMatchObject({ bells: 0, notifications: [] });
  });

  it.each([
    [{ TERM: 'dumb' }, true],
    [{ TERM: 'xterm', CI: '1' }, true],
    [{ TERM: 'xterm' }, false],
  ])('with %j nothing is written but text', (env, isTerminal) => {
    const cli = { env, stdout: { isTTY: isTerminal }, lostReader: new AbortController().signal };
    expect(terminalOf(cli as unknown as Cli)).toBeUndefined();
  });
});

describe('the program that is to call a human', () => {
  const args = ['run', 'demo', '--plain', '--no-wait', '--agent-cmd', agentHere('ask-and-leave')];
  const trusting = { CLIFFORD_TRUST_PROJECT: '1' };

  it('is run where there is no terminal, too, and nothing is written for one', async () => {
    const { root } = await freshSprint();
    await writeConfig(join(root, 'clifford.json'), callingBy(writesTo('told')));
    const { code, out, err } = await clifford(args, { cwd: root, env: trusting });
    expect(code).toBe(3);
    expect(await toldIn(root)).toEqual([expect.objectContaining({ kind: 'left', sprint: 'demo' })]);
    expect(['\u0007', '\u001B'].filter((control) => (out + err).includes(control))).toEqual([]);
  });

  it('is told which project it is about where its user has listed several', async () => {
    const [{ root }, other] = await Promise.all([freshSprint(), tempRoot()]);
    await writeConfig(join(root, 'clifford.json'), callingBy(writesTo('told')));
    const env = { ...trusting, XDG_STATE_HOME: join(root, 'state') };
    const told = async () => {
      await clifford(args, { cwd: root, env });
      return toldIn(root);
    };
    expect(await told()).toMatchObject([{ title: expect.stringMatching(/^Clifford · Sprint demo: /) }]);
    await addProject(env, other);
    const title = expect.stringContaining(`Clifford · ${basename(root)} · Sprint demo: `);
    expect((await told()).slice(1)).toMatchObject([{ title }]);
  });

  it('is not run by who has just stopped it', async () => {
    const { root } = await freshSprint();
    await writeConfig(join(root, 'clifford.json'), callingBy(writesTo('told')));
    const run = startClifford(['run', 'demo', '--agent-cmd', agentHere('hang-first')], {
      cwd: root,
      env: trusting,
    });
    await run.printed(/ready \d+/);
    run.kill('SIGTERM');
    expect((await run.ended).out).toContain('demo stopped');
    expect(existsSync(join(root, 'told'))).toBe(false);
  });

  it('fails in one note, and in one event', async () => {
    const { root } = await freshSprint({ tasks: ['a'] });
    await writeConfig(join(root, 'clifford.json'), callingBy(['./gone']));
    const { code, err } = await clifford(args, { cwd: root, env: trusting });
    expect(code).toBe(3);
    const why = String.raw`\./gone could not be started: `;
    expect(
      err.match(new RegExp(String.raw`note: notify\.channels\.mine \(command\): ${why}`, 'g')),
    ).toHaveLength(1);
    const { out } = await clifford(['replay', 'demo'], { cwd: root });
    expect(out.match(new RegExp(String.raw`notify\.failed .*mine \(command\): ${why}`, 'g'))).toHaveLength(1);
  });

  it('is the one that a run began with; one that an agent writes meanwhile is off until it is trusted', async () => {
    const { root } = await freshSprint();
    vi.stubEnv('AGENT_SERVER', join(import.meta.dirname, '../../../dist/mcp-entry.js'));
    const env = { XDG_STATE_HOME: join(root, 'state'), AGENT_SERVER: process.env['AGENT_SERVER'] ?? '' };
    await writeConfig(join(root, 'clifford.json'), callingBy(writesTo('told')));
    expect(await clifford(['notify', 'trust', '--yes'], { cwd: root, env })).toMatchObject({ code: 0 });
    await writeConfig(join(root, 'other.json'), callingBy(['touch', 'bad']));
    const rewrite = ['run', 'demo', '--agent-cmd', agentCmd('mcp-rewriter', 'other.json')];
    expect(await clifford(rewrite, { cwd: root, env })).toMatchObject({ code: 0 });
    expect(await toldIn(root)).toEqual([expect.objectContaining({ kind: 'completed' })]);
    await writeSprint(root, { tasks: ['a', 'b'] });
    const next = await clifford(['run', 'demo', '--agent-cmd', agentHere('complete')], { cwd: root, env });
    expect(next).toMatchObject({ code: 0 });
    expect(next.err).toContain('notify.channels.mine is off: it has changed since you trusted it');
    expect(existsSync(join(root, 'bad'))).toBe(false);
  });
});
