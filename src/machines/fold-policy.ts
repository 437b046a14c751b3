import type { EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { Pins, ProjectState, RequestState, SprintState } from './project-state.ts';

/** What an event says about what agents may call: what humans allowed, and which definitions are known. */
export function foldPolicy(project: ProjectState, sprint: SprintState, event: StoredEvent): void {
  if (concernsPolicy.has(event.type)) foldRules(project, sprint, event);
}

/** What the rules and the known definitions of a project follow from, whichever stream says it. */
export const policyTypes: ReadonlySet<EventType> = new Set([
  'tool.pinned',
  'policy.ruleadded',
  'policy.ruleremoved',
  'sprint.completed',
  'sprint.cancelled',
] satisfies EventType[]);

/** What {@link foldRules} has a case for. Most events are others, and cost no more than this look. */
const concernsPolicy: ReadonlySet<EventType> = new Set<EventType>([...policyTypes, 'tool.allowed']);

function foldRules(project: ProjectState, sprint: SprintState, event: StoredEvent): void {
  switch (event.type) {
    case 'tool.allowed': {
      const { requestId, callId } = event.data;
      if (requestId !== undefined) spend(sprint.requests.get(requestId), callId);
      break;
    }
    case 'tool.pinned':
      project.pins = withPins(project.pins, event.data);
      break;
    case 'policy.ruleadded': {
      const { ruleId: id, ...rule } = event.data;
      if (rule.definitionDigest === '') break;
      const added = { ...rule, id, at: event.time, recordedIn: sprint.id };
      project.policyRules = [...project.policyRules.filter((each) => each.id !== id), added];
      break;
    }
    case 'policy.ruleremoved': {
      const { ruleId } = event.data;
      project.policyRules = project.policyRules.filter(({ id }) => id !== ruleId);
      break;
    }
    case 'sprint.completed':
    case 'sprint.cancelled':
      // Of a long history each has its end, and hardly one a rule.
      if (project.policyRules.length > 0) project.policyRules = project.policyRules.filter(outlives(sprint));
      break;
    default:
  }
}

/** The first call counts. */
function spend(request: RequestState | undefined, callId: string): void {
  if (request?.answer?.verdict === 'approved' && !request.hasLapsed) request.usedBy ??= callId;
}

/** What a server says first is what is known, until a human has agreed to something else. */
function withPins(pins: Pins, { server, tools, by }: (StoredEvent & { type: 'tool.pinned' })['data']): Pins {
  const before = pins.get(server);
  const fresh = Object.entries(tools).filter(([tool]) => by !== undefined || before?.has(tool) !== true);
  return new Map(pins).set(server, new Map([...(before ?? []), ...fresh]));
}

/** Whether a rule holds beyond the end of this sprint. */
function outlives({ id }: SprintState): (rule: ProjectState['policyRules'][number]) => boolean {
  return ({ scope }) => scope.kind === 'always' || scope.stream !== id;
}
