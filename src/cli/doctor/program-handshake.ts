import { startGroup } from '../../lib/processes/start-group.ts';
import { terminate } from '../../lib/processes/terminate.ts';
import { LineSplitter } from '../../lib/text/line-splitter.ts';
import { lastQuotedWords } from '../../runner/output/quote-words.ts';

/** How a program is started to be spoken to. */
export type Start = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Written to its stdin, which stays open. `undefined`: its stdin is empty. */
  readonly input?: string | undefined;
  /** Called with each line of its stdout. */
  readonly onLine?: (line: string) => void;
};

/** A program that is being spoken to. */
export type StartedProgram = {
  /** Why it has ended, in words, when it has. */
  readonly ended: Promise<string>;
  /** Ends it and all it has started. */
  readonly end: () => Promise<void>;
};

/** Lines of what it said that are kept to explain why it ended. */
const KEPT_LINES = 20;

/** Between SIGTERM and SIGKILL, in ms. */
const GRACE_MS = 1_000;

/** So long a program that it has started may go on for it once it has exited, in ms. */
const DRAIN_MS = 60_000;

/** Longer lines are given out in parts. */
const MAX_LINE_LENGTH = 1_000_000;

/** Starts a program in a process group of its own, without a shell. */
export async function startForHandshake({ input, onLine, ...order }: Start): Promise<StartedProgram> {
  const said: string[] = [];
  const keep = (line: string) => {
    if (line.trim() !== '') said.push(line);
    if (said.length > KEPT_LINES) said.shift();
  };
  const stdout = new OutputLines((line) => {
    keep(line);
    onLine?.(line);
  });
  const outputs = { stdout, stderr: new OutputLines(keep) };
  const group = await startGroup({
    ...order,
    keepsStdin: input !== undefined,
    onOutput: (channel, chunk) => outputs[channel].take(chunk),
  });
  if ('problem' in group)
    return {
      ended: Promise.resolve(`it could not be started: ${group.problem}`),
      end: async () => undefined,
    };
  if (input !== undefined) group.stdin?.write(input);
  const howEnded = async () => {
    const { code, signal } = await group.exited;
    await group.drain(DRAIN_MS);
    for (const output of Object.values(outputs)) output.end();
    const how = code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
    return said.length === 0 ? how : `${how}: ${lastQuotedWords(said.join('\n'), 2)}`;
  };
  return {
    ended: howEnded(),
    async end() {
      group.stdin?.end();
      await terminate([-group.pid], { graceMs: GRACE_MS });
    },
  };
}

/** What a program prints, line by line. */
class OutputLines {
  readonly #decoder = new TextDecoder();
  readonly #splitter = new LineSplitter(MAX_LINE_LENGTH);
  readonly #onLine: (line: string) => void;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  take(chunk: Buffer): void {
    this.#splitter.take(this.#decoder.decode(chunk, { stream: true })).forEach(this.#onLine);
  }

  end(): void {
    this.#splitter.take(this.#decoder.decode()).forEach(this.#onLine);
    this.#splitter.rest().forEach(this.#onLine);
  }
}
