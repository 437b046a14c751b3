import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cliFile, clifford } from '../../helpers/clifford-process.ts';
import { openClifford, type CliffordScreen } from '../../helpers/clifford-screen.ts';
import { fakePrograms } from '../../helpers/fake-programs.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import type { OwnScreen, PtyScreen } from '../../helpers/pty-screen.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** A folder without a project, of somebody who has a folder of VS Code. */
async function freshFolder(): Promise<string> {
  const root = await tempRoot();
  await rm(join(root, '.clifford'), { recursive: true });
  await mkdir(join(root, '.vscode'));
  await writeFile(join(root, '.vscode/mcp.json'), '{\n  "servers": {} // mine\n}\n');
  return root;
}

/** What a user remembers outside of the project. */
const remembers = (root: string) => ({ XDG_STATE_HOME: join(root, 'state') });

/** `clifford init` on a terminal, typed by somebody who has Codex. */
async function typeInit(
  root: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CliffordScreen> {
  const PATH = await fakePrograms({ codex: 'exit 1' });
  const place = { cwd: root, columns: 120, rows: 60, env: { ...remembers(root), PATH, ...env } };
  return openClifford(['init', ...args], place);
}

/** The same in a terminal of the system. */
async function typeInitInPty(root: string, args: readonly string[]): Promise<PtyScreen> {
  const PATH = await fakePrograms({ codex: 'exit 1' });
  const command = ['-c', `PATH="${PATH}" exec "${process.execPath}" "${cliFile}" init ${args.join(' ')}`];
  const screen = openPty('/bin/sh', command, { cwd: root, columns: 120, rows: 60, env: remembers(root) });
  onTestFinished(() => screen.kill());
  return screen;
}

/** A folder, and what was typed in it up to the question what is to be written, with the default of what agents ask about. */
async function initOnTerminal<Screen extends OwnScreen | PtyScreen>(
  type: (root: string, args: readonly string[]) => Promise<Screen>,
  ...args: string[]
): Promise<{ root: string; screen: Screen }> {
  const root = await freshFolder();
  const screen = await type(root, args);
  await screen.see('1, 2 or 3 [2]:');
  screen.press('\r');
  return { root, screen };
}

/** Whether what `mcp.json` allows counts. */
async function isTrusted(root: string): Promise<boolean> {
  const { out } = await clifford(['mcp', 'trust', '--json'], { cwd: root, env: remembers(root) });
  return (JSON.parse(out) as { trusted: boolean }).trusted;
}

describe('clifford init on a terminal', () => {
  it('breaks what it says between words, and no line but those of files is as wide as the terminal', async () => {
    const root = await freshFolder();
    const PATH = await fakePrograms({
      codex: 'exit 1',
      gemini: 'exit 1',
      opencode: 'exit 1',
      claude: 'exit 1',
    });
    const env = { ...remembers(root), PATH };
    const { exited, bytes } = openClifford(['init', '--yes'], { cwd: root, columns: 48, rows: 80, env });
    expect(await exited).toBe(0);
    const lines = bytes().replaceAll('\r', '').split('\n');
    expect(lines.filter((line) => line.length > 48 && !line.includes(root))).toEqual([]);
    expect(lines.join('\n')).toMatch(
      /\nnew {6}mcp\.json: agents ask you about what\n {9}matters before they do it, such as\n {9}commands and deletions\n/,
    );
  });

  it('asks for its own files, then for each file of another program, and takes only a yes', async () => {
    const { root, screen } = await initOnTerminal(typeInitInPty);
    await screen.see(/new {6}clifford\.json: the settings of the project, with agent codex\n/);
    await screen.see('Write these 7 files? [y/N]');
    expect(existsSync(join(root, 'clifford.json'))).toBe(false);
    screen.press('y\r');
    await screen.see('Write .codex/config.toml? [y/N]');
    expect(existsSync(join(root, 'clifford.json'))).toBe(true);
    const before = screen.lines().join('\n');
    expect(before).toMatch(
      /For agents that you start by hand \(clifford run needs none of these files\):\nnew {6}\.codex/,
    );
    screen.press('\r');
    await screen.see(/\+ {4}"clifford": \{/);
    await screen.see('Write .vscode/mcp.json? [y/N]');
    screen.press('yes\r');
    await screen.see('8 files written');
    expect(await screen.exited).toBe(0);
    expect(
      screen
        .lines()
        .join('\n')
        .match(/start by hand/g),
    ).toHaveLength(1);
    expect(existsSync(join(root, '.codex'))).toBe(false);
    expect(await readFile(join(root, '.vscode/mcp.json'), 'utf8')).toMatch(
      /"clifford": \{[^]*\} \/\/ mine\n/,
    );
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('stops at %s: what was agreed upon stays, nothing more is written', async (_key, bytes) => {
    const { root, screen } = await initOnTerminal(typeInitInPty, '--mcp', 'vscode');
    await screen.see('Write these 7 files? [y/N]');
    screen.press('y\r');
    await screen.see('Write .vscode/mcp.json? [y/N]');
    screen.press(bytes);
    expect(await screen.exited).toBe(130);
    expect(screen.bytes()).toMatch(/\n$/);
    expect(existsSync(join(root, 'clifford.json'))).toBe(true);
    expect(await readFile(join(root, '.vscode/mcp.json'), 'utf8')).toBe('{\n  "servers": {} // mine\n}\n');
  });

  it('asks for nothing else once its own files are not wanted', async () => {
    const { root, screen } = await initOnTerminal(typeInit);
    await screen.see('Write these 7 files? [y/N]');
    screen.press('n\r');
    await screen.see('0 files written');
    expect(await screen.exited).toBe(0);
    expect(
      screen
        .lines()
        .join('\n')
        .match(/\[y\/N\]/g),
    ).toHaveLength(1);
    expect(existsSync(join(root, 'clifford.json'))).toBe(false);
  });

  it('writes nothing that has changed since it was shown', async () => {
    const { root, screen } = await initOnTerminal(typeInit, '--mcp', 'vscode');
    await screen.see('Write these 7 files? [y/N]');
    screen.press('n\r');
    await screen.see('Write .vscode/mcp.json? [y/N]');
    await writeFile(join(root, '.vscode/mcp.json'), '{ "servers": { "new": {} } }');
    screen.press('y\r');
    await screen.see(/Cannot write .*mcp\.json: it has changed since it was shown/);
    expect(await screen.exited).toBe(1);
    expect(await readFile(join(root, '.vscode/mcp.json'), 'utf8')).toBe('{ "servers": { "new": {} } }');
  });
});

describe('what agents are to ask about, on a terminal,', () => {
  it.each([
    ['1', 'everything'],
    ['', 'what-matters'],
    ['what-matters', 'what-matters'],
    ['3', 'nothing'],
  ])('is chosen by %j: %s', async (typed, level) => {
    const root = await freshFolder();
    const screen = await typeInit(root, []);
    await screen.see('1, 2 or 3 [2]:');
    const levels = screen.lines().filter((line) => /^ {2}\d {2}/.test(line));
    expect(levels.filter(({ length }) => length < 80)).toHaveLength(3);
    screen.press(`${typed}\r`);
    await screen.see(
      `new      mcp.json: agents ask you about ${level === 'what-matters' ? 'what matters' : level}`,
    );
    expect(existsSync(join(root, 'mcp.json'))).toBe(false);
    await screen.see('Write these 7 files? [y/N]');
    screen.press('y\r');
    await screen.see('Write .codex/config.toml? [y/N]');
    screen.press('\r');
    await screen.see('Write .vscode/mcp.json? [y/N]');
    screen.press('\r');
    await screen.see('next: clifford doctor, then clifford run');
    expect(await readFile(join(root, 'mcp.json'), 'utf8')).toContain(`"agents": { "ask": "${level}" }`);
    expect(await isTrusted(root)).toBe(true);
  });

  it('is asked for again after what is none of the three, and Ctrl-C writes nothing', async () => {
    const root = await freshFolder();
    const screen = await typeInit(root, []);
    await screen.see('  3  nothing       unattended: their tools run, MCP servers only as rules allow\n');
    await screen.see('1, 2 or 3 [2]:');
    screen.press('4\r');
    await screen.see(/: 4\n1, 2 or 3 \[2\]:/);
    screen.press('\x03');
    expect(await screen.exited).toBe(130);
    expect(existsSync(join(root, 'clifford.json'))).toBe(false);
  });

  it('is not asked where mcp.json or --ask says it, and what was trusted stays trusted', async () => {
    const root = await freshFolder();
    await (await typeInit(root, ['--ask', 'nothing', '--yes'])).see('7 files written');
    expect(await isTrusted(root)).toBe(true);
    const again = await typeInit(root, ['--mcp', 'vscode', '--yes', '--force', '--ask', 'what-matters']);
    await again.see('-    "agents": { "ask": "nothing" }');
    await again.see('next: clifford doctor');
    const third = await typeInit(root, []);
    await third.see('there    mcp.json: servers, and what agents may do');
    await third.see('Write .codex/config.toml? [y/N]');
    expect(await isTrusted(root)).toBe(true);
  });

  it('is trusted by nobody who has not seen what else mcp.json allows', async () => {
    const root = await freshFolder();
    await writeFile(join(root, 'mcp.json'), '{ "servers": { "fs": { "command": "anything" } } }\n');
    const screen = await typeInit(root, []);
    await screen.see('1, 2 or 3 [2]:');
    screen.press('3\r');
    await screen.see('change   mcp.json: agents ask you about nothing');
    await screen.see('Write these 7 files? [y/N]');
    screen.press('y\r');
    await screen.see('Write .codex/config.toml? [y/N]');
    screen.press('\r');
    await screen.see('Write .vscode/mcp.json? [y/N]');
    screen.press('\r');
    await screen.see('next: clifford mcp trust, by a person');
    await screen.see('then: clifford doctor, then clifford run');
    expect(await isTrusted(root)).toBe(false);
  });

  it('is not trusted when an agent has a terminal', async () => {
    const root = await freshFolder();
    const args = ['--ask', 'nothing', '--yes'];
    const screen = await typeInit(root, args, { CLIFFORD_RUN_ID: 'run-1' });
    await screen.see('next: clifford mcp trust, by a person');
    expect(await isTrusted(root)).toBe(false);
  });
});
