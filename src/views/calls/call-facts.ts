import { dayAndTime } from '../../lib/time/clock-text.ts';
import { duration } from '../../lib/time/duration.ts';
import { count } from '../../lib/text/count.ts';
import { asChanged } from './as-changed.ts';
import type { TaskCall } from './task-calls.ts';
import type { TaskFact } from '../sprints/task-facts.ts';

/** What there is to say of a call beside what it was called with. */
export type ToldCall = Omit<TaskCall, 'callId' | 'version' | 'task' | 'run' | 'request' | 'args'>;

/** Whose tool a call is of: a server's, or an agent's own. */
type ToolOfCall = { readonly agent?: string | undefined; readonly server: string; readonly tool: string };

/** `execute` of an agent's own, else `github/create_issue`. Not escaped yet. */
export function toolName({ agent, server, tool }: ToolOfCall): string {
  return agent === undefined ? `${server}/${tool}` : tool;
}

/** What a call is, who decided on it, and what came of it. Words of others in it are not escaped yet. */
export function callFacts(call: ToldCall): TaskFact[] {
  const { at, standing, agent, title, paths, returned, error } = call;
  const facts: (readonly [string, string])[] = [
    ['Call', agent === undefined ? toolName(call) : `${toolName(call)}, a tool of ${agent} itself`],
    ['Time', dayAndTime(at)],
    standing === 'asks' ? ['Question', 'waits for an answer'] : ['Approval', decisionOf(call)],
    ...(title === undefined ? [] : [['Title', title] as const]),
    ...(paths.length === 0 ? [] : [['Files', paths.join(', ')] as const]),
    ...(returned === undefined ? [] : [['Result', resultOf(returned)] as const]),
    ...(standing === 'ended' ? [['Result', 'none: its agent has ended'] as const] : []),
    ...(error === undefined ? [] : [['Error', error] as const]),
  ];
  return facts.map(([label, text]) => ({ label, text }));
}

function decisionOf({ standing, is, rule, by, ranWith }: ToldCall): string {
  if (standing === 'waits') return 'waits';
  if (standing === 'ended' && is === 'open') return 'none';
  const whose = rule === undefined ? (by === undefined ? '' : ` by ${by}`) : ` by the rule ${rule}`;
  if (is === 'unasked') return `nobody was asked, though${whose} it should have been`;
  if (standing === 'queried') return `sent back${whose}, with a question`;
  if (standing === 'changed') return `not as it was: another one was allowed in its place${whose}`;
  if (is === 'denied') return `denied${whose}`;
  if (is === 'late') return `allowed${whose} too late: its agent had given up, and nothing ran`;
  if (whose === '') return 'not needed';
  return ranWith === undefined ? `allowed${whose}` : asChanged(is === 'failed', whose);
}

function resultOf({ isError, bytes, durationMs, lines }: NonNullable<ToldCall['returned']>): string {
  const changed = lines === undefined ? '' : `, +${lines.added} −${lines.removed} lines`;
  return `${isError ? 'an error, ' : ''}${count(bytes, 'byte')} after ${duration(durationMs)}${changed}`;
}
