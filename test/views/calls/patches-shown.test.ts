import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { expect, it } from 'vitest';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { patchesShown } from '../../../src/views/calls/patches-shown.ts';

const patch = '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n@@ -9 +9 @@\n-z\n+!\n';

it('a patch need not stand among the arguments where each line of it is shown as a change', () => {
  const args = { diff: patch, files: [{ filePath: '/p/a', patch: patch.replaceAll(/ a$/gm, ' /p/a') }] };
  const changes = callChanges(filesInCall(args));
  expect(changes.map(({ path }) => path)).toEqual(['/p/a', '/p/a']);
  expect(patchesShown(filesInCall(args), changes)).toEqual([args.diff, args.files[0]?.patch]);
  expect(patchesShown(filesInCall(args), changes.slice(0, 1))).toEqual([]);
  expect(patchesShown(filesInCall(args), changes.slice(1))).toEqual([]);
  expect(patchesShown(filesInCall({ diff: 'by hand' }), changes)).toEqual([]);
});

it('that is found in time that grows with the changes, and no faster', () => {
  const hunks = (many: number) =>
    `*** Begin Patch\n*** Update File: a\n${Array.from({ length: many }, (_, at) => `@@\n+${at}\n`).join('')}*** End Patch`;
  const cpuMs = (many: number, isShown: boolean) => {
    const args = { input: hunks(many) };
    const changes = callChanges(filesInCall(args));
    const before = process.cpuUsage();
    expect(patchesShown(filesInCall(args), changes)).toEqual(isShown ? [args.input] : []);
    return process.cpuUsage(before).user / 1000;
  };
  cpuMs(500, true);
  expect(cpuMs(1_000, true)).toBeLessThan(1_000);
  // Of so many not all are looked at, and none of those is shown.
  expect(cpuMs(8_000, false)).toBeLessThan(1_000);
});

it.each<[string, string]>([
  [
    'a file is moved',
    '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\ndiff --git a/a b/c\nrename from a\nrename to c\n',
  ],
  [
    'not all is understood',
    '--- a/n\n+++ b/n\n@@ -1 +1 @@\n-m\n+n\ndiff --git a/a b/a\nold mode 100644\nnew mode 100755\n',
  ],
])('a patch by which %s stays', (_, patch) => {
  expect(patchesShown(filesInCall({ patch }), callChanges(filesInCall({ patch })))).toEqual([]);
});
