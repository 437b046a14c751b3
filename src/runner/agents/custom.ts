import type { AgentAdapter, CreateParser, LaunchOrder } from './agent-adapter.ts';
import { mcpServersText } from './mcp-servers-text.ts';

/** Stand for what is put in their place in an argument of a command line. */
export const MARKS = {
  /** The prompt. Without it the prompt goes to stdin. */
  prompt: '{prompt}',
  model: '{model}',
  /** The session to go on with. */
  session: '{session}',
  /** Path of a file that names Clifford's MCP server, in the form that most agents read. */
  mcpConfig: '{mcpConfig}',
} as const;

/** A command line, split. */
export type CustomCommand = {
  /** Arguments, without the executable. */
  readonly args: readonly string[];
  /** Those that go on with a session. */
  readonly resumeArgs?: readonly string[] | undefined;
  /** `undefined`: it prints plain text. */
  readonly createParser: CreateParser | undefined;
  /** Its stdin stays open where the prompt is an argument. */
  readonly keepsStdin?: boolean;
};

/** The adapter of a command line of the user's own. */
export function customAdapter({
  args,
  resumeArgs,
  createParser,
  keepsStdin = false,
}: CustomCommand): AgentAdapter {
  return {
    name: 'command',
    title: 'Agent command',
    connects: args.some((arg) => arg.includes(MARKS.mcpConfig)),
    resumes: resumeArgs !== undefined && 'untested',
    createParser,
    launch(order) {
      const template = order.sessionId === undefined ? args : (resumeArgs ?? args);
      const config = `${order.runDir}/mcp.json`;
      const has = (mark: string) => template.some((arg) => arg.includes(mark));
      return {
        args: [...template.map((arg) => fill(arg, order, config)), ...order.args],
        input: has(MARKS.prompt) ? undefined : order.prompt,
        keepsStdin: keepsStdin && has(MARKS.prompt),
        env: {},
        files: has(MARKS.mcpConfig)
          ? [{ path: config, text: mcpServersText({ type: 'stdio', ...order.mcp }) }]
          : [],
      };
    },
  };
}

function fill(arg: string, { prompt, model = '', sessionId = '' }: LaunchOrder, config: string): string {
  const values: Readonly<Record<string, string>> = {
    // The project words its prompts: one that begins an argument is no flag.
    [MARKS.prompt]: prompt.startsWith('-') ? `\n${prompt}` : prompt,
    [MARKS.model]: model,
    [MARKS.session]: sessionId,
    [MARKS.mcpConfig]: config,
  };
  // In one pass: a prompt may have such words in it.
  return arg.replaceAll(/\{(?:prompt|model|session|mcpConfig)\}/g, (mark) => values[mark] ?? mark);
}
