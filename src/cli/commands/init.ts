import { Option, type Command } from 'commander';
import { count } from '../../lib/text/count.ts';
import { CliffordError } from '../../errors.ts';
import { askLevels, DEFAULT_AGENT_POLICY, type AskLevel } from '../../gateway/config/agent-policy.ts';
import { MCP_CONFIG_FILE } from '../../gateway/config/load-mcp-config.ts';
import { knownAgents } from '../../runner/agents/known-agents.ts';
import { adapterNames, type AdapterName } from '../../workflow/config/adapter-names.ts';
import { listSprintFolders } from '../../workflow/sprint/sprint-folders.ts';
import { documentation } from '../../package-file.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { findInstall } from '../project/install.ts';
import { agree, lead, type Mode, type Proposal } from '../init/agree.ts';
import { chooseLevel, findAskLevel, isLevelOpen } from '../init/ask-level.ts';
import { findInstalled, namedBy } from '../init/choose-agent.ts';
import type { Finding } from '../init/finding.ts';
import { findIgnore } from '../init/ignore-state.ts';
import { mcpClients } from '../init/mcp-entries.ts';
import { findMcpEntries, likelyClients } from '../init/mcp-findings.ts';
import { findOwnFiles } from '../init/own-files.ts';
import { makeStateDir, writeTarget } from '../init/target-file.ts';
import { mayTrustChange, trustWritten } from '../init/trust-written.ts';
import { canAsk } from '../input/yes-or-no.ts';
import { columns } from '../text/columns.ts';
import { hanging } from '../text/paragraph.ts';

type Options = {
  agent?: string;
  ask?: AskLevel;
  mcp?: string[];
  yes?: true;
  dryRun?: true;
  force?: boolean;
  /** False with `--no-sprint`. */
  sprint: boolean;
};

/** `clifford init`: makes a folder a project, and tells agents of Clifford. */
export function addInit(program: Command, cli: Cli): void {
  const [example] = adapterNames;
  program
    .command('init')
    .summary('make a project, with a sprint to try')
    .description(
      'Makes clifford.json, mcp.json, a sprint to try and the text that agents start with, and on request tells agents of ' +
        "Clifford's MCP server. Shows first what it would write, and asks. Nothing that is there is overwritten.",
    )
    .option('--agent <name>', 'the agent to work with (default: the first that is installed)')
    .addOption(
      new Option(
        '--ask <level>',
        `what agents ask about before they do it (default: ${DEFAULT_AGENT_POLICY.ask})`,
      ).choices(askLevels),
    )
    .option('--mcp <agent...>', `add the MCP server to the files of these: ${mcpClients.join(', ')}`)
    .option('--no-sprint', 'make no sprint to try')
    .option('--yes', 'write without asking')
    .option('--dry-run', 'only show what would be written')
    .option('--force', 'replace entries of Clifford that say something else')
    .addHelpText(
      'after',
      `\nExamples:\n  clifford init\n  clifford init --agent ${example} --ask nothing --mcp ${example} vscode --yes`,
    )
    .action((options: Options) => init(cli, options));
}

