import type { Allowed } from './allowed-subjects.ts';
import { listenInVain, NOWHERE, publishInVain } from './in-vain.ts';
import { troubleOf } from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';
import { logNames } from './names.ts';
import { queueNames } from './queue/queue-names.ts';

/** What a credential is let do with another project: nothing, as it should be. */
export type ElsewhereProof = {
  /** With which it was tried: one that its permissions name, one that it sees, or one that is not there. */
  readonly project: string;
  readonly may: readonly ('read' | 'follow' | 'append' | 'queue')[];
};

/** What a project is called, where a subject, a request or a stream names it. */
const NAMED = /(?:^clifford\.(?:ev|job|api|use|worker)\.|(?:^|\.)clifford-(?:events|jobs)-)([\w-]+)/;

/**
 * Tries to read and to write what another project has on the server. Nothing is stored there.
 *
 * @param allowed - What the server says that one may publish.
 */
export async function proveElsewhere(
  server: LogServer,
  own: string,
  allowed: Allowed | undefined,
): Promise<ElsewhereProof> {
  const project = anotherIn(allowed?.allow ?? [], own) ?? anotherIn(await streamsOf(server), own) ?? NOWHERE;
  const { connection } = server;
  const log = logNames(project);
  const get = `STREAM.MSG.GET.${log.stream}`;
  const last = JSON.stringify({ last_by_subj: log.all });
  const job = queueNames(project).subjectOf({ lane: 'next', needs: [], key: 'doctor' });
  const tries = [
    ['read', () => connection.request(`$JS.API.${get}`, last)],
    ['read', () => connection.request(`${log.useApi}.${get}`, last)],
    ['read', () => connection.request(`${log.lookApi}.${get}`, last)],
    ['follow', () => listenInVain(server, log.all)],
    ['append', () => publishInVain(server, log.subjectOf('adhoc'))],
    ['queue', () => publishInVain(server, job)],
  ] as const;
  const may = new Set<ElsewhereProof['may'][number]>();
  for (const [what, attempt] of tries) if (await isLet(attempt)) may.add(what);
  return { project, may: [...may] };
}

/** @throws when the server does not say. */
async function isLet(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    // Where nobody answers there is no way to it.
    if (['forbidden', 'unavailable'].includes(troubleOf(error) ?? '')) return false;
    throw error;
  }
}

function anotherIn(names: readonly string[], own: string): string | undefined {
  return names
    .map((name) => NAMED.exec(name)?.[1])
    .find((project) => project !== undefined && project !== own);
}

/** The streams that one may see: none, as a rule. */
async function streamsOf({ manager }: LogServer): Promise<string[]> {
  try {
    return await Array.fromAsync(manager.streams.names());
  } catch (error) {
    if (troubleOf(error) === 'forbidden') return [];
    throw error;
  }
}
