import { describe, expect, it } from 'vitest';
import { adapterNames } from '../../../src/workflow/config/adapter-names.ts';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';

/** The types of records that any of them knows. */
const types =
  'system assistant user rate_limit_event result message init tool_use tool_call step_start step_finish text error ' +
  'thread.started item.started item.completed turn.failed turn.completed session.error model.call_failure ' +
  'tool.execution_start';

const odd = [null, 1, 'x', [], {}, [null], { type: 1, content: [1], usage: 'x', error: [] }];

const lines = [
  '\0',
  '{',
  '{"type":"__proto__"}',
  '{"type":"constructor"}',
  'level=ERROR message="',
  'Error: ',
  'retryDelayMs: 99999999999999999999',
  `{"type":"tool_use","part":${'['.repeat(100_000)}`,
  ...types
    .split(' ')
    .flatMap((type) =>
      [
        'message',
        'item',
        'part',
        'data',
        'error',
        'usage',
        'rate_limit_info',
        'tool_call',
        'timestamp',
      ].flatMap((member) =>
        odd.map((value) => JSON.stringify({ type, subtype: 'init', sessionID: 's', [member]: value })),
      ),
    ),
];

describe.each(adapterNames)('the output of %s', (name) => {
  it('ends no run, whatever it is, and nothing is a limit that is not said', () => {
    const parser = knownAgents[name].createParser?.();
    const signals = lines.flatMap((line) => [
      ...(parser?.line(line) ?? []),
      ...(parser?.errorLine?.(line) ?? []),
    ]);
    expect(signals.filter(({ is }) => is === 'limit')).toEqual([]);
  });
});
