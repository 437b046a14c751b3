import type { EventType } from '../events/catalog.ts';
import type { Mark } from '../events/descriptor.ts';

/** What an event is about, where that is not its first word. */
const nouns: Readonly<Record<string, string>> = {
  help: 'Question',
  notify: 'Message',
  tool: 'Call',
};

/** Those that two words do not say. */
const titles: { readonly [T in EventType]?: string } = {
  'agent.limited': 'Agent at its limit',
  'agent.sessionopened': 'Session opened',
  'agent.stalled': 'Agent silent',
  'agent.usage': 'Tokens used',
  'help.attached': 'Answer waited for again',
  'help.delivered': 'Answer delivered',
  'help.detached': 'Answer not waited for any more',
  'help.expired': 'Not answered in time',
  'help.requested': 'Question asked',
  'note.taken': 'Note on its way',
  'notify.failed': 'Channel failed',
  'notify.refused': 'Reply refused',
  'offer.made': 'Task offered',
  'offer.unmerged': 'Merge lost',
  'policy.ruleadded': 'Rule added',
  'policy.ruleremoved': 'Rule removed',
  'runner.recalled': 'Runner told to leave',
  'task.noted': 'Remark',
  'task.uncommitted': 'Task not committed',
  'tool.pinned': 'Tool pinned',
  'tool.requested': 'Call made',
  'tool.unasked': 'Call made unasked',
  'uat.reported': 'Acceptance test written',
  'verify.returned': 'Check ended',
  'worktree.merged': 'Changes merged',
  'worktree.stuck': 'Changes cannot be merged',
};

/** What an event is called for people: `task.started` is `Task started`. */
export function eventTitle(type: EventType, mark: Mark | undefined): string {
  if (type === 'help.requested' && mark === 'approval') return 'Approval asked for';
  const known = titles[type];
  if (known !== undefined) return known;
  const [noun = '', verb = ''] = type.split('.');
  return `${nouns[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1)} ${verb}`;
}
