import { expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { alikeIn } from '../../../src/gateway/permission/same-shape.ts';
import { approval } from '../../helpers/approval.ts';

const own = (args: Approval['args'], tool = 'execute', server = '@opencode'): Approval => ({
  ...approval,
  server,
  tool,
  args,
  isOwn: true,
  definitionDigest: `${server} ${tool}`,
});
const ids = (...calls: (Approval | undefined)[]) =>
  alikeIn(
    calls.map((each, at) => ({ id: `${at}`, approval: each })),
    '0',
  ).map(({ id }) => id);

it('calls of one server’s tool are alike, whatever their arguments', () => {
  const other = { ...approval, args: { path: 'etc' } };
  expect(ids(approval, other, { ...approval, tool: 'x' }, { ...approval, server: 'x' }, undefined)).toEqual([
    '0',
    '1',
  ]);
  expect(ids(approval, { ...approval, definitionDigest: 'another' })).toEqual([]);
});

it('commands are alike by their program, files by their folder, and those of one agent and kind', () => {
  expect(
    ids(
      own({ command: 'touch a' }),
      own({ command: ' touch b' }),
      own({ command: 'rm a' }),
      own({ command: 'touch a' }, 'edit'),
      own({ command: 'touch a' }, 'execute', '@codex'),
    ),
  ).toEqual(['0', '1']);
  expect(
    ids(
      own({ path: 'docs/a.md' }, 'edit'),
      own({ path: 'docs/b.md' }, 'edit'),
      own({ path: 'src/b.md' }, 'edit'),
      own({ paths: ['docs/a.md', 'src/b.md'] }, 'edit'),
    ),
  ).toEqual(['0', '1']);
});

it('commands that an agent says only as a title are alike by their program, too, and requests by their machine', () => {
  const titled = (title: string) => own({ title, content: [] });
  expect(ids(titled('touch a'), titled('touch b'), titled('rm a'))).toEqual(['0', '1']);
  const fetched = (url: string) => own({ url }, 'fetch');
  expect(ids(fetched('https://a.org/x'), fetched('https://a.org/y'), fetched('https://b.org/x'))).toEqual([
    '0',
    '1',
  ]);
});

it('a call is not alike by itself, nor is a question, nor what is not there', () => {
  expect(ids(approval, undefined)).toEqual([]);
  expect(ids(undefined, undefined)).toEqual([]);
  expect(alikeIn([], 'q')).toEqual([]);
});
