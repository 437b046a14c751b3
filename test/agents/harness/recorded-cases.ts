import type { Script } from '../../../src/runner/scripted-model/script.ts';
import type { AgentCli, McpCommand } from './agent-cli.ts';

/** A run whose output is recorded. */
export type RecordedCase = {
  readonly name: string;
  readonly script: (place: { readonly project: string; readonly sprintDir: string }) => Script;
  readonly mcp?: McpCommand;
  readonly env?: Partial<Record<AgentCli['name'], Record<string, string>>>;
  /** Recorded with these only, not with all. */
  readonly agents?: readonly AgentCli['name'][];
  /** The session is resumed with this prompt; the second run is the one recorded. */
  readonly resume?: string;
  readonly limitMs?: number;
};

/** An instant far enough away that no agent waits for it, in s since 1970. */
const resetsAt = 1_900_000_000;

/** Some try again for minutes, some for ever: what they print while they do shows in this time, in ms. */
const limitMs = 40_000;

/** Without it, Claude Code tries ten times. */
const env = { claude: { CLAUDE_CODE_MAX_RETRIES: '1' } };

/** What the parsers have to read: a run that completes its task, and the ways in which runs go wrong. */
export const recordedCases: readonly RecordedCase[] = [
  {
    name: 'completed',
    script: ({ project, sprintDir }) => [
      { say: 'I look at the sprint first.', tool: 'get_sprint_context', args: { sprintDir } },
      { tool: 'update_task_status', args: { sprintDir, taskId: 'greet', status: 'active' } },
      {
        write: { path: `${project}/hello.txt`, text: 'Hello, Ada!\n' },
        usage: { input: 1_200, cached: 800, output: 70 },
      },
      { shell: 'cat hello.txt' },
      { tool: 'update_task_status', args: { sprintDir, taskId: 'greet', status: 'completed' } },
      { text: 'The task is done: hello.txt greets Ada.' },
    ],
  },
  {
    name: 'tool-errors',
    script: ({ sprintDir }) => [
      { tool: 'update_task_status', args: { sprintDir, taskId: 'nobody', status: 'completed' } },
      { shell: 'echo oops >&2; exit 3' },
      { text: 'Neither of them worked.' },
    ],
  },
  {
    name: 'parallel-calls',
    script: ({ project, sprintDir }) => [
      {
        calls: [
          { tool: 'get_sprint_context', args: { sprintDir } },
          { write: { path: `${project}/one.txt`, text: '1\n' } },
          { shell: 'echo two' },
        ],
      },
      { shell: 'cat one.txt' },
      { text: 'Four calls in two turns.' },
    ],
  },
  {
    name: 'resumed',
    script: ({ sprintDir }) => [
      { tool: 'get_sprint_context', args: { sprintDir } },
      { text: 'I stop here.' },
      { tool: 'get_sprint_context', args: { sprintDir } },
      { text: 'I went on.' },
    ],
    resume: 'Go on.',
  },
  { name: 'text-only', script: () => [{ text: 'Which file do you mean? (y/n)' }] },
  { name: 'usage-limit', script: () => [{ fail: { kind: 'usage-limit', resetsAt } }], env, limitMs },
  {
    name: 'subscription-limit',
    agents: ['claude'],
    script: () => [{ fail: { kind: 'usage-limit', resetsAt } }],
    env: { claude: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' } },
    limitMs,
  },
  {
    name: 'rate-limit-once',
    script: () => [{ fail: { kind: 'rate-limit', retryAfterS: 1 }, times: 1 }, { text: 'Now it works.' }],
    limitMs,
  },
  { name: 'unauthorized', script: () => [{ fail: { kind: 'unauthorized' } }], env, limitMs },
  { name: 'server-error', script: () => [{ fail: { kind: 'server-error' } }], env, limitMs },
  {
    name: 'overloaded-once',
    script: () => [{ fail: { kind: 'overloaded' }, times: 1 }, { text: 'Now it works.' }],
    limitMs,
  },
  {
    name: 'mcp-server-dead',
    script: () => [{ text: 'There are no tools.' }],
    mcp: {
      command: process.execPath,
      args: ['-e', 'console.error("no such project"); process.exit(3)'],
      env: {},
    },
    limitMs,
  },
];
