import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { sha256 } from '../../lib/digest.ts';
import { userMemory } from '../project/user-memory.ts';
import type { Env } from '../project/who-calls.ts';
import { pushUnreadable, pushUnwritable } from './push-keys.ts';

/** So many browsers of one token are called about a project: of more its own oldest are forgotten, and nobody else's. */
const MOST_OF_TOKEN = 20;
/** So many are called in all: one more is refused. */
const MOST = 60;

/** What a browser gives whoever may call it (RFC 8291): where to, and what a message is encrypted with, base64url. */
export const pushTargetSchema = z.strictObject({
  endpoint: z.string().max(2_048),
  p256dh: z.string().regex(/^[\w-]{86,88}$/),
  auth: z.string().regex(/^[\w-]{21,24}$/),
});

/** See {@link pushTargetSchema}. */
export type PushTarget = z.infer<typeof pushTargetSchema>;

const subscriptionSchema = pushTargetSchema.extend({
  /** The named token of the page that has asked for it, as a digest: it ends with that. Absent: that of a start. */
  token: z.string().exactOptional(),
  /** Whose browser it is, as the page names them. Absent: of a file that knows it not yet. */
  name: z.string().exactOptional(),
  /** RFC 3339. */
  at: z.string(),
});

/** A browser that wants to be called about a project. */
export type PushSubscription = z.infer<typeof subscriptionSchema>;

const memory = userMemory({
  name: 'web-push.json',
  schema: z.array(subscriptionSchema),
  unreadable: pushUnreadable,
  unwritable: pushUnwritable,
});

/** Of which project, and where what is kept is. */
export type PushPlace = { readonly root: string; readonly env: Env };

/** See {@link PushPlace}. */
export type CheckedPushPlace = PushPlace & {
  /** Whether the named token of this digest still opens the page. */
  readonly isValid: (token: string) => Promise<boolean>;
};

/**
 * The browsers that want to be called about a project, oldest first.
 *
 * @throws {CliffordError} `PUSH_UNREADABLE`.
 */
export async function pushSubscriptions({ root, env }: PushPlace): Promise<readonly PushSubscription[]> {
  return (await memory.read(env, await realpath(root))) ?? [];
}

/**
 * The same without those whose tokens are over: they are forgotten.
 *
 * @throws {CliffordError} `PUSH_UNREADABLE`.
 */
export async function validPushSubscriptions(place: CheckedPushPlace): Promise<readonly PushSubscription[]> {
  const all = await pushSubscriptions(place);
  const tokens = [...new Set(all.flatMap(({ token }) => token ?? []))];
  const checked = await Promise.all(
    tokens.map(async (token) => ((await place.isValid(token)) ? [] : [token])),
  );
  const over = new Set(checked.flat());
  const isOver = ({ token }: PushSubscription) => token !== undefined && over.has(token);
  if (over.size > 0) await removePushSubscriptions(place, isOver);
  return all.filter((each) => !isOver(each));
}

/**
 * Remembers a browser, in `web-push.json` of the state folder (0600).
 *
 * @throws {CliffordError} `PUSH_ENDPOINT_UNKNOWN`, `PUSH_FULL`, `PUSH_UNREADABLE`, `PUSH_UNWRITABLE`.
 */
export async function addPushSubscription(
  place: CheckedPushPlace,
  { token, name, ...target }: PushTarget & { readonly token?: string | undefined; readonly name: string },
): Promise<void> {
  const { root, env } = place;
  if (!isPushService(target.endpoint, env)) throw strangeEndpoint();
  const added = { ...target, name, ...(token === undefined ? {} : { token }), at: new Date().toISOString() };
  // They take nobody's room.
  await validPushSubscriptions(place);
  await memory.change(env, await realpath(root), (before = []) => {
    const others = before.filter(({ endpoint }) => endpoint !== target.endpoint);
    const own = others.filter((each) => each.token === token);
    const pushedOut = new Set(own.slice(0, Math.max(0, own.length + 1 - MOST_OF_TOKEN)));
    const kept = others.filter((each) => !pushedOut.has(each));
    if (kept.length >= MOST) throw full();
    return [...kept, added];
  });
}

/**
 * Forgets browsers.
 *
 * @returns how many there were.
 * @throws {CliffordError} `PUSH_UNREADABLE`.
 */
export async function removePushSubscriptions(
  { root, env }: PushPlace,
  isMeant: (subscription: PushSubscription) => boolean,
): Promise<number> {
  if (memory.fileOf(env) === undefined) return 0;
  let count = 0;
  await memory.change(env, await realpath(root), (before = []) => {
    const kept = before.filter((each) => !isMeant(each));
    count = before.length - kept.length;
    return kept;
  });
  return count;
}

/** How a person names a browser that is called: by its address, which is kept to itself, it is a few letters. */
export function pushId({ endpoint }: Pick<PushSubscription, 'endpoint'>): string {
  return sha256(endpoint)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 6);
}

/** The hosts of browsers' push services, and what lies below them. */
const services = ['fcm.googleapis.com', 'push.services.mozilla.com', 'notify.windows.com', 'push.apple.com'];

/**
 * Whether an address is one of a browser's push service: whoever has the page must not have this machine send to others.
 * Origins in `CLIFFORD_PUSH_ORIGINS`, separated by blanks, are taken, too.
 */
function isPushService(endpoint: string, env: Env): boolean {
  const url = URL.parse(endpoint);
  if (!url || url.username !== '' || url.password !== '') return false;
  if ((env['CLIFFORD_PUSH_ORIGINS'] ?? '').split(/\s+/).includes(url.origin)) return true;
  const isKnown = services.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
  // Of other characters what sends and what signs may read different hosts.
  return url.protocol === 'https:' && url.port === '' && isKnown && /^[a-z0-9.-]+$/.test(url.hostname);
}

function full(): CliffordError {
  return new CliffordError(`Cannot call this browser: ${MOST} are called about this project already`, {
    code: 'PUSH_FULL',
    recovery: 'give-up',
    fix: 'See which with: clifford serve push list, and end one with: clifford serve push forget <id>',
  });
}

function strangeEndpoint(): CliffordError {
  return new CliffordError('Cannot call this browser: its push service is none that is known', {
    code: 'PUSH_ENDPOINT_UNKNOWN',
    fix: 'Name its origin in CLIFFORD_PUSH_ORIGINS, or use Chrome, Edge, Firefox or Safari',
  });
}
