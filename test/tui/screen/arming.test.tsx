import { render } from 'ink';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Focus } from '../../../src/tui/screen/focus.ts';
import { ClockContext } from '../../../src/tui/screen/clock.ts';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { Screen } from '../../../src/tui/screen/screen.tsx';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import { aCallQuestion, deciding, now } from '../../helpers/screen-views.ts';

/** Where the keys of a screen go whose call waits, on a narrow terminal that shows this part. */
function show(area: 'question' | 'tasks', focus: Focus) {
  const state = deciding(aCallQuestion());
  const actor = startScreenActor({ ...state, focus, browsing: { ...state.browsing, area } });
  const { unmount } = render(
    <ClockContext value={{ now: () => now, subscribe: () => () => {} }}>
      <Screen actor={actor} output={createAgentOutput()} />
    </ClockContext>,
    {
      stdin: new FakeStdin(),
      stdout: new FakeStdout(50, 20),
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  onTestFinished(() => unmount());
  return () => actor.getSnapshot().context.focus;
}

it('a card that cannot be seen takes no decision, however long it waits; what asks below it does', async () => {
  const unseen = show('tasks', { at: 'arming', dropped: 0 });
  const asked = show('tasks', { at: 'stop', isArmed: false, key: 'q', back: { at: 'sprint' } });
  const seen = show('question', { at: 'arming', dropped: 0 });
  await vi.waitFor(() => expect([seen().at, asked()]).toMatchObject(['decide', { isArmed: true }]), {
    timeout: 10_000,
  });
  expect(unseen()).toEqual({ at: 'arming', dropped: 0 });
});
