// Writes into docs/tui.md the keys of the screen, as its keymap has them: npm run docs
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allKeys, type HelpSection } from '../src/tui/keys/help-sections.ts';

const page = join(import.meta.dirname, '../docs/tui.md');

const BEGIN = '<!-- Made by npm run docs of the keymap -->';
const END = '<!-- The end of it -->';

/** The text of the page, as it has to be. */
export async function screenPage(): Promise<string> {
  const text = await readFile(page, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`Cannot write ${page}: it has lost the marks of its keys`);
  return `${text.slice(0, begin)}${BEGIN}\n\n${allKeys().map(tableOf).join('\n\n')}\n\n${text.slice(end)}`;
}

function tableOf({ title, keys }: HelpSection): string {
  const head = ['Key', 'What it does'] as const;
  const rows = keys.map(([key, what]) => [`\`${key}\``.replaceAll('|', '\\|'), what] as const);
  const widths = [0, 1].map((at) => Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [`### ${title}`, '', lineOf(head), rule, ...rows.map(lineOf)].join('\n');
}

if (import.meta.main) await writeFile(page, await screenPage());
