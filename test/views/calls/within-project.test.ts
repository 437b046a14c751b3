import { expect, it } from 'vitest';
import { titleWithin, withinProject } from '../../../src/views/calls/within-project.ts';

it('names files of the project from its root on, and others as they were named', () => {
  const paths = [
    '/a/p/src/x.ts',
    '/a/p',
    '/a/p/',
    '/a/p//etc/hosts',
    '/a/pq/x.ts',
    '/b/a/p/x.ts',
    'src/x.ts',
  ];
  expect(paths.map((path) => withinProject('/a/p', path))).toEqual(['src/x.ts', ...paths.slice(1)]);
});

it('does so in the titles of changes, and in no command', () => {
  expect(titleWithin('/a/p', 'Edit /a/p/x.ts +1 −2, /b/a/p/y.ts +3 −0, /a/p/z.ts')).toBe(
    'Edit x.ts +1 −2, /b/a/p/y.ts +3 −0, z.ts',
  );
  expect(titleWithin('/a/p', 'rm -r /a/p/x')).toBe('rm -r /a/p/x');
});
