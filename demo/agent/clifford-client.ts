import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';

const resultSchema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  isError: z.boolean().optional(),
});

const contextSchema = z.object({
  currentTask: z.object({ id: z.string(), file: z.string(), content: z.string().nullable() }).nullable(),
  guidances: z.array(z.object({ previousQuestion: z.string(), humanResponse: z.string() })),
});

/** What get_sprint_context told us. */
export type SprintContext = z.infer<typeof contextSchema>;

/** The argument with which a call is made again that a human has asked about. */
const EXPLANATION = 'clifford_explanation';

/** A question may wait for its human over night. */
const HUMAN_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** Clifford's tools as an agent sees them: over MCP, from a server of its own on stdio. */
export class CliffordClient {
  readonly #client: Client;
  readonly #sprintDir: string;

  private constructor(client: Client, sprintDir: string) {
    this.#client = client;
    this.#sprintDir = sprintDir;
  }

  /** Spawns the server as an agent CLI does, and says hello to it. */
  static async connect(serverFile: string, sprintDir: string): Promise<CliffordClient> {
    const client = new Client({ name: 'demo-agent', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [serverFile],
        env: definedOnly(process.env),
        stderr: 'inherit',
      }),
    );
    return new CliffordClient(client, sprintDir);
  }

  async sprintContext(): Promise<SprintContext> {
    const text = await this.call('get_sprint_context', { sprintDir: this.#sprintDir });
    return contextSchema.parse(JSON.parse(text));
  }

  /** Asks the human which of several ways to go, and waits for the answer. */
  askClarification(question: { question: string; options: string[]; context: string }): Promise<string> {
    return this.call('ask_clarification', question);
  }

  /**
   * Publishes a version with a tool of another server, which stands behind Clifford: a human is asked first.
   *
   * @param explain - What to say to a human who asks something before they decide.
   * @throws {Error} with the reason when the human says no.
   */
  async publish(
    release: { version: string; notes: string },
    explain: () => Promise<string>,
  ): Promise<string> {
    let said = {};
    for (;;)
      try {
        return await this.call('mcp__release__publish', { ...release, ...said });
      } catch (error) {
        if (!(error instanceof Error) || !error.message.includes(EXPLANATION)) throw error;
        said = { [EXPLANATION]: await explain() };
      }
  }

  async complete(taskId: string, summary: string): Promise<void> {
    await this.call('update_task_status', {
      sprintDir: this.#sprintDir,
      taskId,
      status: 'completed',
      summary,
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Calls a tool, and returns the text of its result. */
  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const answer = await this.#client.callTool({ name, arguments: args }, undefined, {
      timeout: HUMAN_TIMEOUT_MS,
      resetTimeoutOnProgress: true,
      onprogress: () => {},
    });
    const { content, isError } = resultSchema.parse(answer);
    const text = content.map((part) => part.text ?? '').join('\n');
    if (isError) throw new Error(`${name} failed: ${text}`);
    return text;
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(pairs);
}
