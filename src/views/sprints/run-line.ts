import { printedWord } from '../../lib/text/shell-word.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { AgentRun } from '../../machines/task-state.ts';

/** A longer command line of an agent is not repeated, in characters. */
const LONGEST = 200;

/** Stands for what cannot be repeated: it is long, hidden, or was not all of it. */
const OMITTED = '…';

/** The options of the command line of the last run; none: the files said everything. */
export function runOptions(sprint: Pick<SprintState, 'tasks' | 'runner'>): readonly string[] {
  const { parallel, maxAttempts, failFast } = sprint.runner?.options ?? {};
  return [
    ...agentOptions(sprint),
    ...(parallel === undefined ? [] : ['--parallel', `${parallel}`]),
    ...(maxAttempts === undefined ? [] : ['--max-attempts', `${maxAttempts}`]),
    ...(failFast ? ['--fail-fast'] : []),
  ];
}

/** Those by which it chose its agent. */
function agentOptions({ tasks }: Pick<SprintState, 'tasks'>): readonly string[] {
  const runs = [...tasks.values()].flatMap(({ agent }) => agent ?? []);
  const [first, ...others] = runs;
  if (!first) return [];
  const last = others.reduce((a, b) => (b.startedAt > a.startedAt ? b : a), first);
  if (last.option === undefined) return [];
  return [last.option, last.option === '--agent' ? (last.agent ?? OMITTED) : commandOf(last)];
}

/**
 * The command line that runs a sprint, as one to be copied, with what it was run with last.
 *
 * @param called - What names the program, and the project where that is another one.
 */
export function runLine(id: string, options: readonly string[] = [], called = 'clifford'): string {
  const words = options.map((option) => printedWord(option));
  return [called, 'run', visibleLine(id), ...words].join(' ');
}

/** The same, of a sprint's state. */
export function runLineOf(sprint: Pick<SprintState, 'id' | 'tasks' | 'runner'>, called?: string): string {
  return runLine(sprint.id, runOptions(sprint), called);
}

function commandOf({ argv, runId, sessionId }: AgentRun): string {
  // Of a session that was gone on with, it may be the command for that.
  if (sessionId !== undefined) return OMITTED;
  const line = argv.map((arg) => quoted(arg.endsWith(`${runId}/mcp.json`) ? '{mcpConfig}' : arg)).join(' ');
  const isWhole = line.length <= LONGEST && !line.includes('[redacted') && !/[\t\r\n]/.test(line);
  return isWhole ? line : OMITTED;
}

/** A word of a command line that knows quotes and no shell. */
function quoted(arg: string): string {
  if (arg !== '' && !/[\s"']/.test(arg)) return arg;
  return arg.includes('"') ? `'${arg}'` : `"${arg}"`;
}
