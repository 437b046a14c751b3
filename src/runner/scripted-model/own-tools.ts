import type { OfferedTool } from './conversation.ts';

/** How an agent's own tool is called. Required arguments that say nothing about the task are filled in. */
type OwnTool<Wish> = {
  readonly name: string;
  readonly args: (wish: Wish, tool: OfferedTool, escalates: boolean) => object;
};

/** The tools that write a file: OpenCode, Claude Code, Gemini CLI, Copilot. */
export const writers: readonly OwnTool<{ readonly path: string; readonly text: string }>[] = [
  { name: 'write', args: ({ path, text }) => ({ filePath: path, content: text }) },
  { name: 'Write', args: ({ path, text }) => ({ file_path: path, content: text }) },
  { name: 'write_file', args: ({ path, text }) => ({ file_path: path, content: text }) },
  { name: 'create', args: ({ path, text }) => ({ path, file_text: text }) },
];

const says = 'Do what the task asks for';

/** How Codex' model asks to run a command outside of the sandbox. */
const ESCALATED = { sandbox_permissions: 'require_escalated', justification: says };

/** The tools that run a command: OpenCode and Copilot share a name, then Claude Code, Codex (three names), Gemini CLI. */
export const shells: readonly OwnTool<string>[] = [
  { name: 'bash', args: (command) => ({ command, description: says }) },
  { name: 'Bash', args: (command) => ({ command, description: says }) },
  { name: 'exec_command', args: (cmd, _tool, escalates) => ({ cmd, ...(escalates && ESCALATED) }) },
  { name: 'shell_command', args: (command) => ({ command }) },
  { name: 'shell', args: (command) => ({ command: ['bash', '-c', command] }) },
  { name: 'run_shell_command', args: (command) => ({ command, description: says }) },
];
