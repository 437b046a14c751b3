import { parseArgsStringToArgv } from 'string-argv';

/** A command of Clifford's own that reads only, as the palette knows it. */
export type SlashCommand = {
  /** As it is typed: `/mcp inspect`. */
  readonly name: string;
  readonly argv: readonly string[];
  /** What has to stand behind it. */
  readonly needs?: string;
  /** Options that may, which read only, too. */
  readonly options?: readonly string[];
  readonly about: string;
};

const place = ['--sprint', '--task'] as const;

/** What the command line has no command for: the run whose screen it is says it. */
const PAGE = '/page';

/** All of them, in the order of the list. */
export const slashCommands: readonly SlashCommand[] = [
  { name: '/status', argv: ['status'], options: ['--json'], about: 'where all sprints stand' },
  { name: '/questions', argv: ['questions'], options: ['--all', '--json'], about: 'what waits for a human' },
  { name: '/doctor', argv: ['doctor'], options: ['--json'], about: 'whether a run has everything it needs' },
  {
    name: '/explain',
    argv: ['config', '--explain'],
    options: [...place, '--json'],
    about: 'what is configured, and where each value comes from',
  },
  { name: PAGE, argv: [PAGE], about: 'the address of the page, for a browser' },
  { name: '/mcp list', argv: ['mcp', 'list'], options: ['--json'], about: 'the servers, and their states' },
  { name: '/mcp doctor', argv: ['mcp', 'doctor'], options: ['--json'], about: 'what is wrong with them' },
  {
    name: '/mcp inspect',
    argv: ['mcp', 'inspect'],
    needs: '<server> [tool]',
    options: ['--json'],
    about: 'the tools of a server',
  },
  { name: '/policy list', argv: ['policy', 'list'], options: ['--json'], about: 'the rules' },
  {
    name: '/policy test',
    argv: ['policy', 'test'],
    needs: '<server> <tool>, or --log',
    options: [...place, '--args', '--log', '--json'],
    about: 'what would become of a call',
  },
  {
    name: '/policy judge',
    argv: ['policy', 'judge'],
    needs: '<kind>, e.g. execute --command "ls"',
    options: [...place, '--command', '--path', '--host', '--agent', '--json'],
    about: 'what would become of a call of an agent',
  },
];

/** What was typed: a command to run, or why it is none. */
export type TypedCommand =
  | { readonly argv: readonly string[] }
  /** It goes on so. */
  | { readonly goesOn: string }
  | { readonly problem: string };

/** Whether it is asked where the page is served. */
export function isAboutPage(argv: readonly string[]): boolean {
  return argv[0] === PAGE;
}

/** Reads a line that begins with `/`. `picked`: what its beginning stands for, where it is none itself. */
export function readSlash(line: string, picked?: SlashCommand): TypedCommand {
  const words = parseArgsStringToArgv(line.trim());
  const named = slashCommands
    .toSorted((one, other) => other.argv.length - one.argv.length)
    .find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  const command = named ?? picked;
  if (!command) return { problem: 'There is no such command: Tab completes one' };
  const rest = named ? words.slice(named.name.split(' ').length) : [];
  if (rest.length === 0 && command.needs !== undefined) return { goesOn: `${command.name} ` };
  const foreign = rest.find(
    (word) => word.startsWith('-') && !(command.options ?? []).includes(word.split('=')[0] ?? word),
  );
  if (foreign !== undefined) return { problem: `${command.name} takes no ${foreign} here` };
  return { argv: [...command.argv, ...rest] };
}
