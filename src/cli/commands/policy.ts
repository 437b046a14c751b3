import { Option, type Command } from 'commander';
import { documentation } from '../../package-file.ts';
import type { Cli } from '../cli.ts';
import type { PolicyJudgeOptions } from '../policy/policy-judge.ts';
import type { PolicyBacktestOptions } from '../policy/policy-backtest.ts';
import type { PolicySuggestOptions } from '../policy/policy-suggest.ts';
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
    ],
    "agents": {
      "rules": [
        { "kind": "execute", "command": { "startsWith": "npm test" },
          "decision": "allow" }
      ]
    }
  }

Rules of "agents" are for the tools of agents' own. What they allow counts once
mcp.json is trusted: clifford mcp trust.

Full documentation: ${documentation('policy')}`;

/** `clifford policy`: what the policy says, and why; what another one would have said. */
export function addPolicy(program: Command, cli: Cli): void {
  const policy = program
    .command('policy')
    .summary('see what the policy says, and what rules would do')
    .description(
      "The policy that judges calls, of servers' tools and of agents' own: the rules of mcp.json, and what humans allowed " +
        'on top of them.',
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
  addTest(policy, cli);
  addSuggest(policy, cli);
  policy
    .command('judge')
    .summary("say what would become of a call of an agent's own tool")
    .description(
      'Says whether an agent that is spoken with over ACP would run a command, change a file or do something else with a ' +
        'tool of its own, would be denied, or a human would be asked, and by which rule. Nothing is run.',
    )
    .argument('<kind>', 'execute, edit, delete, move, read, search, fetch, think, switch_mode or other')
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
    .argument(
      '<id>',
      'of the rule, or a unique beginning of it, four digits or more: see clifford policy list',
    )
    .option('--json', 'for programs: { removed }')
    .addHelpText('after', '\nExample:\n  clifford policy remove r-0198c')
    .action(async (id: string, options: { json?: true }) => {
      const { policyRemove } = await import('../policy/policy-remove.ts');
      await policyRemove(cli, id, options);
    });
}

/** `clifford policy test`: what would become of a call, or of all that the log has. */
function addTest(policy: Command, cli: Cli): void {
  const test = policy
    .command('test')
    .summary('say what would become of a call, or of all calls in the log')
    .description(
      'Says whether a call would run, be denied or be shown to a human, by which rule, and why the others do not ' +
        'apply. The call is not made, and as a rule nothing is started: only a server with "trust": "full" that never ' +
        'ran is, when rules depend on what it says about its tools.\n\nWith --log it judges every call that the log has, ' +
        "of servers' tools and of agents' own, and compares that with what became of it. Ends with 1 when the rules " +
        'contradict a human.',
    )
    .argument('[server]', 'id in mcp.json; needed without --log')
    .argument('[tool]', 'name as its server has it; needed without --log')
    .option('--args <json>', 'the arguments, a JSON object; - reads stdin')
    .option(
      '--sprint <sprint>',
      'as if it were made in this sprint; with --log only the calls of this sprint',
    )
    .option('--task <task>', 'as if it were made in this task')
    .addOption(new Option('--log', 'judge the calls in the log').conflicts(['args', 'task']))
    .addOption(
      new Option(
        '--rules <file>',
        'judge them by the policy of this file instead of mcp.json; - reads stdin',
      ).implies({
        log: true,
      }),
    )
    .option(
      '--json',
      'for programs: { server, tool, decision, rule, reason, rules: [ … ], notes }; with --log { judged, counts, ' +
        'answered, byHumans, contradictions: [ … ], changes: [ … ], unjudged: [ … ], unasked }',
    )
    .addHelpText(
      'after',
      `\nExamples:\n  clifford policy test fs read_file\n  clifford policy test fs write_file --args '{"path": "docs/a.md"}'\n` +
        '  clifford policy test --log --rules candidate.json',
    );
  test.action(
    async (
      server: string | undefined,
      tool: string | undefined,
      options: PolicyTestOptions & PolicyBacktestOptions,
    ) => {
      if (options.log) {
        if (server !== undefined)
          test.error(
            `error: too many arguments for 'test'. Expected 0 arguments with --log but got 1: ${server}.`,
          );
        const { policyBacktest } = await import('../policy/policy-backtest.ts');
        return policyBacktest(cli, options);
      }
      if (server === undefined || tool === undefined)
        return test.error(
          `error: ${server === undefined ? '<server> and <tool> are' : '<tool> is'} missing: without --log one call is judged`,
        );
      const { policyTest } = await import('../policy/policy-test.ts');
      return policyTest(cli, server, tool, options);
    },
  );
}

/** `clifford policy suggest`: rules that would have given the answers of humans. */
function addSuggest(policy: Command, cli: Cli): void {
  policy
    .command('suggest')
    .summary('propose rules for what humans always answered alike')
    .description(
      'Prints the fewest rules that would have given the answers of humans that the policy does not give: for calls of one ' +
        'shape (the same tool, words of a command, folder) that were answered three times or more, and always alike. As ' +
        'JSON for mcp.json, where comments are allowed, with what each would have matched. Nothing is written without --write.',
    )
    .option('--sprint <sprint>', 'by the calls of this sprint alone')
    .addOption(new Option('--write', 'put them into mcp.json: shows the change, and asks').conflicts('json'))
    .option('--yes', 'with --write: without asking')
    .option('--json', 'for programs: { rules: [ { list, rule, answers: [ … ], others: [ … ] } ] }')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford policy suggest\n  clifford policy suggest --write\n  clifford policy suggest | clifford policy test --rules -',
    )
    .action(async (options: PolicySuggestOptions) => {
      const { policySuggest } = await import('../policy/policy-suggest.ts');
      await policySuggest(cli, options);
    });
}
