import type { Approval } from '../../../src/events/approval.ts';
import type { Ground } from '../../../src/gateway/backtest/decide-by.ts';
import type { CallOutcome, RecordedCall } from '../../../src/gateway/backtest/recorded-call.ts';
import { DEFAULT_POLICY, type PolicyConfig } from '../../../src/gateway/config/policy-config.ts';
import type { McpServerConfig } from '../../../src/gateway/config/server-config.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { approve, askApproval, deny } from '../../../src/workflow/requests/approval.ts';

/** A server that is started in the root of the project. */
const fs: McpServerConfig = {
  id: 'fs',
  transport: 'stdio',
  command: 'fs',
  args: [],
  env: {},
  cwd: '/project',
  disabled: false,
  autoStart: true,
  timeoutMs: 1_000,
  startTimeoutMs: 1_000,
  trust: 'untrusted',
};

export const ground: Ground = { root: '/project', servers: [fs] };

/** The default policy, with something else in it. */
export const policyOf = (over: Partial<PolicyConfig> = {}): PolicyConfig => ({ ...DEFAULT_POLICY, ...over });

let made = 0;

/** A call of `fs/write_file` that nobody decided. */
export function call(over: Partial<RecordedCall> = {}): RecordedCall {
  made += 1;
  return {
    requestId: `q-${made}`,
    at: '2026-01-31T12:00:00.000Z',
    stream: 'demo',
    taskId: 'a',
    server: 'fs',
    tool: 'write_file',
    args: { path: 'docs/a.md' },
    paths: [],
    elsewhere: undefined,
    isWhole: true,
    hasChanged: false,
    annotations: undefined,
    outcome: { is: 'undecided' },
    ...over,
  };
}

const ended = (is: 'approved' | 'denied'): { outcome: CallOutcome } => ({ outcome: { is, by: 'ada' } });

/** A command that an agent would run, and what a human said to it. */
export function ran(command: string, over: Partial<RecordedCall> = {}): RecordedCall {
  return call({ server: '@opencode', tool: 'execute', args: { command }, ...ended('approved'), ...over });
}

export const denied = ended('denied');
export const approved = ended('approved');

/** What a human is asked about in a real log. */
export type Asked = Pick<Approval, 'server' | 'tool' | 'args'> & Partial<Approval>;

let asked = 0;

/** Asks a human about a call in the log of a project; the id of the request. */
export async function askAbout(project: Project, stream: string, over: Asked): Promise<string> {
  asked += 1;
  const { server, tool, args } = over;
  const approval = {
    callId: `call-${asked}`,
    // Each is another call, though it be the same.
    callDigest: digestOf([server, tool, args, asked]),
    definitionDigest: 'definition-1',
    rule: 'default',
    trust: 'untrusted' as const,
    ...(server.startsWith('@') ? { isOwn: true as const } : {}),
    ...over,
  };
  const agent = { id: `agent-${asked}`, client: 'opencode' };
  return (await askApproval(project, { stream, taskId: 'a', agent, approval })).id;
}

/** The same, and its answer. */
export async function answer(
  project: Project,
  stream: string,
  verdict: 'approved' | 'denied',
  over: Asked,
): Promise<string> {
  const id = await askAbout(project, stream, over);
  const by = { by: 'ada', via: 'cli' };
  await (verdict === 'approved' ? approve(project, id, { ...by, scope: 'once' }) : deny(project, id, by));
  return id;
}

/** A command of the agent OpenCode. */
export const commandOf = (command: string): Asked => ({
  server: '@opencode',
  tool: 'execute',
  args: { command },
});
