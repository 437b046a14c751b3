import { expect, it, onTestFinished, vi } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { feedCommands } from '../../../src/tui/overview/feed-commands.ts';
import { startOverviewActor } from '../../../src/tui/overview/overview-actor.ts';
import type { Commands } from '../../../src/tui/screen/screen-state.ts';
import { approve, askApproval } from '../../../src/workflow/requests/approval.ts';
import { inboxOf } from '../../../src/views/requests/inbox.ts';
import { approval } from '../../helpers/approval.ts';
import { anOverview, overviewAt } from '../../helpers/overview-views.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it('the command of each call that waits is taken apart once, and anew when a human has decided on one', async () => {
  const { project } = await projectWithSprint();
  const asks = (id: string) => {
    const call = { ...approval, callId: id, callDigest: id, args: { command: id } };
    return askApproval(project, { stream: 'demo', agent: { id }, approval: call });
  };
  const [one, two, three] = [await asks('c1'), await asks('c2'), await asks('c3')];
  const news = () => anOverview({ inbox: inboxOf(project.state) });
  const actor = startOverviewActor(overviewAt('inbox', { overview: news() }));
  const parts = { parts: [], writes: [], doubt: undefined };
  const looked: string[] = [];
  const partsOf = async (waiting: readonly RequestState[]): Promise<Commands> => {
    looked.push(...waiting.map(({ id }) => id));
    return new Map(waiting.map(({ id }) => [id, parts]));
  };
  onTestFinished(feedCommands(actor, { project, partsOf }));
  const known = () => [...actor.getSnapshot().context.commands.keys()];
  await vi.waitFor(() => expect(known()).toEqual([one.id, two.id, three.id]));
  actor.send({ type: 'news', overview: news() });
  expect(looked).toEqual([one.id, two.id, three.id]);
  const decided = new Promise<readonly StoredEvent[]>((resolve) => {
    onTestFinished(project.subscribe(resolve));
  });
  await approve(project, three.id, { by: 'ada', via: 'cli', scope: 'once' });
  await decided;
  actor.send({ type: 'news', overview: news() });
  await vi.waitFor(() => expect(looked).toEqual([one.id, two.id, three.id, one.id, two.id]));
});
