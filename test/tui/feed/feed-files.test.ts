import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { feedFiles } from '../../../src/tui/feed/feed-files.ts';
import { lookAtFiles, type LookedAtFiles } from '../../../src/tui/feed/look-at-files.ts';
import { seeChanges } from '../../../src/views/calls/seen-changes.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { requireAsSeen } from '../../../src/workflow/requests/require-as-seen.ts';
import { approval } from '../../helpers/approval.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** Calls of agents' own tools that wait, each to edit the file of its number. */
async function edits(count: number) {
  const { root, project } = await projectWithSprint();
  const calls = [];
  for (let at = 0; at < count; at += 1) {
    await writeFile(join(root, `${at}.ts`), 'one\n');
    const args = { path: `${at}.ts`, old_string: 'one', new_string: 'two' };
    const own = { server: '@opencode', tool: 'edit', isOwn: true, args } as const;
    const call = { ...approval, ...own, callId: `call-${at}`, callDigest: `digest-${at}` };
    calls.push(await askApproval(project, { stream: 'demo', agent: { id: `agent-${at}` }, approval: call }));
  }
  return { root, project, calls };
}

it('each call is compared by itself, the one that is shown first', async () => {
  const { project, calls } = await edits(3);
  const [one, two, three] = calls.map(({ id }) => id);
  const told: LookedAtFiles[] = [];
  const feed = feedFiles({
    project,
    calls: () => calls,
    shown: () => two,
    send: (looked) => told.push(looked),
  });
  onTestFinished(feed.stop);
  await expect.poll(() => told.map(({ files }) => [...files.keys()])).toEqual([[two], [one], [three]]);
});

it('a call whose file is removed while it waits can be allowed as it is then', async () => {
  const { root, project, calls } = await edits(1);
  const [call] = calls;
  if (!call) throw new Error('No call waits');
  const isAllowed = (seen: string | undefined) => requireAsSeen(project, call, seen, seeChanges);
  const { seen: before } = await lookAtFiles(project, calls);
  await isAllowed(before.get(call.id));
  await rm(join(root, '0.ts'));
  await expect(isAllowed(before.get(call.id))).rejects.toMatchObject({ code: 'FILES_CHANGED' });
  const { seen: after } = await lookAtFiles(project, calls);
  await isAllowed(after.get(call.id));
});

it('a call that changes nothing of what is there is allowed as that, and not as what it would change later', async () => {
  const { root, project, calls } = await edits(1);
  const [call] = calls;
  if (!call) throw new Error('No call waits');
  const args = { path: '0.ts', content: 'one\n' };
  const same = { ...call, asked: { ...call.asked, approval: { ...approval, isOwn: true as const, args } } };
  const { seen } = await lookAtFiles(project, [same]);
  expect(seen.has(call.id)).toBe(true);
  await writeFile(join(root, '0.ts'), 'other\n');
  await expect(requireAsSeen(project, same, seen.get(call.id), seeChanges)).rejects.toMatchObject({
    code: 'FILES_CHANGED',
  });
});

it('a comparison that fails ends in a word about it, and keeps no other from being made', async () => {
  const { project, calls } = await edits(1);
  const [call] = calls;
  const failing = {
    root: project.root,
    state: project.state,
    hideSecrets: () => {
      throw new Error('The secrets cannot be read');
    },
  };
  const { files, seen } = await lookAtFiles(failing, calls);
  expect(files.get(call?.id ?? '')?.get('0.ts')).toEqual({ is: 'unread', why: 'it could not be read' });
  expect([...seen]).toEqual([[call?.id, expect.any(String)]]);
});
