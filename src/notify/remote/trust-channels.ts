import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { digestOf } from '../../lib/digest.ts';
import { channelOrigins, type ChannelOrigins } from '../../workflow/config/channel-origins.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { userMemory } from '../../workflow/project/user-memory.ts';
import { humansVariable, type Env } from '../../workflow/project/who-calls.ts';

/**
 * Whether a person has seen what a channel would do. `needless`: it stands in the user's own file, and only sends.
 */
export type ChannelTrust = 'needless' | 'trusted' | 'new' | 'changed';

/** Of each project, the digests of its channels by their names. */
const memory = userMemory({
  name: 'notify.json',
  schema: z.record(z.string(), z.string()),
  unreadable,
  unwritable,
});

/** Where what is trusted was said, and by which environment. */
export type TrustPlace = { readonly root: string; readonly env: Env };

/**
 * Says of each channel of the configuration whether it may be used. A checkout brings its `clifford.json`: it could send
 * what a sprint says to anybody, and have anybody answer. And whoever may answer in the user's place, or a program that is
 * run with the user's rights, an agent may have written into any file: that is looked at wherever it stands.
 *
 * @throws {CliffordError} `NOTIFY_TRUST_UNREADABLE`
 */
export async function channelTrust(
  { root, env }: TrustPlace,
  reading: Pick<ConfigReading, 'config' | 'origins'>,
): Promise<ReadonlyMap<string, ChannelTrust>> {
  const names = Object.keys(reading.config.notify.channels);
  if (names.length === 0) return new Map();
  const isTrustedUnseen = humansVariable(env, 'CLIFFORD_TRUST_PROJECT', join(root, STATE_DIR)) === '1';
  const known = (await memory.read(env, await realpath(root))) ?? {};
  return new Map(
    names.map((name) => {
      const said = channelOrigins(reading, name);
      if (!needsTrust(said)) return [name, 'needless'];
      const before = Object.hasOwn(known, name) ? known[name] : undefined;
      if (isTrustedUnseen || before === digestOfChannel(said)) return [name, 'trusted'];
      return [name, before === undefined ? 'new' : 'changed'];
    }),
  );
}

/**
 * Remembers that a person trusts these channels as they were shown: digests alone, in the user's state folder.
 *
 * @throws {CliffordError} `NOTIFY_TRUST_UNREADABLE`, `NOTIFY_TRUST_UNWRITABLE`
 */
export async function trustChannels(
  { root, env }: TrustPlace,
  reading: Pick<ConfigReading, 'origins'>,
  names: readonly string[],
): Promise<void> {
  const digests = names.map((name) => [name, digestOfChannel(channelOrigins(reading, name))] as const);
  await memory.change(env, await realpath(root), (before = {}) => ({
    ...before,
    ...Object.fromEntries(digests),
  }));
}

function needsTrust({ isOfProject, lines }: ChannelOrigins): boolean {
  return (
    isOfProject ||
    lines.some(({ key }) => key === 'command' || key.startsWith('answers.') || key.startsWith('answers['))
  );
}

function digestOfChannel({ lines }: ChannelOrigins): string {
  return digestOf(Object.fromEntries(lines.map(({ key, written }) => [key, written])));
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'NOTIFY_TRUST_UNREADABLE',
    fix: 'Remove it, and trust your channels again with clifford notify trust',
  });
}

function unwritable(reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot remember that you trust these channels: ${reason}`, {
    code: 'NOTIFY_TRUST_UNWRITABLE',
    fix: 'Set HOME or XDG_STATE_HOME to a folder you can write, or CLIFFORD_TRUST_PROJECT=1 for this run',
    cause,
  });
}
