import { expect, it } from 'vitest';
import { nameAt, pathOf } from '../../../src/web/server/everywhere/project-path.ts';

it.each(['one', 'work/two', '~1', '~01/\\', 'a b%2F', '..', 'ü'])(
  'a project is at a path by its name, below which a service worker may run: %j',
  (name) => {
    const [, segment = ''] = /^p\/([^/]+)\/$/.exec(pathOf(name)) ?? [];
    expect(nameAt(decodeURIComponent(segment))).toBe(name);
    // https://w3c.github.io/ServiceWorker/#start-register
    expect(segment).not.toMatch(/%2f|%5c/i);
  },
);

it('a project is also where its name was escaped as others are', () => {
  expect(nameAt('work/two')).toBe('work/two');
});
