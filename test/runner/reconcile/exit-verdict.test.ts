import { describe, expect, it } from 'vitest';
import { exitVerdict, failureReason } from '../../../src/runner/reconcile/exit-verdict.ts';
import type { EndedAttempt } from '../../../src/runner/reconcile/exit-verdict.ts';
import { silentReport } from '../../../src/runner/output/agent-report.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import { History, on } from '../../helpers/history.ts';

const ended: EndedAttempt = {
  runId: 'run-1',
  taskId: 'a',
  endReason: undefined,
  wasResumed: false,
  reason: 'exit 1',
};
const begin = (maxAttempts: number): Candidate[] => [
  on('demo', 'sprint.created'),
  on('demo', 'sprint.started', { maxAttempts }),
  on('demo/a', 'task.started'),
];
const verdict = (past: readonly Candidate[], attempt = ended) =>
  exitVerdict(new History(...past).sprint(), attempt, 1_000);

describe('an agent that ends', () => {
  it('without completing its task has failed', () => {
    expect(verdict(begin(1))).toEqual([
      { type: 'task.failed', subject: 'demo/a', data: { reason: 'exit 1' } },
    ]);
  });

  it('is followed by another while attempts are left, twice as late each time', () => {
    const second = [
      on('demo/a', 'agent.exited'),
      on('demo/a', 'task.retried'),
      on('demo/a', 'task.started', { attempt: 2, runId: 'run-2' }),
    ];
    const delays = [verdict(begin(3)), verdict([...begin(3), ...second], { ...ended, runId: 'run-2' })].map(
      ([event]) => event?.data,
    );
    expect(delays).toEqual([
      { attempt: 2, delayMs: 1_000, reason: 'exit 1' },
      { attempt: 3, delayMs: 2_000, reason: 'exit 1' },
    ]);
  });

  it.each<[string, Candidate]>([
    ['is done', on('demo/a', 'task.completed', { runId: 'run-1' })],
    ['waits for an answer', on('demo/a', 'help.requested')],
    ['was skipped', on('demo/a', 'task.skipped')],
  ])('changes nothing when its task %s', (_, last) => {
    expect(verdict([...begin(1), last])).toEqual([]);
  });

  describe('and was asking', () => {
    const origin = { agent: 'run-1', runId: 'run-1' };
    const asked = [...begin(1), on('demo/a', 'help.requested', { origin })];
    const failed = [{ type: 'task.failed', subject: 'demo/a', data: { reason: 'exit 1' } }];

    it.each<[string, Candidate]>([
      ['answered', on('demo/a', 'help.answered')],
      ['dismissed', on('demo/a', 'help.dismissed')],
    ])('changes nothing when the question was %s and it left without knowing', (_, last) => {
      expect(verdict([...asked, last])).toEqual([]);
    });

    it.each<[string, Candidate]>([
      ['answered', on('demo/a', 'help.answered', { by: 'agent:run-1' })],
      ['dismissed', on('demo/a', 'help.dismissed', { by: 'agent:run-2' })],
    ])('has failed when it was %s by an agent', (_, last) => {
      expect(verdict([...asked, last])).toEqual(failed);
    });

    it('has failed when it was answered by a file, which anybody may write, once more than it has attempts', () => {
      const byFile = (requestId: string, subject = 'demo/a') => [
        on(subject, 'help.requested', { requestId, origin }),
        on(subject, 'help.answered', { requestId, by: 'file', via: 'file' }),
      ];
      expect(verdict([...begin(2), ...byFile('q-1'), ...byFile('q-2')])).toEqual([]);
      const told = on('demo/a', 'help.delivered', { requestId: 'q-1' });
      const second = on('demo/a', 'help.delivered', { requestId: 'q-2' });
      const past = [...begin(2), ...byFile('q-1'), told, ...byFile('q-2'), second];
      expect(verdict([...past, ...byFile('q-3')])).toMatchObject([{ type: 'task.retried' }]);
      // Nor is it of the sprint as a whole, as an agent may ask.
      expect(verdict([...past, ...byFile('q-3', 'demo')])).toMatchObject([{ type: 'task.retried' }]);
    });

    it('counts no answer by file to what the agent of another task asked of the sprint as a whole', () => {
      const byFile = (requestId: string, agent: string) => [
        on('demo', 'help.requested', { requestId, origin: { agent, runId: agent } }),
        on('demo', 'help.answered', { requestId, by: 'file', via: 'file' }),
      ];
      const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md`, dependsOn: [] }));
      const [, ...started] = begin(1);
      const other = on('demo/b', 'task.started', { runId: 'run-b' });
      const past = [on('demo', 'sprint.created', { tasks }), ...started, other, ...byFile('q-1', 'run-b')];
      expect(verdict([...past, ...byFile('q-2', 'run-1')])).toEqual([]);
      // An earlier attempt of its own has asked: it had its answer.
      expect(verdict([...begin(1), ...byFile('q-1', 'run-0'), ...byFile('q-2', 'run-1')])).toEqual(failed);
    });

    it('changes nothing when it waited for what an earlier attempt had asked', () => {
      const second = [
        on('demo/a', 'agent.exited'),
        on('demo/a', 'help.answered'),
        on('demo/a', 'task.started', { attempt: 2, runId: 'run-2' }),
      ];
      const waits = on('demo/a', 'help.attached', { agent: 'run-2' });
      const next = { ...ended, runId: 'run-2' };
      expect(verdict([...asked, ...second, waits], next)).toEqual([]);
      expect(verdict([...asked, ...second], next)).toEqual(failed);
    });

    it('has failed when it knew the answer', () => {
      const known = [on('demo/a', 'help.answered'), on('demo/a', 'help.delivered')];
      expect(verdict([...asked, ...known])).toEqual(failed);
    });
  });

  it.each(['stopped', 'finished', 'limited', 'overspent'] as const)(
    'changes nothing when it was %s',
    (endReason) => {
      expect(verdict(begin(1), { ...ended, endReason })).toEqual([]);
    },
  );

  it.each(['unconnected', 'stalled', 'hung', 'overtime'] as const)(
    'has failed when it was %s',
    (endReason) => {
      expect(verdict(begin(1), { ...ended, endReason })).toMatchObject([{ type: 'task.failed' }]);
    },
  );

  it('changes nothing when it was to go on with a session and never connected', () => {
    const resumed = { ...ended, wasResumed: true };
    const past = [...begin(1), on('demo/a', 'agent.started', { sessionId: 's' })];
    expect(verdict(past, resumed)).toEqual([]);
    expect(verdict([...past, on('demo/a', 'agent.connected')], resumed)).toMatchObject([
      { type: 'task.failed' },
    ]);
  });

  it('has failed for good when another attempt would fail as well', () => {
    expect(verdict(begin(3), { ...ended, isHopeless: true })).toMatchObject([{ type: 'task.failed' }]);
  });

  it('has failed for not having connected, where it should have and did not', () => {
    const attempt = { ...ended, reasonIfUnconnected: 'no tools' };
    const past = [...begin(1), on('demo/a', 'agent.started')];
    expect(verdict(past, attempt)).toMatchObject([{ data: { reason: 'no tools' } }]);
    expect(verdict([...past, on('demo/a', 'agent.connected')], attempt)).toMatchObject([
      { data: { reason: 'exit 1' } },
    ]);
  });

  it('changes nothing when the attempt is not the current one', () => {
    expect(verdict(begin(1), { ...ended, runId: 'run-0' })).toEqual([]);
  });
});

it.each([
  [{ code: 3, signal: null }, 'no network', 'the agent exited with code 3: no network'],
  [{ code: null, signal: 'SIGSEGV' }, '', 'the agent was ended by SIGSEGV'],
  [{ code: 0, signal: null }, '', 'the agent ended without completing the task'],
])('the reason for %o says how it ended and what it said last', (exit, lastWords, reason) => {
  expect(failureReason({ ...exit, durationMs: 1 }, { endReason: undefined, lastWords })).toBe(reason);
});

it.each([
  [{ code: 3, signal: null }, 'the agent exited with code 3 before it connected to Clifford'],
  [{ code: 0, signal: null }, 'the agent ended before it connected to Clifford'],
  [{ code: null, signal: 'SIGSEGV' }, 'the agent was ended by SIGSEGV before it connected to Clifford'],
])('the reason for %o that never connected says so, and how the agent saw it', (exit, how) => {
  const mcp = { status: 'failed', detail: 'spawn ENOENT' } as const;
  const report = { ...silentReport, mcp, error: { class: 'auth', message: 'bad key' } as const };
  const last = { endReason: undefined, report, isUnconnected: true, lastWords: 'bye' };
  expect(failureReason({ ...exit, durationMs: 1 }, last)).toBe(
    `${how}: MCP server clifford: failed (spawn ENOENT) | its provider rejected its credentials: bad key | bye`,
  );
  expect(failureReason({ ...exit, durationMs: 1 }, { ...last, isUnconnected: false })).not.toContain('MCP');
});

it('the reason for an agent that was ended says what it was ended for', () => {
  const exit = { code: null, signal: 'SIGTERM', durationMs: 1 };
  expect(failureReason(exit, { endReason: 'stalled', lastWords: 'thinking' })).toBe(
    'the agent was unresponsive: thinking',
  );
});

it('the reason quotes what an agent said on one line, and not all of it where that is long', () => {
  const exit = { code: 1, signal: null, durationMs: 1 };
  const message = `refused:\n\u001B[31m${'x'.repeat(2_000)}\u001B[39m`;
  const error = { class: 'other', message } as const;
  const mcp = { status: 'failed', detail: 'y'.repeat(2_000) } as const;
  const last = { endReason: undefined, report: { ...silentReport, error, mcp }, lastWords: 'bye' };
  const reason = failureReason(exit, { ...last, isUnconnected: true });
  expect(reason).toMatch(
    /^the agent exited with code 1 .*: MCP server clifford: failed \(y+… \| refused: \| x+… \| bye$/,
  );
  expect(reason.length).toBeLessThan(1_100);
});
