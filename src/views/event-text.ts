import type { RuleScope } from '../events/approval.ts';
import type { EventData, EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { clockText } from '../lib/time/clock-text.ts';
import { answererText } from '../workflow/requests/answerer.ts';
import { duration } from '../lib/time/duration.ts';
import { endReasonText } from './end-reason-text.ts';
import { verdictText } from './verdict-text.ts';
import { oneLine } from '../lib/text/visible.ts';

type Texts = { readonly [T in EventType]: (data: EventData<T>) => string };

/** Arguments of a tool can be whole files: `replay --json` has all of what was kept. */
const MAX_ARGS_LENGTH = 160;

const because = (reason: string | undefined) => (reason === undefined ? '' : `: ${reason}`);
const byWhom = ({ by, reason }: { by: string; reason?: string | undefined }) => `by ${by}${because(reason)}`;
const brief = (text: string) => (text.length > MAX_ARGS_LENGTH ? `${text.slice(0, MAX_ARGS_LENGTH)}…` : text);
/** In local time, as all times on a screen, and with the day: a history is read later. */
const dateTime = (moment: string) => clockText(Date.parse(moment), 0);
const scopeText = (scope: RuleScope) =>
  scope.kind === 'always'
    ? 'always'
    : scope.kind === 'sprint'
      ? `in sprint ${scope.stream}`
      : `in task ${scope.taskId} of ${scope.stream}`;
const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id).join(', ');

/** What each event says beyond its type, in a few words. */
const texts: Texts = {
  'sprint.created': ({ name, tasks }) => `${name} (${ids(tasks)})`,
  'sprint.amended': ({ tasks }) => `gained ${ids(tasks)}`,
  'sprint.started': ({ runner, maxAttempts, limits = [] }) =>
    [
      `by ${runner}, ${count(maxAttempts, 'attempt')} per task`,
      ...limits.map((own) => `${own.maxAttempts} for ${own.id}`),
    ].join(', '),
  'sprint.paused': byWhom,
  'sprint.resumed': byWhom,
  'sprint.completed': ({ by, summary }) => `by ${by}${because(summary)}`,
  'sprint.failed': ({ reason }) => reason,
  'sprint.cancelled': byWhom,

  'runner.left': ({ runner, reason }) => `${runner}: ${reason}`,

  'task.started': ({ attempt, by }) => `attempt ${attempt} by ${by}`,
  'task.blocked': ({ by, reason }) => `${by} needs help: ${reason}`,
  'task.completed': ({ by, summary }) => `by ${by}${because(summary)}`,
  'task.failed': ({ reason }) => reason,
  'task.retried': ({ attempt, delayMs, reason }) => `attempt ${attempt} in ${duration(delayMs)}: ${reason}`,
  'task.skipped': byWhom,
  'task.cancelled': byWhom,
  'task.reset': byWhom,

  'agent.started': ({ attempt, pid, argv }) => `attempt ${attempt}, pid ${pid}: ${argv.join(' ')}`,
  'agent.connected': ({ client }) => `${client.name} ${client.version}`,
  'agent.sessionopened': ({ sessionId }) => sessionId,
  'agent.exited': ({ code, signal, durationMs, reason, detail }) =>
    `${signal === null ? `code ${code ?? 'unknown'}` : `ended by ${signal}`} after ${duration(durationMs)}${
      reason === undefined ? '' : `, ${endReasonText[reason]}`
    }${detail === undefined ? '' : `: ${detail}`}`,
  'agent.stalled': ({ idleMs }) => `silent for ${duration(idleMs)}`,
  'agent.lost': ({ reason }) => reason,
  'agent.usage': ({ tokens, costUsd }) =>
    `${tokens.input} tokens in, ${tokens.output} out${costUsd === undefined ? '' : `, $${costUsd}`}`,
  'agent.limited': ({ resetsAt }) =>
    `until ${resetsAt === undefined ? 'an unknown time' : dateTime(resetsAt)}`,
  'agent.continued': () => 'it hit its usage limit, and is still working',

  'help.requested': ({ question, reason, approval }) =>
    approval
      ? `${question} (asked by ${approval.rule}${approval.change === undefined ? '' : ', its definition changed'})`
      : `${question}${reason === undefined ? '' : ` (${reason})`}`,
  'help.answered': ({ response, rejected, verdict, scope, by, via }) =>
    verdict === 'approved'
      ? `${by} approved it (${scope ?? 'once'}) through ${via}`
      : `${answererText(by)}${verdict === 'denied' ? ' denied it' : rejected ? ' turned it down' : ''} through ${via}: ${response}`,
  'help.dismissed': ({ by, via, reason }) => `${answererText(by)} through ${via}${because(reason)}`,
  'help.expired': ({ afterMs }) => `the call ended after ${duration(afterMs)}, the question stays`,
  'help.attached': () => 'an agent waits for it',
  'help.detached': ({ why }) => `the agent no longer waits, the question stays: ${why}`,
  'help.delivered': ({ to }) => `to ${to}`,

  'tool.requested': ({ server, tool, args }) => `${server} ${tool} ${brief(JSON.stringify(args))}`,
  'tool.allowed': ({ rule, by }) => rule ?? (by === undefined ? '' : `by ${by}`),
  'tool.denied': ({ rule, by }) => rule ?? (by === undefined ? '' : `by ${by}`),
  'tool.returned': ({ isError, durationMs, bytes }) =>
    `${isError ? 'an error' : 'a result'} of ${bytes} bytes after ${duration(durationMs)}`,
  'tool.failed': ({ error }) => error,
  'verify.returned': ({ command, code, durationMs, output, baseline, verdict }) =>
    `${command} ${code === null ? output.split('\n').at(-1) : `ended with ${code}`} after ${duration(durationMs)}${
      baseline ? ', before the work' : verdict === undefined ? '' : `: ${verdictText[verdict]}`
    }`,
  'task.committed': ({ sha, files }) => `${sha.slice(0, 12)} (${count(files.length, 'file')})`,
  'task.noted': ({ by, text }) => `${by}: ${text}`,
  'task.uncommitted': ({ reason }) => reason,
  'tool.pinned': ({ server, tools, by }) =>
    `${server}: ${count(Object.keys(tools).length, 'definition')}${by === undefined ? '' : `, accepted by ${by}`}`,
  'policy.ruleadded': ({ ruleId, server, tool, scope, by }) =>
    `${server} ${tool} ${scopeText(scope)} by ${by} (${ruleId})`,
  'policy.ruleremoved': ({ ruleId, by }) => `${ruleId} by ${by}`,
  'server.connected': ({ server, name, version }) => `${server}: ${name} ${version}`,
  'server.lost': ({ server, reason }) => `${server}: ${reason}`,

  'uat.reported': ({ title, steps }) => `${title} (${count(steps.length, 'step')})`,
  'changelog.updated': ({ entries }) => entries.join('; '),
  'signal.received': ({ kind, file }) => `${kind} in ${file}`,
  'signal.rejected': ({ file, reason }) => `${file}: ${reason}`,
  'log.repaired': ({ offset, bytes }) => `${bytes} bytes from byte ${offset} were moved aside`,
};

/** What an event says beyond its type, on one line, safe to print. */
export function eventText(event: StoredEvent): string {
  return oneLine(textOf(event.type, event.data));
}

function textOf<T extends EventType>(type: T, data: EventData<T>): string {
  const text: Texts[T] = texts[type];
  return text(data);
}

/** `1 attempt`, `2 attempts`. */
function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
