import type { EventData } from '../../events/catalog.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { READING_KINDS, type AgentCall } from './agent-call.ts';
import { decideAgentCall } from './decide-agent-call.ts';
import { judgedCall, type Permissions } from './permissions.ts';

/** Kinds of calls that change something, or reach another machine: an agent asks before them. */
const ASKED_ABOUT: readonly AgentCall['kind'][] = ['execute', 'edit', 'delete', 'move', 'fetch'];

/** Longest text that is kept of a call, in UTF-16 units. */
const MAX_ABOUT = 300;

/** By what it does a call of such a kind is another one, whatever the agent calls it. */
function doesMore({ kind, commands, hosts }: AgentCall): boolean {
  return READING_KINDS.includes(kind) && (commands.length > 0 || hosts.some((host) => host !== ''));
}

/** A call that an agent has made, and should have asked about. */
export type UnaskedCall = {
  readonly data: EventData<'tool.unasked'>;
  /** The policy wants the attempt to be ended for it. */
  readonly stops: boolean;
};

/**
 * Judges a call that an agent says it has made without asking, as if it had asked; or that it has made although it was
 * refused, which no policy allows. Changes nothing.
 *
 * @returns `undefined`: it may be made unasked.
 */
export async function unaskedCall(
  call: AgentCall,
  { callId, wasRefused }: { readonly callId: string; readonly wasRefused: boolean },
  deps: Permissions,
): Promise<UnaskedCall | undefined> {
  // To be refused another mode is no more than to stay in this one.
  const isRefused = wasRefused && call.kind !== 'switch_mode';
  const isAskedAbout = isRefused || ASKED_ABOUT.includes(call.kind) || doesMore(call);
  // Nobody knows what it does: what is denied is said to be so of any kind.
  if (!isAskedAbout && call.kind !== 'other') return undefined;
  const { project, stream, policy, agent, name } = deps;
  // What only a snapshot says excuses nothing.
  await project.confirm(stream);
  const { rule, unasked, ...judged } = await decideAgentCall(project, judgedCall(call, deps), policy);
  const decision = isRefused ? 'deny' : judged.decision;
  if (decision === 'allow' || (decision === 'confirm' && !isAskedAbout)) return undefined;
  const [what = call.title] = [...call.commands, ...call.paths, ...call.hosts];
  const about = cleanLine(what, MAX_ABOUT);
  const { kind, title } = call;
  return {
    data: {
      callId,
      kind,
      about,
      ...(title === '' || title === about ? {} : { title: cleanLine(title, MAX_ABOUT) }),
      decision,
      rule,
      ...(isRefused && { refused: true }),
      runId: agent.runId,
      agent: name,
    },
    stops: (unasked ?? (decision === 'deny' ? 'stop' : 'record')) === 'stop',
  };
}
