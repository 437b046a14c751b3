// Writes into docs/agents.md what each agent was seen to do, as test/agents/results.json has it: npm run docs
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resultsFile, resultsSchema, type Results } from '../test/agents/harness/results.ts';
import { adapterNames } from '../src/workflow/config/adapter-names.ts';
import { knownAgents } from '../src/runner/agents/known-agents.ts';

const page = join(import.meta.dirname, '../docs/agents.md');

const BEGIN = '<!-- Made by npm run docs of test/agents/results.json -->';
const END = '<!-- The end of it -->';

/** The results that were recorded last. */
export async function readResults(): Promise<Results> {
  return resultsSchema.parse(JSON.parse(await readFile(resultsFile, 'utf8')));
}

/** The text of the page, as it has to be. */
export async function agentsPage(): Promise<string> {
  const text = await readFile(page, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin)
    throw new Error(`Cannot write ${page}: it has lost the marks of its table`);
  const made = tableOf(await readResults());
  return `${text.slice(0, begin)}${BEGIN}\n\n${made}\n\n${text.slice(end)}`;
}

function tableOf({ versions, tests }: Results): string {
  const ways = new Set(Object.values(tests).flatMap((results) => Object.keys(results)));
  const agents = adapterNames.filter((name) => [...ways].some((way) => way.startsWith(`${name} `)));
  const rows = Object.entries(tests)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([title, results]) => [title, ...agents.map((name) => cellOf(results, name))]);
  const lines = [['', ...agents.map((name) => knownAgents[name].title)], ...rows];
  const widths = lines[0]?.map((_, at) => Math.max(3, ...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const tested = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`);
  return [[lineOf(head), rule, ...body.map(lineOf)].join('\n'), `Tested: ${tested.join(', ')}.`].join('\n\n');
}

function cellOf(results: Readonly<Record<string, boolean>>, name: string): string {
  const said = (['acp', 'cli'] as const).flatMap((via) => {
    const passed = results[`${name} ${via}`];
    return passed === undefined ? [] : [`${passed ? 'yes' : 'no'} (${via.toUpperCase()})`];
  });
  return said.length === 0 ? '–' : said.join(', ');
}

if (import.meta.main) await writeFile(page, await agentsPage());
