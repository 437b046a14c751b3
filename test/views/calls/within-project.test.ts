import { expect, it } from 'vitest';
import { withinProject } from '../../../src/views/calls/within-project.ts';

it('names files of the project from its root on, and others as they were named', () => {
  const paths = [
    '/a/p/src/x.ts',
    '/a/p',
    '/a/p/',
    '/a/p//etc/hosts',
    '/a/p/../q/x.ts',
    '/a/p/src/../../q/x.ts',
    '/a/pq/x.ts',
    '/b/a/p/x.ts',
    'src/x.ts',
  ];
  for (const root of ['/a/p', '/a/p/'])
    expect(paths.map((path) => withinProject(root, path))).toEqual(['src/x.ts', ...paths.slice(1)]);
});
