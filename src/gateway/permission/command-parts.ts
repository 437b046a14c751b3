import { isCut } from '../../events/approval.ts';
import { agentOfServer } from '../../events/agent-server.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { agentGateCall } from '../backtest/gate-calls.ts';
import { loadMcpConfig } from '../config/load-mcp-config.ts';
import { AgentGate } from '../policy/agent-gate.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import type { CommandReading, ShellCommand } from '../policy/shell/command-reading.ts';
import { readCommand } from '../policy/shell/read-command.ts';
import { agentGround } from './agent-ground.ts';

/** What is said of one command of a line, taken by itself. */
export type CommandPart = {
  /** As it would be typed; `…` where a word is known only when it runs. */
  readonly text: string;
  readonly decision: 'allow' | 'confirm' | 'deny';
  /** The rule that says so. */
  readonly rule: string;
};

/** A command line of a call that waits, taken apart. */
export type CommandParts = {
  readonly parts: readonly CommandPart[];
  /** Files that it opens to write. */
  readonly writes: readonly string[];
  /** Why not all of it is known. */
  readonly doubt: string | undefined;
};

type Waiting = Pick<RequestState, 'id' | 'stream' | 'taskId' | 'asked'>;

/** Longer lines no person reads part by part. */
const MOST_PARTS = 50;

/**
 * The commands of agents' own calls that wait, each by itself with what the policy in `mcp.json` says of it, by the id of the
 * request. For people to look at: what becomes of the call is decided about the whole of it.
 */
export async function commandParts(
  { root }: Pick<Project, 'root'>,
  waiting: readonly Waiting[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, CommandParts>> {
  const calls = waiting.flatMap((request) => {
    const call = gateCallOf(request, root);
    return call && call.commands.length > 0 ? [{ id: request.id, call }] : [];
  });
  if (calls.length === 0) return new Map();
  const { policy } = await loadMcpConfig({ root, env });
  const gate = new AgentGate(policy, [], agentGround(root, env));
  return new Map(calls.map(({ id, call }) => [id, partsOf(call, gate)]));
}

function gateCallOf(
  { asked: { approval }, stream, taskId }: Waiting,
  root: string,
): AgentGateCall | undefined {
  const agent = approval && agentOfServer(approval.server);
  if (!approval || agent === undefined || isCut(approval.args)) return undefined;
  return agentGateCall({ tool: approval.tool, args: approval.args, paths: [], stream, taskId }, agent, root);
}

function partsOf(call: AgentGateCall, gate: AgentGate): CommandParts {
  const readings = call.commands.map((line) => readCommand(line));
  const commands = readings.flatMap((reading) => reading.commands).filter(({ words }) => words.length > 0);
  const texts = [...new Map(commands.map((command) => [textOf(command), command]))];
  return {
    parts: texts.slice(0, MOST_PARTS).map(([text, command]) => partOf(text, command, { call, gate })),
    writes: [...new Set(readings.flatMap(writesOf))],
    doubt: readings.find(({ doubt }) => doubt !== undefined)?.doubt,
  };
}

function partOf(
  text: string,
  { words, assignments }: ShellCommand,
  { call, gate }: { readonly call: AgentGateCall; readonly gate: AgentGate },
): CommandPart {
  const isKnown = [...words, ...assignments.map(({ value }) => value)].every((word) => word !== undefined);
  // What cannot be typed again cannot be judged alone.
  if (!isKnown) return { text, decision: 'confirm', rule: 'not known before it runs' };
  const { decision, rule } = gate.check({ ...call, commands: [text] });
  return { text, decision, rule };
}

function writesOf({ redirects }: CommandReading): string[] {
  return redirects.filter(({ writes }) => writes).map(({ path }) => path ?? '…');
}

function textOf({ words, assignments }: ShellCommand): string {
  const set = assignments.map(({ name, value }) => `${name}=${value === undefined ? '…' : quoted(value)}`);
  return [...set, ...words.map((word) => (word === undefined ? '…' : quoted(word)))].join(' ');
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
