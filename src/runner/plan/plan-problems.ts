import { CliffordError } from '../../errors.ts';
import { adapterNames } from '../../workflow/config/adapter-names.ts';
import { configError, type ConfigProblem } from '../../workflow/config/config-problem.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { didYouMean, knownOnes } from '../../lib/text/did-you-mean.ts';
import { documentation } from '../../package-file.ts';
import type { AgentPlan } from './agent-plan.ts';

/** Changes of the configuration that a run does not take up, in words. */
export function doesNotCount(changes: string): string {
  return (
    `The configuration runs other programs than when this run began (${changes} changed): this run goes on with ` +
    'those of then. To take up the change, stop it and run the sprint again'
  );
}

/** A change that takes the asking away. An agent may have written it: a new run takes it up, and a person is asked then. */
export function asksNobody({ agent, adapter }: AgentPlan): CliffordError {
  return new CliffordError(
    `${agent ?? adapter.title} would ask nobody before it acts, and the agent that this run began with asks`,
    { code: 'COMMANDS_NEW', fix: 'To take up the change, stop the run and run the sprint again' },
  );
}

/** A task that nothing would complete. */
export function unverified(taskId: string): CliffordError {
  return new CliffordError(
    `Cannot run task ${taskId}: "done" is exit-0 for it, and it has no "verify": an exit code alone completes nothing`,
    {
      code: 'DONE_UNVERIFIED',
      fix: 'Say with "verify", in clifford.json or the manifest, which commands have to succeed, or remove "done"',
    },
  );
}

/** Nobody has said who is to work. */
export function noAgent(): CliffordError {
  return new CliffordError('Cannot run a sprint: no agent is configured', {
    code: 'AGENT_MISSING',
    fix: 'Name one as "agent" in clifford.json, or for one run by hand with --agent or --agent-cmd; to see a run without one: clifford demo',
  });
}

/** An agent that there is not. One whose command names a variable that is not set, or is misspelt, is no unknown one. */
export function unknownAgent(
  { config, problems, unknownKeys }: ConfigReading,
  { name, origin }: { readonly name: string; readonly origin: string },
): CliffordError {
  const isOwn = ({ path: [key, agent] = [] }: Pick<ConfigProblem, 'path'>) =>
    key === 'agents' && agent === name;
  const own = problems.filter(isOwn);
  if (own.length > 0) return configError(own);
  const misspelt = unknownKeys.filter(isOwn);
  if (misspelt.length > 0)
    return new CliffordError(
      `Cannot use agent ${name}, named by ${origin}: it has no "command" and no "adapter". ${misspelt.map(({ text }) => text).join('; ')}`,
      {
        code: 'AGENT_UNKNOWN',
        fix: `Correct the name of the key; ${documentation('configuration')} describes every key`,
      },
    );
  const known = [...new Set([...Object.keys(config.agents), ...adapterNames])];
  return new CliffordError(`Cannot find agent ${name}, named by ${origin}: ${knownOnes(name, known)}`, {
    code: 'AGENT_UNKNOWN',
    fix: fixFor(name, known),
  });
}

/** A new name goes into the configuration, a command line elsewhere, and what was mistyped nowhere. */
function fixFor(name: string, known: readonly string[]): string {
  if (didYouMean(name, known) !== '') return 'Name one of them';
  if (/[\s/]/.test(name))
    return 'Name one of them; a command line is "agentCmd" in clifford.json or the manifest, or --agent-cmd';
  return `Name one of them, or say in "agents" of clifford.json how ${name} is started`;
}
