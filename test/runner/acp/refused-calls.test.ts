import { expect, it, vi } from 'vitest';
import { AcpCalls, type Unasked } from '../../../src/runner/acp/acp-calls.ts';
import { collectGarbage } from '../../helpers/collect-garbage.ts';

it('a call that was refused is known again when it has begun anew, and what it was is not kept', async () => {
  const heard: Unasked[] = [];
  const calls = new AcpCalls(
    () => false,
    (_call, how) => heard.push(how),
  );
  const refuse = () => {
    const rawInput = { command: 'touch made', text: 'much' };
    calls.asked({ toolCallId: 'c1', kind: 'execute', rawInput });
    calls.refused('c1');
    calls.take({ toolCallId: 'c1', status: 'failed' });
    return new WeakRef(rawInput);
  };
  const kept = refuse();
  await vi.waitFor(() => {
    collectGarbage();
    // Not itself: a failed expectation would hold it.
    expect(kept.deref() === undefined).toBe(true);
  });
  const again = (toolCallId: string, command: string) => {
    const begun = { toolCallId, kind: 'execute', rawInput: { command, text: 'much', more: 1 } } as const;
    calls.take({ sessionUpdate: 'tool_call', status: 'in_progress', ...begun });
    calls.take({ toolCallId, status: 'completed' });
  };
  again('c1', 'touch made');
  again('c1', 'touch other');
  expect(heard.map(({ wasRefused }) => wasRefused)).toEqual([true, false]);
});
