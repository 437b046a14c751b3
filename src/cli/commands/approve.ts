import { Option, type Command } from 'commander';
import { approvalScopeSchema, type ApprovalScope } from '../../events/approval.ts';
import { approve } from '../../workflow/requests/approval.ts';
import { findRequest } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { closeAndTell } from '../requests/close-and-tell.ts';
import { decideIn } from '../requests/decide-in.ts';
import { approveEdit, isEdit, type EditOptions } from '../requests/approve-edit.ts';
import { decideSame, sameMeant } from '../requests/decide-same.ts';
import { lostRace } from '../requests/request-errors.ts';
import { isMeantCall } from '../requests/shown-call.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { whenItRuns } from '../../views/requests/allowed-text.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import { tellRun } from '../project/tell-run.ts';
import { checkText } from '../input/read-text.ts';

type Options = { scope: ApprovalScope; reason?: string; same?: true; yes?: true } & EditOptions;

/** `clifford approve`: a human's yes to a tool call that waits. */
export function addApprove(program: Command, cli: Cli): void {
  program
    .command('approve')
    .summary('allow a tool call that waits')
    .description(
      'Allows a tool call that waits for a human. The first decision wins. Anything but the whole id shows the call, and asks.',
    )
    .argument('<id|last>', 'id of the request, a unique beginning of it, or last for the only open one')
    .addOption(
      new Option('--scope <scope>', 'for this call alone, or for longer: in its task, its sprint, always')
        .choices(approvalScopeSchema.options)
        .default('once'),
    )
    .addOption(
      new Option('--same', 'and all that wait like it: each is listed, and asked about').conflicts([
        'scope',
        'edit',
        'command',
        'args',
      ]),
    )
    .option('--yes', 'with --same: without asking')
    .option('--reason <text>', 'why, for the log', checkText)
    .addOption(
      new Option('--edit', 'change the call in $EDITOR first').conflicts(['scope', 'command', 'args']),
    )
    .addOption(
      new Option('--command <line>', 'allow it with this command instead; - reads stdin').conflicts([
        'scope',
        'args',
      ]),
    )
    .addOption(
      new Option('--args <json>', 'allow it with these arguments instead; - reads stdin').conflicts('scope'),
    )
    .option('--json', 'for programs: one line')
    .addHelpText(
      'after',
      '\nFor longer than once: of a server, every call of the tool; of a tool of an\n' +
        "agent's own, such as its shell, exactly this call. See and revoke them with\n" +
        'clifford policy list.\n\n' +
        'A call of a server that is changed runs so, and the agent is told. An agent runs\n' +
        'its own tools itself: it is denied, and told to make the changed call, which\n' +
        'then runs once without asking; behind an editor it hears only a no, and you\n' +
        'tell it. clifford questions says which it is.\n' +
        '\nExamples:\n  clifford approve last\n  clifford approve q-0198c --scope sprint\n  clifford approve last --edit\n' +
        '  clifford approve q-0198c --command "npm test"',
    )
    .action((name: string, options: Options) => run(cli, name, options));
}

async function run(cli: Cli, name: string, options: Options): Promise<void> {
  const { scope, reason, json } = options;
  await decideIn(cli, { verb: 'approve', name }, async (project) => {
    const request = options.same ? sameMeant(project.state, name) : findRequest(project.state, name);
    const { id, asked } = request;
    requireHuman(cli, `approve ${id}`, project);
    if (options.same)
      return decideSame(cli, project, request, { ...options, name, verdict: 'approved', by: cli.by });
    // Before anything of it is shown, or asked.
    if (asked.approval && request.phase !== 'open') throw lostRace('approve', id, request);
    if (isEdit(options)) return approveEdit(cli, project, request, { ...options, name });
    if (!(await isMeantCall(cli, project, request, { verb: 'approve', name, json }))) return;
    const what = callName(asked.approval);
    const far = { once: 'this call', task: 'in this task', sprint: 'in this sprint', always: 'always' }[
      scope
    ];
    const only = asked.approval?.isOwn && scope !== 'once' ? 'exactly this call, ' : '';
    await closeAndTell(cli, project, request, {
      verb: 'approve',
      done: 'approved',
      json,
      close: () => approve(project, id, { scope, by: cli.by, via: 'cli', response: reason }),
      say: (_ended, isAwaited, isParked) => {
        cli.say(`allowed ${id}: ${what}, ${only}${far}`);
        // Of an agent that starts again is told what else it waits for.
        if (isParked) return;
        cli.say(`${isAwaited ? '' : 'no agent waits for it now: '}${whenItRuns({ isAwaited, isParked })}`);
        if (!isAwaited) tellRun(cli, project, request.stream);
      },
    });
  });
}
