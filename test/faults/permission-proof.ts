import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { StoredEvent } from '../../src/events/envelope.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { eventsOf } from '../helpers/sprint-run.ts';
import { expectVerified, type KilledProject } from './killed-run.ts';

const argsSchema = z.object({ command: z.string() });

/** A command that says on disk, each time it runs, in which attempt it did, and leaves a process behind. */
export const command = (name: string) =>
  `printf '%s ${name}\\n' "$CLIFFORD_RUN_ID" >> ran; sleep 1000 > /dev/null 2>&1 < /dev/null &`;

/**
 * How often a call ran, was allowed and then killed before it ran, was denied; how often a human was asked about it, and how
 * many answers a screen gave.
 */
export type CallCount = Readonly<Record<'ran' | 'notRun' | 'denied' | 'asked' | 'onScreen', number>>;

/**
 * What the log and the disk have to agree on, whatever was killed: no call ran without a yes, no yes was used twice, and
 * nobody was asked about a call again whose yes or no no attempt had used.
 *
 * @param names - Of the calls.
 */
export async function proveCalls(
  project: Project,
  stream: string,
  { names, env }: { readonly names: readonly string[] } & Pick<KilledProject, 'env'>,
): Promise<Map<string, CallCount>> {
  await expectVerified({ root: project.root, env });
  const requests = new Map<string, Asked>();
  const left = allowedIn(await eventsOf(project, stream), requests, names);
  const text = await readFile(join(project.root, 'ran'), 'utf8').catch(() => '');
  const ran = text.split('\n').filter((line) => line !== '');
  for (const call of ran) {
    const at = left.indexOf(call);
    expect(at, `${call} ran without a yes of its own`).not.toBe(-1);
    left.splice(at, 1);
  }
  return new Map(names.map((name) => [name, countOf(name, { ran, notRun: left, requests })]));
}

/** The attempts in which a call was allowed, each as `run name`, as the command says it. Notes what became of each request. */
function allowedIn(
  events: readonly StoredEvent[],
  requests: Map<string, Asked>,
  names: readonly string[],
): string[] {
  const allowed: string[] = [];
  const calls = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'tool.requested' && event.data.server === '@fake')
      calls.set(event.data.callId, `${event.data.runId} ${nameOf(event.data.args, names)}`);
    if (event.type === 'help.requested')
      noteAsked(requests, event.data.requestId, nameOf(event.data.approval?.args, names));
    noteAnswer(requests, event);
    if (event.type === 'tool.allowed' && calls.has(event.data.callId)) {
      const call = calls.get(event.data.callId) ?? '';
      noteUsed(requests.get(event.data.requestId ?? ''), call, event.data.callId);
      allowed.push(call);
    }
    if (event.type === 'tool.withheld') {
      const { callId, requestId } = event.data;
      const request = requests.get(requestId);
      expect(request?.usedBy, 'a yes is given back by the call that has taken it').toBe(callId);
      if (request) request.usedBy = undefined;
      allowed.splice(allowed.lastIndexOf(calls.get(callId) ?? ''), 1);
    }
  }
  return allowed;
}

type Asked = {
  readonly name: string;
  verdict?: StoredEvent<'help.answered'>['data']['verdict'];
  via?: string;
  /** The call that has taken the yes, or the attempt that has read the no. */
  usedBy?: string | undefined;
};

function noteAsked(requests: Map<string, Asked>, id: string, name: string): void {
  const before = [...requests.values()].filter((each) => each.name === name);
  expect(
    before.map(({ usedBy }) => usedBy ?? 'nobody'),
    `${name} is asked about while an earlier word on it is not used`,
  ).not.toContain('nobody');
  requests.set(id, { name });
}

function noteUsed(request: Asked | undefined, call: string, callId: string): void {
  expect(request, `${call} was allowed by no human`).toMatchObject({ verdict: 'approved' });
  expect(request?.usedBy, `${call} was allowed by a yes that was used`).toBeUndefined();
  expect(call).toMatch(new RegExp(` ${request?.name}$`));
  if (request) request.usedBy = callId;
}

function countOf(
  name: string,
  {
    ran,
    notRun,
    requests,
  }: { ran: readonly string[]; notRun: readonly string[]; requests: ReadonlyMap<string, Asked> },
): CallCount {
  const asked = [...requests.values()].filter((each) => each.name === name);
  const ofCall = (lines: readonly string[]) => lines.filter((line) => line.endsWith(` ${name}`)).length;
  return {
    ran: ofCall(ran),
    notRun: ofCall(notRun),
    asked: asked.length,
    denied: asked.filter(({ verdict }) => verdict === 'denied').length,
    onScreen: asked.filter(({ via }) => via === 'tui').length,
  };
}

function noteAnswer(requests: Map<string, Asked>, event: StoredEvent): void {
  if (event.type === 'help.answered') {
    const request = requests.get(event.data.requestId);
    if (request) [request.verdict, request.via] = [event.data.verdict, event.data.via];
  }
  if (event.type === 'help.delivered') {
    const request = requests.get(event.data.requestId);
    if (request?.verdict === 'denied') request.usedBy = event.data.to;
  }
}

function nameOf(args: unknown, names: readonly string[]): string {
  const { data } = argsSchema.safeParse(args);
  return names.find((name) => command(name) === data?.command) ?? String(data?.command);
}
