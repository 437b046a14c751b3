import { closeSync, openSync, writeSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import { streamOf, type StoredEvent } from '../../src/events/envelope.ts';
import type { StreamHead } from '../../src/events/log/event-log.ts';
import { EMPTY_HEAD, fillTemplate, hashLine, lineTemplate } from '../../src/events/line/line-codec.ts';
import type { Candidate } from '../../src/machines/legality.ts';

/** A sprint of a written log: with 45 tool calls a task, one event in ten moves a machine. */
export type SprintSize = { readonly tasks: number; readonly toolCalls: number };
const SIZE: SprintSize = { tasks: 10, toolCalls: 45 };

const LINES_AT_ONCE = 1_000;

/** Writes a valid log of about `count` events: sprints of ten tasks, each with questions and tool calls. */
export function writeLog(path: string, count: number): number {
  return writeEvents(path, oneByOne(count));
}

function* oneByOne(count: number): Generator<Candidate> {
  let written = 0;
  for (let sprint = 0; written < count; sprint += 1) {
    for (const candidate of sprintEvents(`sprint-${sprint}`)) {
      written += 1;
      yield candidate;
    }
  }
}

/** Writes a valid log of these events. Returns how many there are. */
export function writeEvents(
  path: string,
  candidates: Iterable<Candidate & { readonly time?: string }>,
): number {
  const fd = openSync(path, 'w', 0o600);
  const heads = new Map<string, StreamHead>();
  let written = 0;
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) writeSync(fd, `${lines.join('\n')}\n`);
    lines = [];
  };
  for (const candidate of candidates) {
    const stream = streamOf(candidate.subject);
    const head = heads.get(stream) ?? EMPTY_HEAD;
    const line = fillTemplate(lineTemplate(stored(candidate)), head);
    heads.set(stream, { version: head.version + 1, hash: hashLine(line) });
    lines.push(line);
    written += 1;
    if (lines.length === LINES_AT_ONCE) flush();
  }
  flush();
  closeSync(fd);
  return written;
}

function stored(candidate: Candidate & { readonly time?: string }): StoredEvent {
  return {
    specversion: '1.0',
    id: uuidv7(),
    source: '/clifford/runner',
    time: '2026-01-31T12:00:00.000Z',
    streamversion: 1,
    prevhash: '',
    schemaversion: 1,
    ...candidate,
  };
}

/** What happens in a sprint that comes to its end. */
export function* sprintEvents(stream: string, size = SIZE): Generator<Candidate> {
  const ids = Array.from({ length: size.tasks }, (_, n) => `task-${n}`);
  const tasks = ids.map((id) => ({ id, file: `${id}.md` }));
  const manifest = `sprints/${stream}/manifest.json`;
  yield { type: 'sprint.created', subject: stream, data: { name: stream, manifest, tasks } };
  yield { type: 'sprint.started', subject: stream, data: { runner: 'runner', maxAttempts: 1 } };
  for (const id of ids) yield* taskEvents(`${stream}/${id}`, size);
  yield { type: 'sprint.completed', subject: stream, data: { by: 'runner' } };
}

function* taskEvents(subject: string, { toolCalls }: SprintSize): Generator<Candidate> {
  const runId = uuidv7();
  yield { type: 'task.started', subject, data: { attempt: 1, by: 'runner', runId } };
  const process = {
    adapter: 'command',
    argv: ['agent', '--json'],
    pid: 4711,
    processStart: '1',
    bootId: 'b',
  };
  yield { type: 'agent.started', subject, data: { runId, attempt: 1, ...process } };
  const client = { name: 'agent', version: '1.0.0' };
  yield { type: 'agent.connected', subject, data: { runId, client, protocol: '2025-11-25' } };
  for (let call = 0; call < toolCalls; call += 1) {
    if (call % 20 === 10) yield* question(subject, runId);
    const callId = `${runId}-${call}`;
    const args = { path: 'src/events/catalog.ts', line: call };
    yield {
      type: 'tool.requested',
      subject,
      data: { callId, server: 'files', tool: 'read', args, argsDigest: runId },
    };
    yield { type: 'tool.returned', subject, data: { callId, isError: false, durationMs: 12, bytes: 2048 } };
  }
  yield { type: 'task.completed', subject, data: { by: 'agent', runId } };
  yield { type: 'agent.exited', subject, data: { runId, code: 0, signal: null, durationMs: 60_000 } };
}

function* question(subject: string, runId: string): Generator<Candidate> {
  const requestId = uuidv7();
  const origin = { agent: runId, runId };
  yield {
    type: 'help.requested',
    subject,
    data: { requestId, kind: 'help', question: 'Which port?', origin },
  };
  yield { type: 'help.answered', subject, data: { requestId, response: '8080', by: 'me', via: 'tui' } };
  yield { type: 'help.delivered', subject, data: { requestId, to: runId } };
}
