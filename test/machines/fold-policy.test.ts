import { describe, expect, it } from 'vitest';
import type { RuleScope } from '../../src/events/approval.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import { fromSnapshot, toSnapshot } from '../../src/machines/project-snapshot.ts';
import { approval } from '../helpers/approval.ts';
import { History, on } from '../helpers/history.ts';

const begun = (stream: string) => [
  on(stream, 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
  on(stream, 'sprint.started'),
];
const added = (ruleId: string, scope: RuleScope) => on('demo/a', 'policy.ruleadded', { ruleId, scope });
const always = added('r-always', { kind: 'always' });
const sprintWide = added('r-sprint', { kind: 'sprint', stream: 'demo' });
const ofTask = added('r-task', { kind: 'task', stream: 'demo', taskId: 'a' });
const elsewhere = added('r-other', { kind: 'sprint', stream: 'other' });

const historyOf = (...past: readonly Candidate[]) =>
  new History(...begun('demo'), ...begun('other'), ...past);
const rulesAfter = (...past: readonly Candidate[]) =>
  historyOf(...past).state.policyRules.map(({ id }) => id);

describe('what a human allowed', () => {
  it('is known in the whole project, with who said it, when and where', () => {
    expect(historyOf(always).state.policyRules).toEqual([
      {
        id: 'r-always',
        server: 'fs',
        tool: 'write_file',
        definitionDigest: 'digest-1',
        scope: { kind: 'always' },
        by: 'me',
        at: '2027-01-15T08:00:04.000Z',
        recordedIn: 'demo',
      },
    ]);
  });

  it('is over when it is taken back', () => {
    expect(rulesAfter(always, sprintWide, on('demo', 'policy.ruleremoved', { ruleId: 'r-always' }))).toEqual([
      'r-sprint',
    ]);
  });

  it.each([
    ['cancelled', [on('demo', 'sprint.cancelled')]],
    ['completed', [on('demo/a', 'task.skipped'), on('demo', 'sprint.completed')]],
  ])('for a sprint or its task is over when the sprint is %s, and nothing else is', (_, ending) => {
    expect(rulesAfter(always, sprintWide, ofTask, elsewhere, ...ending)).toEqual(['r-always', 'r-other']);
  });

  it('for a task outlives the task, which may be done again', () => {
    expect(rulesAfter(ofTask, on('demo/a', 'task.skipped'))).toEqual(['r-task']);
  });

  it('for no definition is nothing', () => {
    expect(rulesAfter(on('demo', 'policy.ruleadded', { definitionDigest: '' }))).toEqual([]);
  });
});

describe('the known definition of a tool', () => {
  const pinned = (tools: Record<string, string>, by?: string) =>
    on('adhoc', 'tool.pinned', { tools, ...(by === undefined ? {} : { by }) });
  const pinsAfter = (...past: readonly Candidate[]) =>
    Object.fromEntries(new History(...past).state.pins.get('fs') ?? []);

  it('is the first that was seen', () => {
    expect(pinsAfter(pinned({ read: 'one' }), pinned({ read: 'two', write: 'three' }))).toEqual({
      read: 'one',
      write: 'three',
    });
  });

  it('is another when a human agrees', () => {
    expect(pinsAfter(pinned({ read: 'one' }), pinned({ read: 'two' }, 'ann'))).toEqual({ read: 'two' });
  });
});

describe('a tool call that waits for a human', () => {
  const asked = on('demo/a', 'help.requested', { kind: 'approval', approval });
  const started = on('demo/a', 'task.started');
  const yes = on('demo/a', 'help.answered', { verdict: 'approved', scope: 'once' });
  const used = (callId: string) => on('demo/a', 'tool.allowed', { callId, requestId: 'q-1', by: 'me' });
  const usedBy = (...past: readonly Candidate[]) =>
    historyOf(started, ...past)
      .sprint()
      .requests.get('q-1')?.usedBy;

  const usedUp = historyOf(started, asked, yes, used('c-1'));

  it('takes no answer that is neither yes nor no', () => {
    const history = historyOf(started, asked);
    expect(history.add(on('demo/a', 'help.answered'))).toMatchObject({ legal: false, who: 'request q-1' });
    expect(history.add(yes)).toEqual({ legal: true });
  });

  it('can be dismissed', () => {
    expect(historyOf(started, asked).add(on('demo/a', 'help.dismissed'))).toEqual({ legal: true });
  });

  it('alone takes a verdict', () => {
    expect(historyOf(started, on('demo/a', 'help.requested')).add(yes)).toMatchObject({ legal: false });
  });

  it('is used by the first call that takes its yes', () => {
    expect(usedBy(asked, yes, used('c-1'), used('c-2'))).toBe('c-1');
  });

  it('stays used in a snapshot', () => {
    const { requests } = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(usedUp.sprint()))));
    expect(requests.get('q-1')?.usedBy).toBe('c-1');
  });

  const lapsed = (...past: readonly Candidate[]) =>
    historyOf(started, asked, ...past)
      .sprint()
      .requests.get('q-1')?.hasLapsed;
  const ended = (type: 'task.completed' | 'task.skipped' | 'task.cancelled' | 'task.failed') =>
    on('demo/a', type);

  it.each(['task.completed', 'task.skipped', 'task.cancelled', 'task.failed'] as const)(
    'has a yes until %s',
    (type) => {
      expect(lapsed(yes)).toBeUndefined();
      expect(lapsed(yes, ended(type))).toBe(true);
      const history = historyOf(started, asked, yes, ended(type), used('c-1'));
      expect(history.sprint().requests.get('q-1')?.usedBy).toBeUndefined();
    },
  );

  it('has a no that its agent has heard until its task is retried by a human', () => {
    const no = on('demo/a', 'help.answered', { verdict: 'denied', response: 'no' });
    const heard = on('demo/a', 'help.delivered', { requestId: 'q-1', to: 'run-1' });
    const again = [ended('task.failed'), on('demo/a', 'task.reset')];
    expect(lapsed(no, heard, on('demo/a', 'task.retried'))).toBeUndefined();
    expect(lapsed(no, heard, ...again)).toBe(true);
    expect(lapsed(no, ...again)).toBeUndefined();
    const ofOther = (['task.started', 'task.failed', 'task.reset'] as const).map((type) =>
      on('demo/b', type),
    );
    const withOther = on('demo', 'sprint.amended', { tasks: [{ id: 'b', file: 'b.md' }] });
    expect(lapsed(withOther, no, heard, ...ofOther)).toBeUndefined();
  });

  it('keeps its yes through the next attempt, and the end of another task', () => {
    expect(lapsed(yes, on('demo/a', 'agent.lost'), on('other/a', 'task.skipped'))).toBeUndefined();
  });

  it('has no yes left in a snapshot after its task', () => {
    const sprint = historyOf(started, asked, yes, ended('task.skipped')).sprint();
    const { requests } = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(sprint))));
    expect(requests.get('q-1')?.hasLapsed).toBe(true);
  });

  it('is not used without a yes', () => {
    expect(usedBy(asked, used('c-1'))).toBeUndefined();
    expect(usedBy(asked, on('demo/a', 'help.answered', { verdict: 'denied' }), used('c-1'))).toBeUndefined();
  });
});
