import type { Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { CommandPart, CommandParts } from '../../workflow/policy/command-parts.ts';
import type { Project } from '../../workflow/project/project.ts';
import { approvalGateCall } from '../backtest/gate-calls.ts';
import type { AgentGate } from '../policy/agent-gate.ts';
import { hasName, type AgentGateCall } from '../policy/agent-rule-match.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import { risksOfCommand, isTooDeep } from '../policy/shell/command-risks.ts';
import type { CommandReading, ShellCommand } from '../policy/shell/command-reading.ts';
import { lineReading, onlyCommand } from '../policy/shell/line-reading.ts';
import { agentGateOf } from './decide-agent-call.ts';
import type { HeldPolicy } from './held-policy.ts';
import { arePathsCut } from './requested-data.ts';
import { count } from '../../lib/text/count.ts';
import { shellWord } from '../../lib/text/shell-word.ts';

type Waiting = Pick<RequestState, 'id' | 'stream' | 'taskId' | 'asked'>;

/** A call that waits, and what all of its command lines do. */
type CallInParts = {
  readonly approval: Approval;
  readonly call: AgentGateCall;
  readonly reading: CommandReading;
};

/** Longer lines no person reads part by part. */
const MOST_PARTS = 50;

/**
 * The commands of agents' own calls that wait, each with what the policy that holds says of it, by the id of the request. It
 * is judged as the whole call is, in each folder where it may run. For people to look at: what becomes of the call is
 * decided about the whole of it.
 */
export async function commandParts(
  project: Pick<Project, 'root' | 'state'>,
  waiting: readonly Waiting[],
  policy: HeldPolicy,
): Promise<ReadonlyMap<string, CommandParts>> {
  const calls = waiting.flatMap((request) => {
    const read = orNotKnown(() => readingOf(request, project.root));
    return read ? [{ id: request.id, read }] : [];
  });
  if (calls.length === 0) return new Map();
  const { gate } = await agentGateOf(project, policy);
  return new Map(
    calls.map(({ id, read }) => [id, 'parts' in read ? read : orNotKnown(() => partsOf(read, gate))]),
  );
}

const notKnown: CommandParts = { parts: [], writes: [], doubt: 'it cannot be taken apart' };

/** An agent may write what makes this fail: the other calls that wait are taken apart all the same. */
function orNotKnown<T>(find: () => T): T | CommandParts {
  try {
    return find();
  } catch {
    return notKnown;
  }
}

function readingOf({ asked: { approval }, stream, taskId }: Waiting, root: string): CallInParts | undefined {
  if (!approval || isCut(approval.args)) return undefined;
  const call = approvalGateCall(approval, { stream, taskId, root });
  const reading = call && lineReading(call.commands);
  return call && reading && { approval, call, reading };
}

function partsOf({ approval, call, reading }: CallInParts, gate: AgentGate): CommandParts {
  const commands = reading.commands.filter(({ words }) => words.length > 0);
  const all = [...new Map(commands.map((command) => [textOf(command), command]))];
  const byText = mostTelling(all);
  const left = all.length - byText.length;
  const read = byText.map(([text, command]) => readingOfPart(text, command));
  const said = gate.checkParts(call, reading, read);
  const isPartAsked = said.some(({ alone }) => alone.decision !== 'allow' && alone.rule === approval.rule);
  const isSure = isPartAsked && !arePathsCut(approval);
  return {
    parts: byText.flatMap(([text, command], at) => {
      const { alone, inLine } = said[at] ?? {};
      if (!alone || !inLine) return [];
      const risks = risksOfCommand(command);
      const word = wordOf(command, alone, isSure && inLine.decision === 'allow');
      const isOpen = hasName(command) && command.words.includes(undefined);
      return [{ text, ...word, ...(isOpen && { isOpen }), ...(risks.length > 0 && { risks }) }];
    }),
    writes: [...new Set(writesOf(reading))],
    doubt:
      left > 0
        ? `${count(left, 'more command')} of it ${left === 1 ? 'is' : 'are'} not shown`
        : (reading.doubt ?? (commands.some(isTooDeep) ? 'too many programs start each other' : undefined)),
  };
}

/** In their order, and none that is dangerous is left out for one that is not. */
function mostTelling(all: readonly (readonly [string, ShellCommand])[]): (readonly [string, ShellCommand])[] {
  if (all.length <= MOST_PARTS) return [...all];
  const isRisky = ([, command]: readonly [string, ShellCommand]) => risksOfCommand(command).length > 0;
  const first = new Set([...all.filter(isRisky), ...all].slice(0, MOST_PARTS));
  return all.filter((each) => first.has(each));
}

/** With what it wraps, as far as it can be typed again. */
function readingOfPart(text: string, command: ShellCommand): CommandReading {
  const { words, assignments } = command;
  const isKnown = [...words, ...assignments.map(({ value }) => value)].every((word) => word !== undefined);
  return (isKnown ? lineReading([text]) : undefined) ?? onlyCommand(command);
}

/** `isSure`: nothing else of the line keeps it from being allowed. */
function wordOf(
  command: ShellCommand,
  { decision, rule }: GateDecision,
  isSure: boolean,
): Omit<CommandPart, 'text'> {
  // No rule is held against it.
  if (!hasName(command)) return { decision: 'confirm', rule: 'not known before it runs' };
  return { decision: decision === 'allow' && !isSure ? 'clear' : decision, rule };
}

function writesOf({ redirects }: CommandReading): string[] {
  return redirects.filter(({ writes }) => writes).map(({ path }) => path ?? '…');
}

function textOf({ words, assignments, written = [] }: ShellCommand): string {
  const set = assignments.map(({ name, value }) => `${name}=${value === undefined ? '…' : shellWord(value)}`);
  return [
    ...set,
    ...words.map((word, at) => (word === undefined ? (written[at] ?? '…') : shellWord(word))),
  ].join(' ');
}
