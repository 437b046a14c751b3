import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { collect } from '../input/collect.ts';

/** What `clifford ask` was told on its command line. */
export type AskOptions = {
  readonly task?: string;
  /** The question as the command's argument; `question` is that of the option. */
  readonly argument?: string;
  readonly question?: string;
  readonly reason?: string;
  readonly context?: string;
  readonly option?: readonly string[];
  /** JSON. */
  readonly questions?: string;
  readonly sprint?: string;
  readonly request?: string;
  /** Seconds. */
  readonly wait?: number;
  readonly json?: true;
};

/** Longest `--wait`, in seconds: a timer takes no more. */
const MAX_WAIT_S = 2_000_000;

/** `clifford ask`: asks a human from any shell, and waits. What an agent without MCP uses. */
export function addAsk(program: Command, cli: Cli): void {
  const asks = ['question', 'task', 'reason', 'context', 'option', 'questions', 'sprint'];
  program
    .command('ask')
    .summary('ask a human, and wait for the answer')
    .description(
      'Asks the human and waits for the answer, which is all that stdout gets. Ends with 1 when the question is ' +
        'rejected, dismissed or wanted in other words, and says so on stderr. For agents that have no MCP. The same words again join ' +
        'the question that is open.',
    )
    .argument('[question]', 'what to ask, complete; - reads stdin')
    .option('--question <text>', 'the same, as an option')
    .option('--task <task>', "the task it is about (default: that of this agent's attempt)")
    .option('--reason <text>', 'why you cannot go on without the answer')
    .option('--context <text>', 'what helps to decide')
    .option('--option <text>', 'an answer to choose from; may be repeated', collect)
    .addOption(
      new Option(
        '--questions <json>',
        'several questions at once, as a JSON list of { title, question, options, multiple, ownWords, required }, of which only ' +
          'the title has to be there; each has to be answered unless required is false; of options there are 2 to 20, and an option is a text or { label, description, preview, recommended }; - reads stdin',
      ).conflicts('option'),
    )
    .option('--sprint <sprint>', 'id or folder name (default: that of CURRENT_SPRINT_DIR, or the active one)')
    .addOption(
      new Option('--request <id>', 'wait again for a question that was asked before').conflicts(asks),
    )
    .option('--wait <seconds>', 'end with 3 when there is no answer by then; the question stays', seconds)
    .option('--json', 'for programs: { requestId, status, answer, … }')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford ask "Which database?" --task task-2 --option Postgres --option SQLite\n' +
        '  clifford ask --request q-0198 --wait 300 --json',
    )
    .action(async (argument: string | undefined, options: AskOptions) => {
      const { askAndWait } = await import('../requests/ask-and-wait.ts');
      await askAndWait(cli, argument === undefined ? options : { ...options, argument });
    });
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= MAX_WAIT_S) return value;
  throw new InvalidArgumentError(`It is not a number of seconds from 0 to ${MAX_WAIT_S}.`);
}
