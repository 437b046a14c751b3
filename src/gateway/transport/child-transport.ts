import type { Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { killGroup } from '../../lib/processes/kill-group.ts';
import { startGroup, type ProgramExit, type StartedGroup } from '../../lib/processes/start-group.ts';
import { within } from '../../lib/processes/settled-within.ts';
import type { StdioServerConfig } from '../config/server-config.ts';
import { MessageLines } from './message-lines.ts';
import { lastWords, shortLine } from './short-line.ts';
import { readMessages } from './read-messages.ts';
import type { ServerTransport } from './server-transport.ts';
import type { StderrLog } from './stderr-log.ts';
import type { Watchdog } from '../../lib/processes/group-guard.ts';

/** How long output may stay open once the program has exited, in ms: what it has started may hold it. */
const DRAIN_MS = 300;

/** How long a program that has closed its stdin may take to exit before that counts as what went wrong, in ms. */
const EXIT_MS = 2_000;

/** Most that waits for a server that does not read its stdin, in bytes. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

export type ChildTransportOptions = {
  readonly config: StdioServerConfig;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly startHint?: string | undefined;
  readonly stderr: StderrLog;
  readonly watchdog: Watchdog;
  readonly maxMessageBytes: number;
  readonly stopGraceMs: number;
};

/**
 * MCP over the stdin and stdout of a program that is started without a shell, in a process group of its own. Nothing
 * of the group is left when {@link close} resolves; the watchdog sees to it when this process is killed.
 */
export class ChildTransport implements ServerTransport {
  readonly #options: ChildTransportOptions;
  readonly #lines: MessageLines;
  /** What it printed that is no message, since it was noted last. */
  #noise: string[] = [];
  #group: StartedGroup | undefined;
  #followed: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #isOver = false;
  #ending: string | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: ChildTransportOptions) {
    this.#options = options;
    this.#lines = new MessageLines(options.maxMessageBytes, (line) => this.#read(line));
  }

  get ending(): string | undefined {
    return this.#ending;
  }

  get startHint(): string | undefined {
    return this.#options.startHint;
  }

  lastWords(): string {
    return lastWords(this.#options.stderr.tail());
  }

  /** @throws when the program cannot be started: there is none, or it may not be run. */
  async start(): Promise<void> {
    const { config, env, stderr, watchdog } = this.#options;
    const group = await startGroup({
      file: config.command,
      args: config.args,
      cwd: config.cwd,
      env,
      keepsStdin: true,
      onOutput: (channel, chunk) => {
        if (channel === 'stderr') stderr.write(chunk);
        else this.#take(chunk);
      },
    });
    if ('problem' in group) {
      stderr.close();
      this.#ending = `it could not be started: ${shortLine(group.problem)}`;
      throw new Error(this.#ending);
    }
    this.#group = group;
    watchdog.add(group.pid);
    // Why nobody reads any more is said by the exit.
    group.stdin?.on('error', (error) => this.onerror?.(error));
    this.#followed = this.#followExit(group);
    if (this.#isOver) await this.#stop();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#group?.stdin;
    if (stdin === undefined || this.#isOver) throw new Error(this.#ending ?? 'the server is not running');
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      this.#end('it does not read what it is sent');
      throw new Error(this.#ending);
    }
    try {
      await written(stdin, lineOf(message));
    } catch (error) {
      // Most often the program has just ended: how it ended says more.
      await within(EXIT_MS, this.#followed === undefined ? [] : [this.#followed]);
      throw error;
    }
  }

  /** The end of stdin, a grace, SIGTERM to the group, a grace, SIGKILL. */
  async close(): Promise<void> {
    this.#end(undefined);
    await this.#stop();
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    const isFine = this.#lines.push(chunk);
    this.#noteNoise();
    if (isFine) return;
    const mebibytes = Math.floor(this.#options.maxMessageBytes / 1024 / 1024);
    this.#end(`it sent a message of more than ${mebibytes} MiB`);
    void this.#stop();
  }

  #read(line: string): void {
    const messages = readMessages(line);
    if (messages.length === 0) this.#noise.push(shortLine(line));
    for (const message of messages) if (!this.#isOver) this.onmessage?.(message);
  }

  /** What came at once is kept at once: a server that prints without end is not to hold up the others. */
  #noteNoise(): void {
    const [first] = this.#noise;
    if (first === undefined) return;
    this.#options.stderr.note(this.#noise.map((text) => `no message on stdout: ${text}`));
    this.#noise = [];
    this.onerror?.(new Error(`it prints something other than messages to stdout: ${first.slice(0, 80)}`));
  }

  async #followExit(group: StartedGroup): Promise<void> {
    const exit = await group.exited;
    await group.drain(DRAIN_MS);
    this.#end(exitText(exit));
    await this.#stop();
  }

  /** Said once, and at once: whoever waits for an answer is not to wait for the process to end. */
  #end(why: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending ??= why;
    this.onclose?.();
  }

  #stop(): Promise<void> {
    const group = this.#group;
    if (group === undefined) return Promise.resolve();
    this.#stopping ??= this.#endGroup(group);
    return this.#stopping;
  }

  async #endGroup(group: StartedGroup): Promise<void> {
    const { stopGraceMs, watchdog, stderr } = this.#options;
    group.stdin?.end();
    await within(stopGraceMs, [group.exited]);
    // Even when it has exited: what it has started may not have.
    await killGroup(group.pid, stopGraceMs);
    await group.exited;
    await group.drain(DRAIN_MS);
    watchdog.remove(group.pid);
    stderr.close();
  }
}

function written(stdin: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** One line for everybody: to some readers of lines, Node's own among them, U+2028 and U+2029 end one as well. */
function lineOf(message: JSONRPCMessage): string {
  const json = JSON.stringify(message)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
  return `${json}\n`;
}

function exitText({ code, signal }: ProgramExit): string {
  return code === null ? `it was ended by ${signal}` : `it exited with code ${code}`;
}
