import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { CliffordError } from '../errors.ts';

/** A command line that starts an agent. */
export type AgentCommand = {
  /** The executable as found. */
  readonly file: string;
  /** As the human wrote it, split, `{prompt}` not replaced. */
  readonly argv: readonly [string, ...string[]];
};

/** Stands for the prompt in an argument. Without one the prompt goes to stdin. */
const PROMPT_MARK = '{prompt}';

/**
 * Splits a command line, quotes but no shell, and finds its executable.
 *
 * @param cwd - Where the agent will run; a relative path starts there.
 * @param path - The `PATH` to search.
 * @throws {CliffordError} `AGENT_COMMAND_INVALID` when it is empty or a quote is not closed.
 * @throws {CliffordError} `AGENT_NOT_FOUND`.
 */
export function parseAgentCommand(
  line: string,
  { cwd, path = '' }: { cwd: string; path?: string | undefined },
): AgentCommand {
  const [name, ...args] = split(line);
  if (name === undefined || name === '') throw invalid(line, 'it is empty');
  const file = findExecutable(name, { cwd, path });
  if (file === undefined) throw notFound(name, cwd);
  return { file, argv: [name, ...args] };
}

/** The arguments and the input that give the prompt to an agent. */
export function withPrompt(
  { argv: [, ...args] }: AgentCommand,
  prompt: string,
): { args: string[]; input: string | undefined } {
  if (!args.some((arg) => arg.includes(PROMPT_MARK))) return { args, input: prompt };
  return { args: args.map((arg) => arg.replaceAll(PROMPT_MARK, () => prompt)), input: undefined };
}

/** string-argv takes an open quote as closed at the end: a word put behind it shows that. */
function split(line: string): string[] {
  const probe = 'end-of-line';
  if (parseArgsStringToArgv(`${line} ${probe}`).at(-1) !== probe)
    throw invalid(line, 'a quote is not closed');
  return parseArgsStringToArgv(line);
}

function findExecutable(name: string, { cwd, path }: { cwd: string; path: string }): string | undefined {
  if (name.includes('/')) return isExecutable(resolve(cwd, name)) ? resolve(cwd, name) : undefined;
  return path
    .split(delimiter)
    .map((folder) => join(resolve(cwd, folder), name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function notFound(name: string, cwd: string): CliffordError {
  const where = name.includes('/') ? `there is no program at ${resolve(cwd, name)}` : 'it is not on the PATH';
  return new CliffordError(`Cannot start agent command ${name}: ${where}`, {
    code: 'AGENT_NOT_FOUND',
    fix: 'Install it, or name another one with --agent-cmd',
    recovery: 'fix-input',
  });
}

function invalid(line: string, reason: string): CliffordError {
  return new CliffordError(`Cannot split agent command ${JSON.stringify(line)}: ${reason}`, {
    code: 'AGENT_COMMAND_INVALID',
    fix: 'Write it as in a shell, e.g. --agent-cmd "my-agent --prompt {prompt}"',
    recovery: 'fix-input',
  });
}
