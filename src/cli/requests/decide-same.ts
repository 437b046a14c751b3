import { CliffordError } from '../../errors.ts';
import { alikeIn } from '../../gateway/permission/same-shape.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { parkedFor } from '../../machines/parked.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { askerOf } from '../../views/requests/asker.ts';
import { callName } from '../../workflow/requests/call-name.ts';
import type { Project } from '../../workflow/project/project.ts';
import { decideAll } from '../../workflow/requests/decide-all.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import { notAnApproval, verbOf } from '../../workflow/requests/decide-call.ts';
import { findRequest, openRequests } from '../../workflow/requests/find-request.ts';
import { closedBy, didText } from '../../workflow/requests/outcome-text.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { canAsk, yesOrNo } from '../input/yes-or-no.ts';
import { callLines } from '../text/approval-lines.ts';
import { tellDecided } from '../text/decided-json.ts';
import { decidedAbout, tellParked } from './close-and-tell.ts';
import { filesOfCall, requireStillSo } from './files-of-call.ts';
import { lostRace } from './request-errors.ts';

type Verdict = 'approved' | 'denied';

/** What is decided about calls that wait alike, and how the command line names one of them. */
export type SameOptions = {
  readonly verdict: Verdict;
  /** Who decides, as the log names them. */
  readonly by: string;
  readonly name: string;
  readonly yes?: true | undefined;
  readonly reason?: string | undefined;
  readonly json?: true | undefined;
};

/**
 * Allows or refuses all calls of a sprint that wait like this one. Each of them is listed before, and asked about where a person
 * is there: which they are only the list says.
 */
export async function decideSame(
  cli: Cli,
  project: Project,
  request: RequestState,
  { verdict, by, name, yes, reason, json }: SameOptions,
): Promise<void> {
  const { id, stream } = request;
  if (!request.asked.approval) throw notAnApproval(verbOf[verdict], request);
  if (request.phase !== 'open') throw lostRace(verbOf[verdict], id, request);
  const calls = callsLike(
    request,
    openRequests(project.state).filter((each) => each.stream === stream),
  );
  // Another name than the id may mean another call by now.
  const mustAsk = !yes || name !== id;
  if (mustAsk && (json || !canAsk(cli))) throw notListed(verdict, id);
  const looked = json ? [] : await Promise.all(calls.map((call) => filesOfCall(project, call)));
  if (!json)
    calls.forEach((call, at) =>
      printCall(cli, call, { at: `${at + 1} of ${calls.length}`, files: looked[at]?.files }),
    );
  const { ask, kept } = words[verdict];
  const these = calls.length === 1 ? 'this call' : `these ${calls.length} calls`;
  const answer = !mustAsk ? 'yes' : await yesOrNo(cli, `${ask} ${these}?`);
  if (answer === 'no') cli.print(kept);
  if (answer !== 'yes') return cli.endWith(answer === 'stop' ? exitCodes.interrupted : exitCodes.failed);
  if (verdict === 'approved')
    for (const [at, call] of calls.entries()) await requireStillSo(project, call, looked[at]?.seen);
  const said = { verdict, by, via: 'cli', response: reason };
  const isParked = new Set(calls.filter((call) => parkedFor(project.state, call)).map((call) => call.id));
  const { decided, lost } = await decideAll(project, calls, said);
  tellDecided(cli, json, { done: verdict, ...decidedAbout(decided), sprint: stream }, () => {
    for (const each of decided) cli.say(lineOf(each, said));
  });
  for (const each of lost) cli.note(`not ${each.id}: ${closedBy(each, Date.now())}`);
  const parked = decided.filter((call) => isParked.has(call.id));
  if (!json)
    tellParked(
      cli,
      project,
      parked,
      calls.length === 1 ? undefined : ({ taskId }) => `the agent of ${taskId}`,
    );
  if (decided.length === 0) cli.endWith(exitCodes.failed);
}

const words = {
  approved: { ask: 'Allow', kept: 'not allowed: they wait on' },
  denied: { ask: 'Deny', kept: 'not denied: they wait on' },
} as const;

function lineOf(
  { id, asked: { approval } }: RequestState,
  { verdict, response }: { readonly verdict: Verdict; readonly response: string | undefined },
): string {
  const because = response === undefined ? '' : ` (${response})`;
  return `${didText({ verdict }, id)}: ${callName(approval)}${verdict === 'denied' ? because : ', this call'}`;
}

/** The call that is meant by a name. Where all that waits is alike, `last` is any of it: each is listed, and asked about. */
export function sameMeant(state: ProjectState, name: string): RequestState {
  const open = openRequests(state);
  const newest = open.at(-1);
  const isOne = open.every(({ stream }) => stream === newest?.stream);
  if (name === 'last' && newest && isOne && callsLike(newest, open).length === open.length) return newest;
  return findRequest(state, name);
}

function callsLike(request: RequestState, open: readonly RequestState[]): readonly RequestState[] {
  const listed = open.map((each) => ({ id: each.id, approval: each.asked.approval, each }));
  const alike = alikeIn(listed, request.id).map(({ each }) => each);
  return alike.length === 0 ? [request] : alike;
}

function printCall(
  cli: Cli,
  call: RequestState,
  { at, files }: { readonly at: string; readonly files: FilesNow | undefined },
): void {
  const { id, asked, taskId = asked.task } = call;
  const about = taskId === undefined ? '' : `, about ${taskId}`;
  cli.print(visibleLine(`${at}: ${id}, ${askerOf(call)}${about}`));
  if (asked.approval) cli.printLines(callLines(asked.approval, cli, { files }).map((line) => `  ${line}`));
}

function notListed(verdict: Verdict, id: string): CliffordError {
  const verb = verbOf[verdict];
  return new CliffordError(`Cannot ${verb} ${id} and those like it: nobody can be asked about them here`, {
    code: 'CALL_NOT_SHOWN',
    fix: `Look at them with clifford questions, then: clifford ${verb} ${id} --same --yes`,
  });
}
