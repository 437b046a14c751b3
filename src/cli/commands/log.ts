import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

/** `clifford log …`: the log as a whole. */
export function addLog(program: Command, cli: Cli): void {
  const log = program.command('log').summary('copy the log to another place');
  log
    .command('copy')
    .summary('copy events from one log to another, as they are')
    .description(
      'Copies the events of a log to another one, each line as it is, in the same order: chains hold there, too. A log is a ' +
        'file, .clifford/events.jsonl of a project, or on a server. Both are read and checked first. Of sprints that are ' +
        'there already the rest is copied, so that it can be done again; one that has gone on differently is refused.',
    )
    .argument('<from>', 'a file, or nats://host:4222/project')
    .argument('<to>', 'the same; what is not there is made')
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
}
