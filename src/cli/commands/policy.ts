import type { Command } from 'commander';
import { documentation } from '../../package-file.ts';
import type { Cli } from '../cli.ts';
import type { PolicyJudgeOptions } from '../policy/policy-judge.ts';
import type { PolicyTestOptions } from '../policy/policy-test.ts';

/** The shape of a rule, and where it stands. */
const howToWrite = `
Rules stand in mcp.json. A rule names a server, a tool or both (* and ? are
patterns), may set conditions on arguments, and says allow, deny or confirm:
then a human is asked. Deny wins over confirm, confirm over allow.

  "policy": {
    "default": "confirm",
    "rules": [
      { "server": "fs", "tool": "read_*", "decision": "allow" },
      { "server": "fs", "tool": "write_*", "decision": "allow",
        "args": { "path": { "below": "docs" } } }
    ]
  }

All there is to it: ${documentation('policy')}`;

/** `clifford policy`: what the policy says, and why. */
export function addPolicy(mcp: Command, cli: Cli): void {
  const policy = mcp
    .command('policy')
    .summary('see what the policy says, and why')
    .description(
      'The policy that judges calls: the rules of mcp.json, and what humans allowed on top of them.',
    )
    .addHelpText('after', `${howToWrite}\n\nExample:\n  clifford policy list`);
  policy
    .command('list')
    .summary('list the rules, and what humans allowed')
    .description('Lists the rules of mcp.json, and what humans allowed for more than one call.')
    .option(
      '--json',
      'for programs: { default, agents: { ask, rules: [ … ] }, rules: [ … ], granted: [ … ] }',
    )
    .addHelpText('after', '\nExamples:\n  clifford policy list\n  clifford policy list --json')
    .action(async (options: { json?: true }) => {
      const { policyList } = await import('../policy/policy-list.ts');
      await policyList(cli, options);
    });
  policy
    .command('test')
    .summary('say what would become of a call, without making it')
    .description(
      'Says whether a call would run, be refused or be shown to a human, by which rule, and why the others do not ' +
        'apply. The call is not made, and as a rule nothing is started: only a server with "trust": "full" that never ' +
        'ran is, when rules depend on what it says about its tools.',
    )
    .argument('<server>', 'id in mcp.json')
    .argument('<tool>', 'name as its server has it')
    .option('--args <json>', 'the arguments, a JSON object; - reads stdin')
    .option('--sprint <sprint>', 'as if it were made in this sprint')
    .option('--task <task>', 'as if it were made in this task')
    .option('--json', 'for programs: { server, tool, decision, rule, reason, rules: [ … ], notes }')
    .addHelpText(
      'after',
      `\nExamples:\n  clifford policy test fs read_file\n  clifford policy test fs write_file --args '{"path": "docs/a.md"}'`,
    )
    .action(async (server: string, tool: string, options: PolicyTestOptions) => {
      const { policyTest } = await import('../policy/policy-test.ts');
      await policyTest(cli, server, tool, options);
    });
  policy
    .command('judge')
    .summary("say what would become of a call of an agent's own tool")
    .description(
      'Says whether an agent that is spoken with over ACP would run a command, change a file or do something else with a ' +
        'tool of its own, would be refused, or a human would be asked, and by which rule. Nothing is run.',
    )
    .argument('<kind>', 'execute, edit, delete, move, read, search, fetch or other')
    .option('--command <line>', 'the line that its shell would read')
    .option('--path <path...>', 'files that the call is about')
    .option('--host <host...>', 'machines that it would reach')
    .option('--agent <name>', 'as if this agent made it; default: the one of clifford.json')
    .option('--sprint <sprint>', 'as if it were made in this sprint')
    .option('--task <task>', 'as if it were made in this task')
    .option('--json', 'for programs: { kind, decision, rule, reason, notes }')
    .addHelpText(
      'after',
      "\nExamples:\n  clifford policy judge execute --command 'npm test && git push'\n  clifford policy judge edit --path src/a.ts",
    )
    .action(async (kind: string, options: PolicyJudgeOptions) => {
      const { policyJudge } = await import('../policy/policy-judge.ts');
      await policyJudge(cli, kind, options);
    });
  policy
    .command('remove')
    .summary('revoke what a human allowed')
    .description(
      'Revokes what a human allowed for a task, a sprint or always. Rules of mcp.json are changed there.',
    )
    .argument('<id>', 'of the rule, or a unique beginning of it: see clifford policy list')
    .option('--json', 'for programs: { removed }')
    .addHelpText('after', '\nExample:\n  clifford policy remove r-0198c')
    .action(async (id: string, options: { json?: true }) => {
      const { policyRemove } = await import('../policy/policy-remove.ts');
      await policyRemove(cli, id, options);
    });
}
