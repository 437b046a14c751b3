import type { RecordedRule } from '../../machines/policy-state.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';

/** A yes of a human that holds for later calls of the same tool, too: server and tool letter by letter, no patterns. */
export type GrantedRule = Omit<RecordedRule, 'recordedIn'>;

/** `granted r-1 (always, by ada)`. */
export function grantLabel({ id, scope, by }: GrantedRule): string {
  const reach = { always: 'always', sprint: 'this sprint', task: 'this task' }[scope.kind];
  return `granted ${cleanLine(id, 100)} (${reach}, by ${cleanLine(by, 100)})`;
}

/** Who granted the rule of such a label; `undefined`: it is the label of another rule. */
export function granterIn(label: string): string | undefined {
  return /^granted \S+ \((?:always|this sprint|this task), by (.*)\)$/.exec(label)?.[1];
}

/** Whether it holds where a call is made. */
export function holdsIn(
  { scope }: Pick<GrantedRule, 'scope'>,
  place: { readonly stream?: string | undefined; readonly taskId?: string | undefined },
): boolean {
  switch (scope.kind) {
    case 'always':
      return true;
    case 'sprint':
      return scope.stream === place.stream;
    case 'task':
      return scope.stream === place.stream && scope.taskId === place.taskId;
  }
}
