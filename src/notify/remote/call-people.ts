import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pause } from '../../lib/pause.ts';
import { messageOf } from '../../lib/message-of.ts';
import { sha256 } from '../../lib/digest.ts';
import { tryHold, type HeldLock } from '../../lib/files/kernel-lock.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { within } from '../../lib/processes/settled-within.ts';
import { Throttle } from '../../lib/time/throttle.ts';
import { lockFile } from '../../workflow/project/lock-file.ts';
import type { Project } from '../../workflow/project/project.ts';
import { userStateFolder } from '../../workflow/project/state-home.ts';
import type { Env } from '../../workflow/project/who-calls.ts';
import { CLOSE_GRACE_MS, LOOK_EVERY_MS } from '../pace.ts';
import { lastPresence } from '../../workflow/project/presence.ts';
import { ChannelWorker } from './channel-worker.ts';
import { asDeliveryError } from './delivery-error.ts';
import { latestStream } from './latest-stream.ts';
import type { OpenRemote } from './open-channels.ts';
import { recordFailed } from './record-failed.ts';
import { Strangers } from './replies/strangers.ts';
import { takeReply } from './replies/take-reply.ts';
import { usualTiming, type Timing } from './timing.ts';
import { Trouble } from './trouble.ts';

/** Who is to be called, about which project, and who is told what does not work. */
export type CallingPlace = {
  /** Stays open until the calls are stopped; it is not closed here. */
  readonly project: Project;
  readonly env: Env;
  /** Those that are open. */
  readonly remotes: readonly OpenRemote[];
  /** Where a person sees a request, or a sprint, in a face that is reached by others. Default: nowhere. */
  readonly linkTo?: (stream: string, request: string | undefined) => string | undefined;
  readonly report: (problem: string) => void;
  /** Default: as usual. */
  readonly timing?: Timing;
};

/** Calls that are under way. */
export type Calling = {
  /** Tells what there is to tell, and stops. Takes {@link CLOSE_GRACE_MS} at most. */
  readonly stop: () => Promise<void>;
};

/** Pause after a failure of ours, in ms. */
const AGAIN_MS = 5_000;

/**
 * Calls people who are elsewhere about all that happens in a project, and takes their answers, until it is stopped. Any
 * number of processes may do so: through each channel one at a time does, by a kernel lock, and when it ends, another
 * goes on with what the log says was told.
 */
export function callPeople(place: CallingPlace): Calling {
  const stopping = new AbortController();
  const killing = new AbortController();
  const parts = { timing: usualTiming, ...place, project: place.project.as('/clifford/notify') };
  const done = Promise.all(
    place.remotes.map((remote) =>
      serve(parts, remote, { stopping: stopping.signal, killing: killing.signal }),
    ),
  );
  return {
    stop: async () => {
      stopping.abort();
      if (!(await within(CLOSE_GRACE_MS, [done]))) killing.abort();
      await done;
    },
  };
}

type ServingParts = CallingPlace & { readonly timing: Timing };

/** `stopping`: to come to an end; `killing`: at once. */
type Ending = { readonly stopping: AbortSignal; readonly killing: AbortSignal };

/**
 * Serves one channel whenever it is this process's turn. Another may have channels that are off here, as it has the
 * variables they need: so a turn is that of a channel, never of all of them.
 */
async function serve(parts: ServingParts, remote: OpenRemote, ending: Ending): Promise<void> {
  const { project, report } = parts;
  const { stopping } = ending;
  const { name } = remote.channel;
  while (!stopping.aborted) {
    let turn: HeldLock | undefined;
    try {
      turn = await takeTurn(() => lockOf(project.dir, name), parts.timing.turnMs, stopping);
      if (!turn) return;
      await project.refresh();
      await serveDuring(parts, remote, ending);
    } catch (error) {
      if (stopping.aborted) return;
      report(`Nobody is called through ${name} for now: ${messageOf(error)}`);
      await pause(AGAIN_MS, stopping);
    } finally {
      turn?.release();
    }
  }
}