async function init(cli: Cli, options: Options): Promise<void> {
  const { agent, ask, mcp = [], yes, dryRun, force = false, sprint: withSprint } = options;
  const { env, cwd } = cli;
  const asked =
    agent === undefined
      ? undefined
      : namedBy('--agent', agent, { known: adapterNames, others: otherAgents() });
  const named = mcp.map((name) => namedBy('--mcp', name, { known: mcpClients, others: otherClients() }));
  const root = findProjectRoot({ env, cwd });
  const install = findInstall(root, env);
  const installed = findInstalled(root, env['PATH']);
  const mode: Mode = dryRun ? 'show' : yes ? 'yes' : canAsk(cli) ? 'ask' : 'show';
  const agents = installed.map(({ title }) => title).join(', ') || 'none found on the PATH';
  cli.print(hanging(cli, lead('project'), root));
  cli.print(hanging(cli, lead('agents'), agents));

  const chosen = asked ?? installed[0]?.name;
  const isThere = installed.some(({ name }) => name === chosen);
  if (installed.length === 0 && asked === undefined) cli.printLines(installLines());
  const level = ask ?? (mode === 'ask' && (await isLevelOpen(root)) ? await chooseLevel(cli) : undefined);
  if (level === 'stop') return cli.endWith(exitCodes.interrupted);
  const own = [
    ...(await findOwnFiles(root, { agent: chosen, isAgentAsked: asked !== undefined, install, withSprint })),
    await findAskLevel(root, level),
  ];
  const ignore = await findIgnore(root, env);
  // Unasked, other programs' files are only looked at where somebody can say no.
  const clients =
    named.length > 0 || mode !== 'ask'
      ? named
      : likelyClients(
          root,
          installed.map(({ name }) => name),
        );
  const entries = await findMcpEntries(root, clients, install);
  const proposals: Proposal[] = [
    { findings: own, isBrief: true },
    ...(ignore ? [{ findings: [ignore], isBrief: false }] : []),
    ...entries.map((finding, at) => ({
      findings: [finding],
      isBrief: false,
      note: at === 0 && mode === 'ask' && named.length === 0 ? OFFERED : undefined,
    })),
  ];

  const findings = proposals.flatMap((proposal) => proposal.findings);
  if (findings.some(({ is }) => is === 'refused')) cli.endWith(exitCodes.input);
  const mayTrust = await mayTrustChange(cli, root);
  let isTrusted = true;
  let written = 0;
  for (const proposal of proposals) {
    const { agreed, isStopped, isRefused } = await agree(cli, proposal, { mode, force });
    if (isStopped) return cli.endWith(exitCodes.interrupted);
    // Who wants no project is not asked for what goes with it; what was named on the command line is another matter.
    if (isRefused && proposal.findings === own && named.length === 0) break;
    if (agreed.length > 0) await makeStateDir(root);
    for (const { path, shown, before, after } of agreed) {
      await writeTarget(path, before, after);
      if (shown === MCP_CONFIG_FILE)
        isTrusted = await trustWritten(cli, { root, file: path, text: after, mayTrust });
    }
    written += agreed.length;
  }
  conclude(cli, {
    written,
    wanted: findings.filter((finding) => isWanted(finding, force)).length,
    isAllThere: findings.every(({ is }) => is === 'there'),
    mode,
    dryRun,
    hasAgent: isThere,
    hasSprint: withSprint || (await listSprintFolders(root)).sprints.length > 0,
    missing: asked !== undefined && !isThere ? asked : undefined,
    isTrusted,
  });
}

/** Before what nobody has named: a newcomer cannot know whether a run needs it. */
const OFFERED = 'For agents that you start by hand (clifford run needs none of these files):';

const otherAgents = () => `how any other program is run, ${documentation('agents')} says`;
const otherClients = () => `how any other client starts the server, ${documentation('setup')} says`;

/** How each agent that Clifford knows is installed. */
function installLines(): string[] {
  const agents = adapterNames.map((name) => [knownAgents[name].title, knownAgents[name].install]);
  return ['Clifford works with these; to install one:', ...columns(agents).map((line) => `  ${line}`)].map(
    (line) => `         ${line}`,
  );
}

function isWanted({ is }: Finding, force: boolean): boolean {
  return is === 'wanted' || (is === 'different' && force);
}

function conclude(
  cli: Cli,
  {
    written,
    wanted,
    isAllThere,
    mode,
    dryRun,
    hasAgent,
    hasSprint,
    missing,
    isTrusted,
  }: {
    written: number;
    /** Changes that were shown as such. */
    wanted: number;
    isAllThere: boolean;
    mode: Mode;
    dryRun: true | undefined;
    hasAgent: boolean;
    hasSprint: boolean;
    /** The agent that was named, where it is not installed. */
    missing: AdapterName | undefined;
    /** What is in `mcp.json` counts. */
    isTrusted: boolean;
  },
): void {
  const say = (begin: string, text: string) => cli.print(hanging(cli, begin, text));
  if (wanted === 0) return cli.say(isAllThere ? 'nothing to do' : 'nothing was written');
  if (dryRun) return cli.say('nothing was written: --dry-run');
  if (mode === 'show') throw cannotAsk();
  cli.say(`${count(written, 'file')} written`);
  if (written === 0) return;
  if (!isTrusted)
    say('next: ', 'clifford mcp trust, by a person: what mcp.json allows agents does not count before');
  const next = isTrusted ? 'next' : 'then';
  const begin = hasSprint ? 'clifford run' : 'clifford sprint new <id>';
  if (hasAgent) return say(`${next}: `, `clifford doctor, then ${begin}`);
  if (missing !== undefined) {
    const { title, install } = knownAgents[missing];
    return say(`${next}: `, `install ${title} (${install}), then clifford doctor and ${begin}`);
  }
  say(`${next}: `, 'see a run without any agent: clifford demo');
  say('  or: ', 'install one of the agents above and set "agent" in clifford.json to its name,');
  say('      ', `then: clifford doctor, and ${begin}`);
  say('  or: ', 'run any other program that works on tasks: clifford run --agent-cmd "…"');
}

function cannotAsk(): CliffordError {
  return new CliffordError('Cannot ask whether to write this: there is no terminal', {
    code: 'INIT_UNCONFIRMED',
    fix: 'Look at it above, then write it with --yes',
  });
}
