import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentOutput } from '../../src/runner/output/agent-output.ts';
import type { OutputParser } from '../../src/runner/agents/agent-adapter.ts';
import type { AgentSignal } from '../../src/runner/agents/output/agent-signal.ts';

const recordings = join(import.meta.dirname, '../fixtures/agent-output');

/** The recorded output of an agent CLI, e.g. `codex-0.169.0/completed.jsonl`. */
function recordedOutput(file: string): Promise<Buffer> {
  return readFile(join(recordings, file));
}

/** What it said on stderr: most say nothing there, and have no file. */
async function recordedErrors(run: string): Promise<Buffer> {
  const file = `${run}.stderr.txt`;
  return existsSync(join(recordings, file)) ? recordedOutput(file) : Buffer.alloc(0);
}

/** What a parser makes of a recorded run: what a human reads of it, and what it says to Clifford. */
export async function replayOutput(
  parser: OutputParser,
  run: string,
): Promise<{ text: string; signals: AgentSignal[] }> {
  const output = new AgentOutput(parser);
  const printed = [
    output.take('stderr', await recordedErrors(run)),
    output.take('stdout', await recordedOutput(`${run}.jsonl`)),
    output.rest(),
  ];
  const [, ...stdout] = printed;
  return {
    text: stdout.map(({ text }) => text).join(''),
    signals: printed.flatMap(({ signals }) => signals),
  };
}

/** The ids of the tool calls that began, and of those that ended, each sorted. */
export function callIds(signals: readonly AgentSignal[]): { started: string[]; ended: string[] } {
  const idsOf = (is: 'tool-start' | 'tool-end') =>
    signals.flatMap((signal) => (signal.is === is ? [signal.id] : [])).toSorted();
  return { started: idsOf('tool-start'), ended: idsOf('tool-end') };
}
