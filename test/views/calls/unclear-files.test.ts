import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { unclearFiles, unclearText } from '../../../src/views/calls/unclear-files.ts';

const said = (tool: string, args: Approval['args'], own: Pick<Approval, 'isOwn'> = { isOwn: true }) => {
  const unclear = unclearFiles({ tool, args, ...own }, filesInCall(args));
  return unclear && unclearText(unclear).replace(' is not known: only its arguments are shown', '');
};

const twofold = 'It has several texts for a file, and which of them counts is not known';

describe('what nobody can say of what a call does to files', () => {
  it.each<[string, Approval['args'], string | undefined]>([
    ['edit', { how: 'better' }, 'Which files this changes'],
    ['delete', {}, 'Which files this changes'],
    ['move', null, 'Which files this changes'],
    ['edit', { patch: 'by hand' }, 'Which files this changes'],
    ['edit', { TargetFile: 'a.ts', CodeEdit: '// … x' }, 'What this makes of a.ts'],
    ['edit', { path: 'a\u202e.ts' }, 'What this makes of a\\u202e.ts'],
    ['edit', { path: 'a', patch: 'by hand' }, 'What this makes of a'],
    ['edit', { path: 'a', content: 'x', paths: ['b', 'c'] }, 'What this makes of 2 of its files'],
    ['edit', { patch: '--- a\n+++ b\n@@ torn' }, 'What this makes of 2 of its files'],
    ['other', { topic: 'x' }, 'Whether this changes files'],
    ['other', { path: 'a' }, 'What this makes of a'],
    ['other', { url: 'https://a.example' }, undefined],
    ['other', { command: 'ls' }, undefined],
    ['edit', { path: 'a', content: 'x' }, undefined],
    // What stands for a secret may stand for another one in the other field.
    ['edit', { path: 'a', content: 'k=[redacted]', file_text: 'k=[redacted]' }, twofold],
    ['edit', { path: 'a', old_string: '[redacted]', oldText: '[redacted]', new_string: 'x' }, twofold],
    ['edit', { path: 'a', content: 'k=[redacted]' }, undefined],
    ['edit', { filepath: 'a, b', changes: { '/p/a': 'x', '/p/b': { delete: {} } } }, undefined],
    [
      'edit',
      {
        path: 'config.json',
        patch: '*** Begin Patch\n*** Update File: p/config.json\n@@\n-a\n+b\n*** End Patch',
      },
      'What this makes of config.json',
    ],
    ['edit', { path: 'a', content: 'x', file_text: 'y' }, twofold],
    ['edit', { path: 'a', content: 'x', file_text: 'y', how: 'better' }, 'What it says in "how"'],
    ['edit', { path: 'a', content: 'x', file_text: 'x' }, undefined],
    ['edit', { path: 'a', new_content: 'x', content: 'x' }, undefined],
    ['edit', { path: 'a', new_string: 'x', content: 'x' }, twofold],
    ['edit', { path: 'a', old_string: 'x', new_string: 'y', newText: 'y' }, undefined],
    ['edit', { path: 'a', old_string: 'x', oldText: 'x', new_string: 'y' }, undefined],
    ['edit', { path: 'a', old_string: 'x', oldText: 'z', new_string: 'y' }, twofold],
    ['edit', { path: 'a', content: 'x', locations: ['/p/a'] }, undefined],
    ['delete', { path: 'a' }, undefined],
    ['move', { from: 'a', to: 'b' }, undefined],
    ['read', {}, undefined],
    ['execute', { how: 'fast' }, 'What it says in "how"'],
    ['execute', { command: 'ls', 'e\u202env': 'x' }, 'What it says in "e\\u202env"'],
    ['execute', { command: 'ls', cwd: '.', dir: '/etc' }, 'What it says in "dir"'],
    ['execute', { command: 'ls', description: 'Lists' }, undefined],
    ['edit', { path: 'a', content: 'x', delete: true }, 'What it says in "delete"'],
    ['fetch', {}, undefined],
    ['edit', { cut: '{"path"', length: 70_000 }, undefined],
  ])('%s %j: %s', (tool, args, text) => {
    expect(said(tool, args)).toBe(text);
    // Which files a server means nobody here knows, whatever it says.
    expect(said(tool, args, {})).toBeUndefined();
  });
});
