import type { AgentAdapter, LaunchOrder, McpServerCommand, OutputParser } from './agent-adapter.ts';

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
  readonly createParser: (() => OutputParser) | undefined;
};

/** The adapter of a command line of the user's own. */
export function customAdapter({ args, resumeArgs, createParser }: CustomCommand): AgentAdapter {
  return {
    name: 'command',
    title: 'Agent command',
    connects: args.some((arg) => arg.includes(MARKS.mcpConfig)),
    resumes: resumeArgs !== undefined,
    createParser,
    launch(order) {
      const template = order.sessionId === undefined ? args : (resumeArgs ?? args);
      const config = `${order.runDir}/mcp.json`;
      const has = (mark: string) => template.some((arg) => arg.includes(mark));
      return {
        args: [...template.map((arg) => fill(arg, order, config)), ...order.args],
        input: has(MARKS.prompt) ? undefined : order.prompt,
        env: {},
        files: has(MARKS.mcpConfig) ? [{ path: config, text: mcpConfigText(order.mcp) }] : [],
      };
    },
  };
}

/** What a file says that names Clifford's MCP server, in the form that most agents read. */
export function mcpConfigText({ command, args, env }: McpServerCommand): string {
  return `${JSON.stringify({ mcpServers: { clifford: { type: 'stdio', command, args, env } } }, null, 2)}\n`;
}

function fill(arg: string, { prompt, model = '', sessionId = '' }: LaunchOrder, config: string): string {
  const values: Readonly<Record<string, string>> = {
    [MARKS.prompt]: prompt,
    [MARKS.model]: model,
    [MARKS.session]: sessionId,
    [MARKS.mcpConfig]: config,
  };
  // In one pass: a prompt may have such words in it.
  return arg.replaceAll(/\{(?:prompt|model|session|mcpConfig)\}/g, (mark) => values[mark] ?? mark);
}
