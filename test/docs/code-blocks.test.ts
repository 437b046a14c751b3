import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, parse } from '@humanwhocodes/momoa';
import type { Command } from 'commander';
import parseArgs from 'string-argv';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCli } from '../../src/cli/cli.ts';
import { optionValue } from '../../src/cli/input/option-value.ts';
import { createProgram } from '../../src/cli/program.ts';
import { parseConfig } from '../../src/workflow/config/parse-config.ts';
import { parseManifest } from '../../src/workflow/sprint/manifest.ts';
import { readMcpJson } from '../helpers/mcp-json.ts';

const repository = join(import.meta.dirname, '../..');

/** A fenced block of a page. */
type Block = {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
};

/** Pages whose blocks of a language have a test of their own that runs them. */
const executed: Readonly<Record<string, string>> = {
  'docs/library.md': 'js',
  'docs/file-ipc.md': 'bash',
  'docs/notifications.md': 'js',
};

const languages = ['bash', 'js', 'json', 'mermaid', 'sh', 'text', 'ts'];

async function readBlocks(): Promise<Block[]> {
  const pages = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: repository }));
  const blocks = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(join(repository, page), 'utf8');
      return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(
        ({ 1: language = '', 2: code = '', index }) => ({
          page,
          line: text.slice(0, index).split('\n').length,
          language,
          text: code,
        }),
      );
    }),
  );
  return blocks.flat();
}

const blocks = await readBlocks();
const named = (language: string) =>
  blocks
    .filter((block) => block.language === language)
    .map((block): [string, Block] => [`${block.page}:${block.line}`, block]);

/** The commands of Clifford in a shell block: as words, without variables before them and pipes behind them. */
function commandsIn(text: string): string[][] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  return lines
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/\s(?:\||&&|\|\||;)\s/))
    .map((part) => parseArgs(part.trim()).filter((word, at) => at > 0 || !/^[A-Z_]+=/.test(word)))
    .map((words) => (words[0] === 'npx' ? words.slice(1) : words))
    .filter(([program]) => program === 'clifford')
    .map((words) => words.slice(1, words.findIndex((word) => /^[0-9]?[<>]/.test(word)) >>> 0));
}

const program = await createProgram(createCli(process).cli, []);

/** What is wrong with a command line: an unknown command or option, or more arguments than it takes. */
function wrongWith(typed: readonly string[]): string | undefined {
  // Without a command.
  if (typed.length === 1 && typed[0] === '--everywhere') return undefined;
  let command: Command = program;
  const project = optionValue(typed, '--project');
  const rest = project ? typed.toSpliced(project.at, project.count) : [...typed];
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (!next) break;
    command = next;
    rest.shift();
  }
  if (command === program && !['--help', '--version'].includes(rest[0] ?? '')) return `no command ${rest[0]}`;
  const operands: string[] = [];
  while (rest.length > 0) {
    const word = rest.shift() ?? '';
    if (word === '--') {
      operands.push(...rest.splice(0));
    } else if (word.startsWith('--')) {
      const [flag = ''] = word.split('=', 1);
      const option = [...command.options, ...program.options].find(({ long }) => long === flag);
      if (!option && flag !== '--help') return `no option ${flag}`;
      if (option?.required && !word.includes('=')) rest.shift();
    } else operands.push(word);
  }
  const { registeredArguments } = command;
  const isOpen = registeredArguments.some(({ variadic }) => variadic);
  if (!isOpen && operands.length > registeredArguments.length)
    return `too many arguments: ${operands.join(' ')}`;
  const needed = registeredArguments.filter(({ required }) => required).length;
  return operands.length < needed ? 'too few arguments' : undefined;
}

const editorsSchema = z.object({
  agent_servers: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('custom').optional(),
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  ),
});

/** What is wrong with an `mcp.json`, a manifest or a `clifford.json`, whichever it is. Anything else only has to be JSON. */
async function problemsIn(text: string): Promise<readonly unknown[]> {
  const value = evaluate(parse(text, { mode: 'jsonc', allowTrailingCommas: true })) as Record<
    string,
    unknown
  >;
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(value, key));
  if (has('servers', 'mcpServers', 'policy')) {
    const { problems, warnings } = await readMcpJson(text, { TICKETS_TOKEN: 'x' });
    // In the files of agents the one server is Clifford itself, which its own file may not name.
    return [...problems.filter(({ serverId }) => serverId !== 'clifford'), ...warnings];
  }
  if (Array.isArray(value['tasks'])) {
    const tasks = value['tasks'].map((task: object) => ({ status: 'pending', ...task }));
    const manifest = { id: 'docs', name: 'Docs', status: 'pending', ...value, tasks };
    const read = parseManifest(JSON.stringify(manifest), 'manifest.json');
    return read.tasks.length === tasks.length ? [] : ['tasks are missing'];
  }
  if (has('sprint', 'event', 'streamversion')) return [];
  // The settings of editors.
  if (has('agent_servers'))
    return Object.values(editorsSchema.parse(value).agent_servers).flatMap(({ command, args }) =>
      /(^|\/)clifford$/.test(command) ? (wrongWith(args) ?? []) : [`${command} is not clifford`],
    );
  const { problems, unknownKeys } = parseConfig('clifford.json', text);
  return [...problems, ...unknownKeys];
}

describe('the code blocks of README and docs', () => {
  it('are there, each in a language that is checked or in none', () => {
    expect(blocks.length).toBeGreaterThan(40);
    const others = blocks.filter(({ language }) => !languages.includes(language));
    expect(others.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
    const notRun = blocks.filter(({ language }) => ['js', 'ts', 'bash'].includes(language));
    for (const { page, language } of notRun) expect(executed[page], page).toBe(language);
  });

  it.each(named('sh'))('%s has commands that exist, with options that they have', (_, { text }) => {
    const problems = commandsIn(text).map((words) => {
      const wrong = wrongWith(words);
      return wrong === undefined ? undefined : `clifford ${words.join(' ')}: ${wrong}`;
    });
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it.each(named('json'))('%s is JSON, and what it configures is legal', async (_, { text }) => {
    expect(await problemsIn(text)).toEqual([]);
  });
});

it('a command that does not exist, an unknown option and a missing argument are found', () => {
  expect(wrongWith(['fly'])).toBe('no command fly');
  expect(wrongWith(['run', '--quickly'])).toBe('no option --quickly');
  expect(wrongWith(['answer'])).toBe('too few arguments');
  expect(wrongWith(['status', 'a', 'b'])).toBe('too many arguments: a b');
});
