// Writes into docs/tui.md the keys of the screen, as its keymap has them, and its commands: npm run docs
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allKeys, type HelpSection } from '../src/tui/keys/help-sections.ts';
import { allOverviewKeys } from '../src/tui/overview/overview-keys.ts';
import { commandRows } from './screen-commands.ts';

const page = join(import.meta.dirname, '../docs/tui.md');

const END = '<!-- The end of it -->';

/** What is made, by the mark above it. */
const parts = {
  '<!-- Made by npm run docs of the commands -->': () =>
    tableOf(
      ['On the screen', 'In a shell'],
      commandRows().map(([does, command]) => [does, `\`${command}\``]),
    ),
  '<!-- Made by npm run docs of the keymap -->': () => allKeys().map(keysOf).join('\n\n'),
  '<!-- Made by npm run docs of the keymap of the overview -->': () =>
    keysOfOverview().map(keysOf).join('\n\n'),
};

/** The text of the page, as it has to be. */
export async function screenPage(): Promise<string> {
  const text = await readFile(page, 'utf8');
  return Object.entries(parts).reduce((now, [begin, make]) => replaced(now, begin, make()), text);
}

function replaced(text: string, mark: string, made: string): string {
  const begin = text.indexOf(mark);
  const end = text.indexOf(END, begin);
  if (begin === -1 || end === -1) throw new Error(`Cannot write ${page}: it has lost the marks of ${mark}`);
  return `${text.slice(0, begin)}${mark}\n\n${made}\n\n${text.slice(end)}`;
}

/** Where keys of the overview do what they do nowhere else. */
function keysOfOverview(): HelpSection[] {
  const others = new Set(allKeys().map(({ title }) => title));
  return allOverviewKeys().filter(({ title }) => !others.has(title));
}

function keysOf({ title, keys }: HelpSection): string {
  const rows = keys.map(([key, what]) => [`\`${key}\``.replaceAll('|', '\\|'), what] as const);
  return [`### ${title}`, '', tableOf(['Key', 'What it does'], rows)].join('\n');
}

type Row = readonly [string, string];

function tableOf(head: Row, rows: readonly Row[]): string {
  const widths = [0, 1].map((at) => Math.max(3, ...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lineOf(head), rule, ...rows.map(lineOf)].join('\n');
}

if (import.meta.main) await writeFile(page, await screenPage());
