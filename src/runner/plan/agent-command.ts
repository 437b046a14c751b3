import { resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { CliffordError } from '../../errors.ts';
import { findExecutable, type SearchPlace } from '../../lib/processes/find-executable.ts';

/** A command line that starts an agent, split. What its marks stand for is put in later. */
export type AgentCommand = {
  /** The executable as found. */
  readonly file: string;
  /** The executable as it is written. */
  readonly name: string;
  readonly args: readonly string[];
};

/** How to read a command line: where to look, and how to show it. Default: as it is. */
type Reading = SearchPlace & { readonly shown?: string | undefined };

/**
 * Splits a command line, quotes but no shell, and finds its executable.
 *
 * @throws {CliffordError} `AGENT_COMMAND_INVALID` when it is empty or a quote is not closed; `AGENT_NOT_FOUND`.
 */
export function parseAgentCommand(line: string, { cwd, path, shown = line }: Reading): AgentCommand {
  const { name, args } = splitAgentCommand(line, shown);
  const file = findExecutable(name, { cwd, path });
  if (file === undefined) throw notFound(name, cwd);
  return { file, name, args };
}

/**
 * Splits a command line, quotes but no shell.
 *
 * @throws {CliffordError} `AGENT_COMMAND_INVALID` when it is empty or a quote is not closed.
 */
export function splitAgentCommand(line: string, shown = line): Omit<AgentCommand, 'file'> {
  // string-argv takes an open quote as closed at the end: a word put behind it shows that.
  const probe = 'end-of-line';
  if (parseArgsStringToArgv(`${line} ${probe}`).at(-1) !== probe)
    throw invalid(shown, 'a quote is not closed');
  const [name, ...args] = parseArgsStringToArgv(line);
  if (name === undefined || name === '') throw invalid(shown, 'it is empty');
  return { name, args };
}

function notFound(name: string, cwd: string): CliffordError {
  const where = name.includes('/') ? `there is no program at ${resolve(cwd, name)}` : 'it is not on the PATH';
  return new CliffordError(`Cannot start agent command ${name}: ${where}`, {
    code: 'AGENT_NOT_FOUND',
    fix: 'Install it, or correct its command line (--agent-cmd, or "agentCmd" in clifford.json)',
  });
}

function invalid(line: string, reason: string): CliffordError {
  return new CliffordError(`Cannot parse agent command ${JSON.stringify(line)}: ${reason}`, {
    code: 'AGENT_COMMAND_INVALID',
    fix: 'Write it as in a shell, e.g. --agent-cmd "my-agent --prompt {prompt}"',
  });
}
