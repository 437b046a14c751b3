import type { EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { casesByType } from './cases.ts';
import type { ProjectState, SprintState } from './project-state.ts';
import type { Pins } from './policy-state.ts';

/** What an event says about what agents may call: what humans allowed, and which definitions are known. */
export function foldPolicy(project: ProjectState, sprint: SprintState, event: StoredEvent): void {
  cases.get(event.type)?.(event, project, sprint);
}

const cases = casesByType<[project: ProjectState, sprint: SprintState]>({
  'tool.pinned'({ data }, project) {
    project.pins = withPins(project.pins, data);
  },
  'policy.ruleadded'({ data: { ruleId: id, ...rule }, time: at }, project, sprint) {
    if (rule.definitionDigest === '') return;
    const added = { ...rule, id, at, recordedIn: sprint.id };
    project.policyRules = [...project.policyRules.filter((each) => each.id !== id), added];
  },
  'policy.ruleremoved'({ data: { ruleId } }, project) {
    project.policyRules = project.policyRules.filter(({ id }) => id !== ruleId);
  },
  'sprint.completed': (_, project, sprint) => endRules(project, sprint),
  'sprint.cancelled': (_, project, sprint) => endRules(project, sprint),
});

/** What the rules and the known definitions of a project follow from, whichever stream says it. */
export const policyTypes: ReadonlySet<EventType> = new Set(cases.keys());

/** Of a long history each sprint has its end, and hardly one a rule. */
function endRules(project: ProjectState, sprint: SprintState): void {
  if (project.policyRules.length > 0) project.policyRules = project.policyRules.filter(outlives(sprint));
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