async function serveDuring(
  parts: ServingParts,
  remote: OpenRemote,
  { stopping, killing }: Ending,
): Promise<void> {
  const { project, linkTo = () => undefined } = parts;
  const broken = new AbortController();
  const over = AbortSignal.any([killing, broken.signal]);
  const listening = { isOn: false };
  const worker = new ChannelWorker({
    ...parts,
    remote,
    linkTo,
    lookedAt: () => lastPresence(project.dir),
    isListening: () => listening.isOn,
  });
  const reading = listen(parts, { remote, listening }, AbortSignal.any([stopping, over]));
  const work = [worker.run(over), reading];
  const look = new Throttle<void>(LOOK_EVERY_MS, () => worker.wake());
  const unsubscribe = project.subscribe(() => look.push());
  const end = () => worker.end();
  stopping.addEventListener('abort', end, { once: true });
  if (stopping.aborted) end();
  try {
    await Promise.all(work);
  } finally {
    broken.abort();
    stopping.removeEventListener('abort', end);
    unsubscribe();
    look.drop();
    await Promise.allSettled(work);
  }
}

/** Reads the answers of a channel, where it has any, again and again. Of one bot, one process of this user does. */
async function listen(
  parts: ServingParts,
  { remote, listening }: { remote: OpenRemote; listening: { isOn: boolean } },
  signal: AbortSignal,
): Promise<void> {
  const { env, report } = parts;
  const { channel } = remote;
  if (!channel.listen || channel.listensAs === undefined) return;
  const folder = userStateFolder(env);
  const path = folder && join(realPathToBe(folder), `answers-${channel.listensAs}.lock`);
  let turn = path === undefined ? undefined : tryHold(path);
  if (path !== undefined && !turn) {
    report(
      `notify.channels.${channel.name}: another project of yours reads what is answered to this bot of ${channel.service}; here it only calls`,
    );
    turn = await takeTurn(() => path, parts.timing.turnMs, signal);
    if (!turn) return;
  }
  listening.isOn = true;
  try {
    await readAnswers(parts, { ...remote, read: channel.listen }, signal);
  } finally {
    listening.isOn = false;
    turn?.release();
  }
}

async function readAnswers(
  { project, env, report, timing }: ServingParts,
  {
    channel,
    shows,
    chat,
    people,
    approvals,
    read,
  }: OpenRemote & { read: NonNullable<OpenRemote['channel']['listen']> },
  signal: AbortSignal,
): Promise<void> {
  const { name, place, service } = channel;
  const strangers = new Strangers();
  const where = { channel: name, place, service, chat };
  const replies = { ...where, project, env, shows, people, approvals, strangers };
  const trouble = new Trouble(timing.firstRetryMs);
  while (!signal.aborted) {
    const since = Date.now();
    try {
      await read((reply) => takeReply(replies, reply), signal);
    } catch (error) {
      if (signal.aborted) return;
      const failure = asDeliveryError(error, service);
      const { retryMs, isNews } = trouble.failed(failure, Date.now() - since);
      const stream = latestStream(project.state);
      const why = `no answers can be read: ${failure.message}`;
      if (isNews) await recordFailed({ project, channel, report }, { stream, why, retryMs }, signal);
      await pause(retryMs, signal);
    }
  }
}

function lockOf(dir: string, channel: string): string | undefined {
  // Taking a lock makes its folder: a project that was deleted must not come back by that.
  if (!existsSync(dirname(dir))) return undefined;
  // A name may be any text, and some disks take two that differ by capitals for one.
  return lockFile(dir, `notify-${sha256(channel).slice(0, 16)}.lock`);
}

/** Waits for a kernel lock as long as it takes. `undefined`: `signal` aborted first. */
async function takeTurn(
  path: () => string | undefined,
  everyMs: number,
  signal: AbortSignal,
): Promise<HeldLock | undefined> {
  while (!signal.aborted) {
    const file = path();
    const lock = file === undefined ? undefined : tryHold(file);
    if (lock) return lock;
    await pause(everyMs, signal);
  }
  return undefined;
}
