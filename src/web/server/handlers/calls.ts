import { filesInCall } from '../../../events/call-files/files-in-call.ts';
import { clip } from '../../../lib/text/clip.ts';
import type { StoredEvent } from '../../../events/envelope.ts';
import { argsText } from '../../../views/calls/args-text.ts';
import { callChanges } from '../../../views/calls/call-changes.ts';
import { maskSecrets } from '../../../views/calls/masked.ts';
import { noCallsText, taskCalls, type TaskCall } from '../../../views/calls/task-calls.ts';
import { beforeEventText } from '../../../views/events/before-event-text.ts';
import { isAll } from '../../../workflow/history/recent-events.ts';
import { asksForWords } from '../../../workflow/project/own-tools.ts';
import type { CallLine, SentToolCall } from '../../api/tool-call.ts';
import { eventsBetween } from '../events-between.ts';
import { knownSprint } from '../known-sprint.ts';
import { presentChanges } from '../present/present-question.ts';
import { notFound } from '../refusal.ts';
import type { Serving } from '../serving.ts';
import { isAlive } from '../../../lib/processes/process-identity.ts';
import { isAgentGone } from '../../../views/sprints/gone-agent.ts';
import type { Handlers } from './handlers.ts';

/** So many of the newest events are looked at, and so many calls are listed. */
const MOST_EVENTS = 5_000;
const MOST_CALLS = 500;
/** Of what one was called with so much stands in its line, in characters. */
const MOST_IN_LINE = 300;

/** The calls that a query is about, and the events that they were found in. */
type Found = { readonly events: readonly StoredEvent[]; readonly calls: readonly TaskCall[] };

/** Which tools the agents of a task called. */
export function callsHandlers(serving: Serving): Pick<Handlers, 'calls' | 'call'> {
  const { project, histories } = serving;

  const find = async (id: string, task: string, until: number | undefined): Promise<Found> => {
    await knownSprint(serving, id);
    const now = project.state.streams.get(id);
    const length = now?.version ?? 0;
    const last = Math.min(until ?? length, length);
    if (last === 0) return { events: [], calls: [] };
    const events = await eventsBetween(histories, id, { first: Math.max(1, last - MOST_EVENTS + 1), last });
    const sprint =
      until === undefined
        ? now
        : await histories.withCursor(id, async (cursor) => (await cursor.seek(last)).state.streams.get(id));
    return {
      events,
      calls: taskCalls(events, {
        task,
        sprint,
        // Of the past the log alone is asked.
        isAgentGone: until === undefined && sprint !== undefined && isAgentGone(sprint, task, isAlive),
        asksForWords,
      }),
    };
  };

  return {
    calls: async ({ params: { id }, query: { task, until } }) => {
      const { events, calls } = await find(id, task, until);
      const shown = calls.slice(-MOST_CALLS);
      const from =
        shown.length < calls.length
          ? shown[0]?.version
          : isAll(events)
            ? undefined
            : events[0]?.streamversion;
      return {
        calls: shown.map(lineOf),
        ...(from !== undefined && { leftOut: beforeEventText(from, id) }),
        empty: noCallsText(isAll(events)),
      };
    },
    call: async ({ params: { id, version }, query: { task, until } }) => {
      const { calls } = await find(id, task, until);
      const call = calls.find((each) => each.version === version);
      if (!call) throw notFound(`call ${version} of ${id}`);
      return wholeCall(call, project.root);
    },
  };
}

function lineOf({ version, at, standing, server, tool, agent, title, args, ranWith }: TaskCall): CallLine {
  return {
    version,
    at,
    standing,
    server,
    tool,
    ...(agent === undefined ? {} : { agent }),
    ...(title === undefined ? {} : { title }),
    args: clip(argsText(ranWith ?? args), MOST_IN_LINE),
  };
}

function wholeCall(call: TaskCall, root: string): SentToolCall {
  const { version, at, standing, agent, server, tool, title, args, ranWith } = call;
  const { paths, is, rule, by, returned, error } = call;
  return {
    version,
    at,
    standing,
    agent,
    server,
    tool,
    title,
    args: maskSecrets(args),
    ...(ranWith === undefined ? {} : { ranWith: maskSecrets(ranWith) }),
    paths,
    is,
    rule,
    by,
    returned,
    error,
    changes: presentChanges(callChanges(filesInCall(ranWith ?? args)), root),
  };
}
