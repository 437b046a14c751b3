import { InvalidArgumentError, type Command } from 'commander';
import type { Role } from '../../events/jetstream/access.ts';
import type { Cli } from '../cli.ts';
import { collect } from '../input/collect.ts';

/** `clifford log …`: the log as a whole. */
export function addLog(program: Command, cli: Cli): void {
  const log = program.command('log').summary('copy the log to another place, or let others in');
  log
    .command('copy')
    .summary('copy events from one log to another, as they are')
    .description(
      'Copies the events of a log to another one, each line as it is, in the same order: chains hold there, too. A log is a ' +
        'file, .clifford/events.jsonl of a project, or on a server. Both are read and checked first. Of sprints that are ' +
        'there already the rest is copied, so that it can be done again; one that has gone on differently is refused.',
    )
    .argument('<from>', 'a file, or nats://host:4222/project', logPlace)
    .argument('<to>', 'the same; what is not there is made', logPlace)
    .option('--sprint <id...>', 'only these sprints (default: all, and adhoc)')
    .option('--json', 'for programs: { events, streams, already }')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford log copy .clifford/events.jsonl nats://127.0.0.1:4222/my-project\n  clifford log copy nats://127.0.0.1:4222/my-project events.jsonl --sprint sprint-1',
    )
    .action(async (from: string, to: string, options: { sprint?: string[]; json?: true }) => {
      const { copyLogs } = await import('../log/copy-logs.ts');
      await copyLogs(cli, { from, to, ...options });
    });
  addAccess(log, cli);
}

/** `clifford log access`: who may use a log on a server. */
function addAccess(log: Command, cli: Cli): void {
  log
    .command('access')
    .summary('let workers, humans and auditors in to a log on a server')
    .description(
      'Prints the accounts of a project for the configuration of a NATS server, with everybody whose key is in the folder: ' +
        'in these, each may do what Clifford does for them, and nothing else, and sees nothing of other projects. Makes a key ' +
        'for those who are named and have none.',
    )
    .argument('<project>', 'what it is called on the server', token)
    .requiredOption(
      '--keys <folder>',
      'where the keys are, a file for each; it is made, and git ignores it then',
    )
    .option('--worker <name>', 'a machine that runs sprints; may be repeated', tokens)
    .option('--human <name>', 'somebody who answers, and runs sprints; may be repeated', tokens)
    .option('--auditor <name>', 'somebody who looks only; may be repeated', tokens)
    .option('--json', 'for programs: { project, users, permissions, config }')
    .addHelpText(
      'after',
      '\nIn nats-server.conf: accounts { include "my-project.conf" }\nWho has a key names its file as log.nkey in clifford.json, or in CLIFFORD_LOG_NKEY.' +
        '\nRestart the server when a project is new there. To let somebody out, remove their key, print it again, and reload the server.' +
        '\n\nExample:\n  clifford log access my-project --keys keys --worker build-1 --human ann --auditor eve > my-project.conf',
    )
    .action(
      async (
        project: string,
        options: { keys: string; json?: true } & Partial<Record<Role, readonly string[]>>,
      ) => {
        const { logAccess } = await import('../log/log-access.ts');
        logAccess(cli, { project, ...options });
      },
    );
}

/** What is copied, and where to, is read and checked first: of a pipe nobody can. */
function logPlace(text: string): string {
  if (text !== '-') return text;
  throw new InvalidArgumentError('It has to be a file or nats://host:4222/project, not stdin or stdout.');
}

function token(text: string): string {
  if (/^[\w-]{1,128}$/.test(text)) return text;
  throw new InvalidArgumentError('It has to be of letters, digits, _ and -.');
}

function tokens(text: string, before: readonly string[] | undefined): readonly string[] {
  return collect(token(text), before);
}
