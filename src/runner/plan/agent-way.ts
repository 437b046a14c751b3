import type { KnownAgent, TestedVersions } from '../agents/agent-adapter.ts';
import { compareVersions } from '../agents/agent-version.ts';
import { askVersion } from '../agents/detect-agent.ts';
import { findExecutable, type SearchPlace } from '../../lib/processes/find-executable.ts';
import type { Config } from '../../workflow/config/config-schema.ts';

/** How an agent is spoken with, over the Agent Client Protocol or by its command line, and why. */
export type AgentWay = { readonly via: 'acp' | 'cli'; readonly because: string };

/** Where programs are looked for, their environment, and what else counts. */
type WayPlace = SearchPlace & {
  /** Tokens are limited. */
  readonly countsTokens: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the programs that are asked for their versions. */
  readonly signal?: AbortSignal;
};

/** A program that has a part in it, and the versions that were tested. */
type Part = { readonly name: string; readonly file: string; readonly tested: TestedVersions };

/**
 * How an agent is spoken with that is known by name. Where the configuration does not say it: over the protocol, so that
 * it asks before it acts, if it was tested with that in the installed version or an older one. Asks programs for their
 * versions, which takes up to seconds.
 */
export async function agentWay(
  known: KnownAgent,
  definition: Pick<Config['agents'][string], 'via' | 'path' | 'args' | 'env'> | undefined,
  place: WayPlace,
): Promise<AgentWay> {
  if (definition?.via !== undefined) {
    const isLax = definition.via === 'acp' && known.acp?.hidesTokens && place.countsTokens;
    return { via: definition.via, because: isLax ? `as configured, though ${UNCOUNTED}` : 'as configured' };
  }
  const parts = partsOf(known, definition, place);
  if (typeof parts === 'string') return { via: 'cli', because: parts };
  const env = { ...place.env, ...definition?.env };
  const signal = place.signal ?? new AbortController().signal;
  const found = await Promise.all(
    parts.map(async (part) => ({
      ...part,
      ...(await askVersion(part.file, { env, cwd: place.cwd, signal })),
    })),
  );
  const facts = found.map(({ name, tested: [oldest, ...more], ...answer }) => {
    if ('problem' in answer) return { isOlder: false, text: `the version of ${name} is not known` };
    const { version } = answer;
    if (compareVersions(version, oldest) < 0)
      return {
        isOlder: true,
        text: `${name} ${version} is older than ${oldest}, the first one tested with ACP`,
      };
    const isTested = [oldest, ...more].includes(version);
    return {
      isOlder: false,
      text: `${name} ${version} ${isTested ? 'was tested' : 'is newer than what was tested'}`,
    };
  });
  const older = facts.find(({ isOlder }) => isOlder);
  if (older) return { via: 'cli', because: older.text };
  return { via: 'acp', because: facts.map(({ text }) => text).join(', ') };
}

const UNCOUNTED = 'there is a budget in tokens, and over ACP it does not say all that it uses';

/** Whether there is a budget in tokens. */
export function countsTokens({ budget }: Pick<Config, 'budget'>): boolean {
  return [budget.task, budget.sprint, budget.day].some(({ tokens }) => tokens !== undefined);
}

/** The programs that have a part in speaking with it over the protocol, or why it is not done. */
function partsOf(
  { acp, title, bin }: KnownAgent,
  definition: Pick<Config['agents'][string], 'path' | 'args'> | undefined,
  place: Pick<WayPlace, 'cwd' | 'path' | 'countsTokens'>,
): readonly Part[] | string {
  if (!acp) return `it is not known how ${title} speaks ACP`;
  if (definition?.args !== undefined && definition.args.length > 0)
    return 'its "args" are for its command line';
  if (acp.flaw !== undefined) return acp.flaw;
  if (acp.hidesTokens && place.countsTokens) return UNCOUNTED;
  const file = findExecutable(definition?.path ?? bin, place);
  if (file === undefined) return `${bin} is not installed`;
  const agent = { name: bin, file, tested: acp.tested };
  if (!acp.program) return [agent];
  const { install, ...program } = acp.program;
  const speaker = findExecutable(program.bin, place);
  if (speaker === undefined)
    return `${program.bin}, which speaks ACP for it, is not on the PATH (${install})`;
  return [agent, { name: program.bin, file: speaker, tested: program.tested }];
}
