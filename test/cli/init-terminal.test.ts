import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cliFile } from '../helpers/clifford-process.ts';
import { fakePrograms } from '../helpers/fake-programs.ts';
import { openPty } from '../helpers/pty-screen.ts';
import type { PtyScreen } from '../helpers/pty-screen.ts';
import { tempRoot } from '../helpers/temp-project.ts';

/** `clifford init` on a terminal, typed by somebody who has Codex, and a folder of VS Code here. */
async function initOnTerminal(...args: string[]): Promise<{ root: string; screen: PtyScreen }> {
  const root = await tempRoot();
  await rm(join(root, '.clifford'), { recursive: true });
  await mkdir(join(root, '.vscode'));
  await writeFile(join(root, '.vscode/mcp.json'), '{\n  "servers": {} // mine\n}\n');
  const PATH = await fakePrograms({ codex: 'exit 1' });
  const command = ['-c', `PATH="${PATH}" exec "${process.execPath}" "${cliFile}" init ${args.join(' ')}`];
  const screen = openPty('/bin/sh', command, { cwd: root, columns: 120, rows: 60 });
  onTestFinished(() => screen.kill());
  return { root, screen };
}

describe('clifford init on a terminal', () => {
  it('asks for its own files, then for each file of another program, and takes only a yes', async () => {
    const { root, screen } = await initOnTerminal();
    await screen.see(/new {6}clifford\.json: the configuration: agent codex\n/);
    await screen.see('Write these 6 files? [y/N]');
    expect(existsSync(join(root, 'clifford.json'))).toBe(false);
    screen.press('y\r');
    await screen.see('Write .codex/config.toml? [y/N]');
    expect(existsSync(join(root, 'clifford.json'))).toBe(true);
    screen.press('\r');
    await screen.see(/\+ {4}"clifford": \{/);
    await screen.see('Write .vscode/mcp.json? [y/N]');
    screen.press('yes\r');
    await screen.see('7 files written');
    expect(await screen.exited).toBe(0);
    expect(existsSync(join(root, '.codex'))).toBe(false);
    expect(await readFile(join(root, '.vscode/mcp.json'), 'utf8')).toMatch(
      /"clifford": \{[^]*\} \/\/ mine\n/,
    );
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('stops at %s: what was agreed upon stays, nothing more is written', async (_key, bytes) => {
    const { root, screen } = await initOnTerminal('--mcp', 'vscode');
    await screen.see('Write these 6 files? [y/N]');
    screen.press('y\r');
    await screen.see('Write .vscode/mcp.json? [y/N]');
    screen.press(bytes);
    expect(await screen.exited).toBe(130);
    expect(screen.bytes()).toMatch(/\n$/);
    expect(existsSync(join(root, 'clifford.json'))).toBe(true);
    expect(await readFile(join(root, '.vscode/mcp.json'), 'utf8')).toBe('{\n  "servers": {} // mine\n}\n');
  });

  it('asks for nothing else once its own files are not wanted', async () => {
    const { root, screen } = await initOnTerminal();
    await screen.see('Write these 6 files? [y/N]');
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
    const { root, screen } = await initOnTerminal('--mcp', 'vscode');
    await screen.see('Write these 6 files? [y/N]');
    screen.press('n\r');
    await screen.see('Write .vscode/mcp.json? [y/N]');
    await writeFile(join(root, '.vscode/mcp.json'), '{ "servers": { "new": {} } }');
    screen.press('y\r');
    await screen.see(/Cannot write .*mcp\.json: it has changed since it was shown/);
    expect(await screen.exited).toBe(1);
    expect(await readFile(join(root, '.vscode/mcp.json'), 'utf8')).toBe('{ "servers": { "new": {} } }');
  });
});
