import { InvalidArgumentError, Option, type Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import type { Cli } from '../cli.ts';
import { addMetricsOption, type MetricsOption } from '../input/metrics-option.ts';
import { addPageOptions, pageOrder, requireNoPage, type PageOptions } from '../input/page-options.ts';
import { port } from '../input/port.ts';
import { addScreenOptions, screenFor, type ScreenOptions } from '../input/screen-options.ts';
import { endRun, nextStep } from '../run/end-run.ts';
import { orderRun, type RunWish } from '../run/order-run.ts';
import { WEB_PORT } from '../web/open-page.ts';
import { tellDecided } from '../text/decided-json.ts';

type Options = Omit<RunWish, 'agentVia' | 'page'> &
  ScreenOptions &
  MetricsOption &
  PageOptions & { agentAcp?: string; web?: number | true; exit?: true; json?: true };

/** The same, with one agent chosen, or none, and the page. */
type Order = RunWish & Pick<Options, keyof ScreenOptions | 'exit' | 'json'>;

/** `clifford run`: works through a sprint, with a screen where there is a terminal. */
export function addRun(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .summary('work through a sprint')
    .description('Works through the tasks of a sprint with an agent, and takes up one that was interrupted.')
    .argument('[sprint]', 'id or folder name (default: the only unfinished one)')
    .option('--agent <name>', 'which agent of the configuration works on the tasks')
    .addOption(
      new Option(
        '--agent-cmd <command>',
        'what starts an agent; {prompt} is replaced, else the prompt goes to stdin',
      ).env('CLIFFORD_AGENT_CMD'),
    )
    .option('--agent-acp <command>', 'what starts an agent that speaks the Agent Client Protocol')
    .option('--model <model>', 'takes the place of {model} in the command of the agent')
    .option('--max-attempts <n>', 'failed attempts that end a task (default: 1)', positiveInteger)
    .option(
      '--parallel <n>',
      'tasks at once, each in a git worktree of its own (default: 1)',
      positiveInteger,
    )
    .option('--no-wait', 'instead of waiting for a human end with 3, for the end of a usage limit with 4')
    .option('--fail-fast', 'start no other task once one has failed')
    .option('--despite-limit', 'start agents at once whose usage limit, as far as is known, has not ended')
    .option('--accept-commands', 'run commands that the files name since the last run without being asked')
    .option('--web [port]', 'serve the page to the browser meanwhile (default port: 4077)', port)
    .option('--plain', 'one line per event instead of the screen')
    .option('--exit', 'leave the screen when the run is over')
    .option('--json', 'for programs: one line when the run is over; what happens until then is on stderr')
    .addHelpText(
      'after',
      '\nWhile a task waits for an answer the next one starts, in the same folder unless' +
        '\nwith --parallel. It waits, too, where "dependsOn" says so, and, but for' +
        '\n--parallel, where tasks are verified or committed. What is not given is looked' +
        '\nup in the manifest and in clifford.json: see clifford config --explain' +
        '\n\nExamples:\n  clifford run sprint-1 --agent-cmd "my-agent --print {prompt}"\n  clifford run --plain --no-wait --max-attempts 3 --agent-cmd ./agent.sh\n  clifford run --parallel 4\n  clifford run --agent-acp "my-agent --acp"',
    )
    .action((sprint: string | undefined, options: Options, command: Command) =>
      run(
        cli,
        sprint,
        chosenAgent(chosenPage(cli, options), command.getOptionValueSource('agentCmd') === 'env'),
      ),
    );
  addPageOptions(command);
  addMetricsOption(command);
  addScreenOptions(command);
}

async function run(
  cli: Cli,
  sprint: string | undefined,
  { plain, theme, mouse, exit: exits, json, ...wish }: Order,
): Promise<void> {
  if (json) return runForProgram(cli, sprint, wish);
  const look = await screenFor(cli, { plain, theme, mouse });
  const order = { ...(await orderRun(cli, sprint, wish)), exits, look };
  const finished = look
    ? await (await import('../run/run-on-screen.ts')).runOnScreen(cli, order)
    : await (await import('../run/run-plain.ts')).runPlain(cli, order);
  endRun(cli, finished);
  const next = nextStep(finished, cli.called);
  if (next !== undefined) cli.warn(next);
}

/** The same without a screen, and for stdout but one line. */
async function runForProgram(cli: Cli, sprint: string | undefined, wish: RunWish): Promise<void> {
  const { runPlain } = await import('../run/run-plain.ts');
  const quiet: Cli = {
    ...cli,
    print: cli.warn,
    say: cli.warn,
    printLines: (lines) => lines.forEach(cli.warn),
    deliver: (line) => cli.deliver(line, 'stderr'),
  };
  const { stream, end } = endRun(quiet, await runPlain(quiet, await orderRun(quiet, sprint, wish)));
  tellDecided(cli, true, { done: 'ran', sprint: stream, tasks: [], ...end }, () => undefined);
}

/** How the page is served, where it is. */
function chosenPage(cli: Cli, options: Options): Options & Pick<RunWish, 'page'> {
  const { web, host: _host, name: _name, cert: _cert, key: _key, ...rest } = options;
  if (web === undefined) requireNoPage(options);
  return {
    ...rest,
    page: web === undefined ? undefined : pageOrder(cli, web === true ? WEB_PORT : web, options),
  };
}

/** Which agent is meant, by its name or a command line. A flag is closer at hand than the environment. */
function chosenAgent(
  { agentAcp, agentCmd: command, ...rest }: Options & Pick<RunWish, 'page'>,
  isFromEnv: boolean,
): Order {
  const { agent } = rest;
  const given = Object.entries({
    '--agent': agent,
    '--agent-cmd': isFromEnv ? undefined : command,
    '--agent-acp': agentAcp,
  });
  const [first, second] = given.filter(([, value]) => value !== undefined).map(([flag]) => flag);
  if (first !== undefined && second !== undefined) throw twoAgents(first, second);
  if (agentAcp !== undefined) return { ...rest, agentCmd: agentAcp, agentVia: 'acp' };
  // An empty variable says nothing.
  const isUnset = isFromEnv && (agent !== undefined || command === '');
  return isUnset || command === undefined ? rest : { ...rest, agentCmd: command };
}

function positiveInteger(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number above 0.');
}

function twoAgents(first: string, second: string): CliffordError {
  return new CliffordError(`Cannot use ${first} together with ${second}: both choose the agent`, {
    code: 'AGENT_UNCLEAR',
    fix: 'Give one of the two',
  });
}
