import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { clifford } from '../helpers/clifford-process.ts';

const root = join(import.meta.dirname, '../..');
const page = (await readFile(join(root, 'docs/cli.md'), 'utf8')).replaceAll(String.raw`\|`, '|');

/** The commands of a help text: the words before two blanks, without `help`. */
async function commandsOf(...command: string[]): Promise<string[]> {
  const { out } = await clifford([...command, '--help'], { cwd: root });
  const list = /\nCommands:\n((?: {2}.*\n)+)/.exec(out)?.[1] ?? '';
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

describe('docs/cli.md', () => {
  it('has every command with every argument and option', async () => {
    const commands = (await commandsOf()).map((name) => (name === 'mcp' ? ['mcp', 'serve'] : [name]));
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`clifford ${command.join(' ')}`)) ?? '';
      const { out } = await clifford([...command, '--help'], { cwd: root });
      const [, usage = ''] = /^Usage: clifford (.*)$/m.exec(out) ?? [];
      const words = usage.replace(' [options]', '').split(' ');
      const options = [...out.matchAll(/^ {2}(--[a-z-]+(?: <[^>]+>)?)/gm)].map(([, option = '']) => option);
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
