import { adapterNames } from './adapter-names.ts';
import type { Config } from './config-schema.ts';

type Agent = Config['agents'][string];

/** A key of an agent that makes no sense beside its other keys. */
export type AgentMisfit = { readonly key: keyof Agent; readonly rule: string };

/** What is wrong with an agent as a whole: each of its keys may well be right. */
export function agentMisfits(name: string, agent: Agent): AgentMisfit[] {
  return agent.command === undefined ? adapterMisfits(name, agent) : commandMisfits(agent);
}

function commandMisfits({ adapter, command = '', path, resume, output = 'text' }: Agent): AgentMisfit[] {
  const misfits: AgentMisfit[] = [];
  if (adapter !== undefined)
    misfits.push({ key: 'adapter', rule: 'cannot be combined with command: an agent has one of the two' });
  if (path !== undefined)
    misfits.push({ key: 'path', rule: 'cannot be combined with command, which names the program itself' });
  if (resume !== undefined && output === 'text')
    misfits.push({ key: 'resume', rule: 'needs output: the session is read from what the command prints' });
  else if (resume !== undefined && !resume.includes('{session}'))
    misfits.push({ key: 'resume', rule: 'must have {session}, the session to go on with' });
  else if (resume !== undefined && command.includes('{mcpConfig}') && !resume.includes('{mcpConfig}'))
    misfits.push({
      key: 'resume',
      rule: 'must have {mcpConfig}, as command has: without it Clifford is out of reach',
    });
  return misfits;
}

function adapterMisfits(name: string, agent: Agent): AgentMisfit[] {
  const misfits: AgentMisfit[] = [];
  if (agent.resume !== undefined)
    misfits.push({ key: 'resume', rule: 'needs command: an adapter goes on with sessions by itself' });
  if (agent.output !== undefined)
    misfits.push({ key: 'output', rule: 'needs command: an adapter knows what its agent prints' });
  const first = (['path', 'args', 'env', 'model'] as const).find((key) => agent[key] !== undefined);
  const isKnown = agent.adapter !== undefined || adapterNames.some((known) => known === name);
  if (misfits.length === 0 && !isKnown && first !== undefined) {
    const known = adapterNames.join(', ');
    misfits.push({ key: first, rule: `also needs command or adapter: ${name} is none of ${known}` });
  }
  return misfits;
}
