import { join } from 'node:path';
import type { Proof, ProvenAccess, ProvenServer } from '../../events/jetstream/prove-access.ts';
import { count } from '../../lib/text/count.ts';
import { listed } from '../../lib/text/listed.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { messageOf } from '../../lib/message-of.ts';
import { chooseLog, type ServedLog } from '../../workflow/log/choose-log.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { brokenBy, good, warning, type Check, type DoctorContext } from './check.ts';
import { checkRoot } from './project-checks.ts';
import { checkDisk, checkLog, checkProjections, checkServedSnapshot } from './state-checks.ts';

/** What can be done with the log of a project: on a server what its credential lets one do, in a file what the disk does. */
export async function checkLogAccess(context: DoctorContext): Promise<Check[]> {
  const stateDir = join(context.root, STATE_DIR);
  try {
    const served = await chooseLog(context);
    if (served) return await checkServed(context, served, stateDir);
  } catch (error) {
    return [brokenBy('log', error)];
  }
  const disk = context.stateDir === undefined ? [] : await checkDisk(context.stateDir);
  return [
    checkRoot(context),
    ...disk,
    await checkLog(context, stateDir),
    ...(await checkProjections(context)),
  ];
}

async function checkServed(context: DoctorContext, served: ServedLog, stateDir: string): Promise<Check[]> {
  const { proveAccess } = await import('../../events/jetstream/prove-access.ts');
  const access = await proveAccess(served);
  const { look, read, follow, append, make, jobs, queue, take, elsewhere } = access;
  const canRead = look.may && read.may;
  return [
    serverCheck(served, access.server),
    ...(look.may ? [keptCheck(look.log)] : [brokenBy('log', look.error)]),
    ...(canRead ? [await checkLog(context, stateDir)] : []),
    ...(read.may ? [] : [brokenBy('read', read.error)]),
    ...(canRead ? [await checkServedSnapshot(context, stateDir)] : []),
    proofCheck('follow', follow, 'may follow it: new events come by themselves'),
    proofCheck(
      'append',
      append,
      'may append: the server let one pass that it had to refuse then; nothing was stored',
    ),
    proofCheck('make', make, 'may make the log, where it is not there yet: tried in the same way'),
    jobsCheck(jobs),
    proofCheck('queue', queue, 'may put sprints into the queue: tried in the same way'),
    proofCheck(
      'take',
      take,
      'may take sprints from the queue, as a worker: tried with one that is not there',
    ),
    dangerCheck(access),
    elsewhereCheck(elsewhere),
  ];
}

function serverCheck({ name }: ServedLog, { version, connectMs, isEncrypted, user }: ProvenServer): Check {
  const who = user
    ? `, ${user.name ? `as ${user.name} of` : 'without a user, in'} account ${user.account}`
    : '';
  const text = `${name}: nats-server ${version}, connected in ${Math.ceil(connectMs)} ms, ${isEncrypted ? 'encrypted' : 'not encrypted'}${who}`;
  return good('server', visibleLine(text), { version, connectMs, isEncrypted, user: user ?? null });
}

function keptCheck(log: ProvenAccess['look']['log']): Check {
  if (log === undefined || log === 'missing') return good('log', 'no log yet: the first event makes it');
  const { messages, bytes, replicas, behind } = log;
  const facts = { messages, bytes, replicas, behind };
  const size = `${count(messages, 'message')}, ${(bytes / 1e6).toFixed(1)} MB`;
  if (behind === 0) return good('kept', `kept on ${count(replicas, 'server')}: ${size}`, facts);
  return warning(
    'kept',
    `kept on ${count(replicas, 'server')}, of which ${behind} ${behind === 1 ? 'is' : 'are'} away or without all of it: ${size}`,
    'Let no other server go before all of them have it',
    facts,
  );
}

function jobsCheck(jobs: ProvenAccess['jobs']): Check {
  if (!jobs.may) return mayNot('jobs', 'look at the queue', jobs.error);
  const { waiting = 'missing' } = jobs;
  if (waiting === 'missing') return good('jobs', 'no queue yet: the next event makes it');
  return good('jobs', `the queue has ${count(waiting, 'job')}`, { waiting });
}

function elsewhereCheck(elsewhere: ProvenAccess['elsewhere']): Check {
  const name = 'elsewhere';
  if ('error' in elsewhere) {
    const why = visibleLine(messageOf(elsewhere.error));
    return {
      name,
      status: 'absent',
      text: `whether it may read or write another project cannot be told: ${why}`,
    };
  }
  const { project, may } = elsewhere;
  const facts = { project, may };
  if (may.length === 0)
    return good(name, `may neither read nor write another project: tried with ${project}`, facts);
  const words = { read: 'read it', follow: 'follow it', append: 'append to it', queue: 'fill its queue' };
  return warning(
    name,
    `is let at another project, if that is in the same account: tried with ${project}, may ${listed(may.map((each) => words[each]))}`,
    'Give each project accounts of its own: clifford log access --help',
    facts,
  );
}

/** What one may not do need not be a fault: an auditor only looks. */
function proofCheck(name: string, proof: Proof, text: string): Check {
  return proof.may ? good(name, text, { may: true }) : mayNot(name, name, proof.error);
}

function mayNot(name: string, what: string, error: unknown): Check {
  const why = visibleLine(messageOf(error));
  return { name, status: 'absent', text: `may not ${what}: ${why}`, facts: { may: false } };
}

const BYPASSES = {
  queue:
    'There is no queue beside the log yet: whoever makes it says what it sends on, and that may be the request to remove the log. The next event that is appended makes it',
  responses:
    'Its permissions have allow_responses: by an answer it publishes anywhere. Print the configuration of the server anew: clifford log access --help',
  words:
    'It is in the account of the log, and has the server itself remove it, by where an answer is to come. Print the configuration of the server anew, then restart it: clifford log access --help',
};

function dangerCheck({ dangerous, bypass }: ProvenAccess): Check {
  const name = 'danger';
  if (dangerous === undefined)
    return {
      name,
      status: 'absent',
      text: 'whether it may remove or change the log cannot be told: the server does not say what it allows',
    };
  if (dangerous.length === 0) return good(name, 'may neither remove the log nor change how it is kept');
  return warning(
    name,
    `may remove the log or change how it is kept: ${dangerous.join(', ')}`,
    bypass === undefined
      ? 'Give who uses the log no more than it takes: clifford log access --help'
      : BYPASSES[bypass],
    { requests: dangerous },
  );
}
