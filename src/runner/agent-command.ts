import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { CliffordError } from '../errors.ts';

/** A command line that starts an agent. */
export type AgentCommand = {
  /** The executable as found. */
  readonly file: string;
  /** Split, `{model}` replaced, `{prompt}` not. */
  readonly argv: readonly [string, ...string[]];
  /** The same as it may be recorded: what variables of the configuration brought in is not in it. */
  readonly recorded: readonly string[];
};

/** How to read a command line. */
type Reading = {
  /** Where the agent will run; a relative path starts there. */
  readonly cwd: string;
  /** The `PATH` to search. */
  readonly path?: string | undefined;
  /** Takes the place of `{model}`. */
  readonly model?: string | undefined;
  /** Line and model as they may be shown and recorded. Default: as they are. */
  readonly shown?: { readonly line: string; readonly model: string | undefined } | undefined;
};

/** Stands for the prompt in an argument. Without one the prompt goes to stdin. */
const PROMPT_MARK = '{prompt}';

/** Stands for the model in an argument. */
const MODEL_MARK = '{model}';

/**
 * Splits a command line, quotes but no shell, and finds its executable.
 *
 * @throws {CliffordError} `AGENT_COMMAND_INVALID` when it is empty or a quote is not closed.
 * @throws {CliffordError} `AGENT_NOT_FOUND`; `MODEL_MISSING` when it has `{model}` and there is none.
 */
export function parseAgentCommand(
  line: string,
  { cwd, path = '', model, shown = { line, model } }: Reading,
): AgentCommand {
  const [name, ...args] = split(line, shown.line);
  if (name === undefined || name === '') throw invalid(shown.line, 'it is empty');
  if (model === undefined && args.some((arg) => arg.includes(MODEL_MARK))) throw noModel(shown.line);
  const file = findExecutable(name, { cwd, path });
  if (file === undefined) throw notFound(name, cwd);
  const fill = (arg: string, by = '') => arg.replaceAll(MODEL_MARK, () => by);
  return {
    file,
    argv: [name, ...args.map((arg) => fill(arg, model))],
    recorded: parseArgsStringToArgv(shown.line).map((arg) => fill(arg, shown.model)),
  };
}

/** The arguments and the input that give the prompt to an agent. */
export function withPrompt(
  { argv: [, ...args] }: Pick<AgentCommand, 'argv'>,
  prompt: string,
): { args: string[]; input: string | undefined } {
  if (!args.some((arg) => arg.includes(PROMPT_MARK))) return { args, input: prompt };
  return { args: args.map((arg) => arg.replaceAll(PROMPT_MARK, () => prompt)), input: undefined };
}

/** string-argv takes an open quote as closed at the end: a word put behind it shows that. */
function split(line: string, shown: string): string[] {
  const probe = 'end-of-line';
  if (parseArgsStringToArgv(`${line} ${probe}`).at(-1) !== probe)
    throw invalid(shown, 'a quote is not closed');
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

function noModel(line: string): CliffordError {
  return new CliffordError(
    `Cannot start agent command ${line}: it has ${MODEL_MARK}, and no model is configured`,
    {
      code: 'MODEL_MISSING',
      fix: 'Name one with --model, or as "model" in the manifest or in clifford.json',
      recovery: 'fix-input',
    },
  );
}

function invalid(line: string, reason: string): CliffordError {
  return new CliffordError(`Cannot split agent command ${JSON.stringify(line)}: ${reason}`, {
    code: 'AGENT_COMMAND_INVALID',
    fix: 'Write it as in a shell, e.g. --agent-cmd "my-agent --prompt {prompt}"',
    recovery: 'fix-input',
  });
}
