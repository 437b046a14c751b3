import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { clifford } from '../helpers/clifford-process.ts';

const root = join(import.meta.dirname, '../..');
const page = (await readFile(join(root, 'docs/cli.md'), 'utf8')).replaceAll(String.raw`\|`, '|');

type Leaf = { readonly command: readonly string[]; readonly help: string };

/** The commands that do something, below one that only has others. The words before two blanks, without `help`. */
async function leavesOf(...command: string[]): Promise<Leaf[]> {
  const { out } = await clifford([...command, '--help'], { cwd: root });
  const list = /\nCommands:\n((?: {2}.*\n)+)/.exec(out)?.[1] ?? '';
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  const others = names.filter((name) => name !== 'help');
  if (others.length === 0) return [{ command, help: out }];
  const leaves = await Promise.all(others.map((name) => leavesOf(...command, name)));
  return leaves.flat();
}

describe('docs/cli.md', () => {
  it('has every command with every argument and option', async () => {
    const leaves = await leavesOf();
    expect(leaves.length).toBeGreaterThan(25);
    for (const { command, help } of leaves) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`clifford ${command.join(' ')}`)) ?? '';
      const [, usage = ''] = /^Usage: clifford (.*)$/m.exec(help) ?? [];
      const words = usage.replace(' [options]', '').split(' ');
      const options = [...help.matchAll(/^ {2}(--[a-z-]+(?: <[^>]+>)?)/gm)].map(([, option = '']) => option);
      for (const word of [...words, ...options]) {
        if (word === '<machine>') continue;
        expect(row, `clifford ${command.join(' ')}`).toContain(word);
      }
    }
  }, 60_000);

  it('has every exit code', () => {
    for (const code of Object.values(exitCodes)) expect(page).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'));
  });
});
