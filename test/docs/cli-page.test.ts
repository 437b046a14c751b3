import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { clifford } from '../helpers/clifford-process.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/cli.md'), 'utf8');

type Leaf = { readonly command: readonly string[]; readonly help: string };

/** The commands that do something, below one that only has others. The words before two blanks, without `help`. */
async function leavesOf(...command: string[]): Promise<Leaf[]> {
  const { out } = await clifford([...command, '--help'], { cwd: root });
  const lists = out.split('\n\n').filter((part) => /^[A-Z].*:\n {2}[a-z]/.test(part));
  const commands = lists.filter((part) => !/^(?:Arguments|Example.*):\n/.test(part)).join('\n');
  const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  const others = names.filter((name) => name !== 'help');
  if (others.length === 0) return [{ command, help: out }];
  const leaves = await Promise.all(others.map((name) => leavesOf(...command, name)));
  // `serve` does something by itself, too.
  const own = helpParts(out).some((part) => part.startsWith('--'));
  return [...(own && command.length > 0 ? [{ command, help: out }] : []), ...leaves.flat()];
}

/** Arguments and options of a usage: `[--agent <name>]` and `<id|last>` by what stands in them. */
function partsOf(usage: string): string[] {
  return [...usage.matchAll(/--[a-z0-9-]+(?: <[^>]+>| \[[a-z]+\])?|(?<= )[[<][^\]>-][^\]>]*[\]>]/g)].map(
    ([part]) => part,
  );
}

/** What the help of a command says that it takes. */
function helpParts(help: string): string[] {
  const [, usage = ''] = /^Usage: clifford (.*)$/m.exec(help) ?? [];
  const options = [...help.matchAll(/^ {2}(--[a-z0-9-]+(?: <[^>]+>| \[[a-z]+\])?)/gm)].map(
    ([, option = '']) => option,
  );
  return [...partsOf(usage.replace(' [options]', '').replace(' [command]', '')), ...options];
}

/** Whether a usage is of this command, and not of one below it. */
function isOf(usage: string, command: string): boolean {
  return (
    usage === command || (usage.startsWith(`${command} `) && /^[[<-]/.test(usage.slice(command.length + 1)))
  );
}

describe('the help of a command', () => {
  it.each([['notify'], ['serve', 'token'], ['mcp'], ['policy'], ['sprint'], ['task'], ['config']])(
    'that has others below it says what they are for: %s',
    async (...command) => {
      const { out } = await clifford([...command, '--help'], { cwd: root });
      expect(out.split('\n\n')[1]).toMatch(/^[A-Z][^]*\.$/);
    },
  );

  it('says that the demo has a page, too', async () => {
    const { out } = await clifford(['demo', '--help'], { cwd: root });
    expect(out).toMatch(/\bin a\s+browser\b/);
  });
});

describe('docs/cli.md', () => {
  it('has every command, with the arguments and options that it takes and no others', async () => {
    const leaves = await leavesOf();
    expect(leaves.length).toBeGreaterThan(25);
    const blocks = [...page.matchAll(/^#### .*\n\n```text\nclifford ([^]+?)\n```/gm)];
    // The page says which machines there are.
    const usages = blocks.map(([, usage = '']) =>
      usage.replaceAll(/\n +/g, ' ').replace('<task|sprint|request>', '<machine>'),
    );
    for (const { command, help } of leaves) {
      const name = command.join(' ');
      const [usage = '', ...twice] = usages.filter((each) => isOf(each, name));
      expect(twice, name).toEqual([]);
      expect(partsOf(usage).toSorted(), `clifford ${name}`).toEqual(helpParts(help).toSorted());
    }
    expect(usages).toHaveLength(leaves.length);
  }, 60_000);

  it('has every exit code', () => {
    for (const code of Object.values(exitCodes)) expect(page).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'));
  });
});
