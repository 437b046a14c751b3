import { basename } from 'node:path';
import { messageOf } from '../../../lib/message-of.ts';
import { requestById } from '../../../workflow/requests/find-request.ts';
import { describeLimits } from '../../../views/sprints/describe-sprint.ts';
import type { SprintRow } from '../../../views/sprints/overview.ts';
import { noUsage } from '../../../machines/usage.ts';
import type { Reader, SentSprintRow, SentState } from '../../api/state.ts';
import type { Caller, Place } from '../callers/caller.ts';
import { whyNoDecision, whyNoDecisionLately } from '../callers/why-no-decision.ts';
import type { Serving } from '../serving.ts';
import { presentHead } from './present-question.ts';

/** What of the state is the same for all who ask. */
export type CommonState = Omit<SentState, 'now' | 'reader'>;

/** All sprints, and everything that waits for a human. */
export function presentState(
  { project, among, rows, version, extras }: Serving,
  now = Date.now(),
): CommonState {
  const { state, trouble } = project;
  const overview = rows.overview();
  const today = new Date(now).toISOString().slice(0, 10);
  const { input, output, costUsd } = state.spending.day === today ? state.spending.usage : noUsage;
  return {
    project: among?.name ?? basename(project.root),
    ...(among === undefined ? {} : { list: among.list }),
    version,
    sprints: overview.rows.map(presentRow),
    questions: overview.inbox.flatMap(({ id, isAwaited }) => {
      const request = requestById(state, id);
      if (!request) return [];
      return [presentHead(request, project.root, isAwaited, extras.aboutFiles(request))];
    }),
    limits: describeLimits(state.limits, now),
    spentToday: { input, output, costUsd },
    ...(trouble && {
      stale: { why: messageOf(trouble.error), since: new Date(trouble.since).toISOString() },
    }),
    problems: [...overview.problems, ...project.unwritten().map(({ message }) => message)],
  };
}

/** Who asks, and what they may. */
export function presentReader(caller: Caller, serving: Place & Pick<Serving, 'allowsAlways'>): Reader {
  const { name, expiresAt } = caller;
  const whyNot = caller.may === 'decide' ? whyNoDecisionLately(caller, serving) : undefined;
  const may = whyNot === undefined ? caller.may : 'read';
  return {
    name,
    may,
    ...(whyNot === undefined ? {} : { whyNot }),
    mayAlways: may === 'decide' && isAlwaysTaken(caller, serving),
    mayReveal: may === 'decide' && caller.isPrivate,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** Whether what stands in files, and what is hidden of calls, may be shown: to whoever decides, where nobody on the way can read it. */
export function isPrivateDecider(caller: Caller, place: Place): boolean {
  return caller.may === 'decide' && caller.isPrivate && whyNoDecision(caller, place) === undefined;
}

/** Whether a yes that stands from now on is taken: from this machine, and from others where that was allowed. */
export function isAlwaysTaken({ isHere }: Caller, { allowsAlways }: Pick<Serving, 'allowsAlways'>): boolean {
  return isHere || allowsAlways;
}

function presentRow({
  sprint,
  done,
  total,
  failed,
  setAside,
  cancelled,
  blocked,
  runs,
  waiting,
}: SprintRow): SentSprintRow {
  const { id, name, state, detail, word, hasRunner, version, lastEventAt, usage } = sprint;
  return {
    id,
    name,
    state,
    ...(detail === undefined ? {} : { detail }),
    word,
    runs:
      runs.is === 'running' ? { is: 'running', agents: [...runs.agents], waiting: [...runs.waiting] } : runs,
    hasRunner,
    done,
    total,
    failed,
    setAside,
    cancelled,
    blocked,
    waiting: waiting.length,
    version,
    ...(lastEventAt === undefined ? {} : { lastEventAt }),
    usage: { ...usage },
  };
}
