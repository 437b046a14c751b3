import { expect, it } from 'vitest';
import { linksTo } from '../../src/cli/web/open-page.ts';

const url = 'https://127.0.0.1:4077/p/shop/';

it.each([
  [
    'the address that it listens at for others',
    'https://box.example:4077/',
    { host: 'box.example' },
    'https://box.example:4077/#q=q-1',
  ],
  [
    'a name of its own, with its port',
    url,
    { host: '127.0.0.1', names: ['phone.test:4443'] },
    'https://phone.test:4443/p/shop/#q=q-1',
  ],
  [
    'a name of its own, at the port of the page',
    url,
    { names: ['localhost:9000', 'phone.test'] },
    'https://phone.test:4077/p/shop/#q=q-1',
  ],
  [
    'an origin of its own, as that of a tunnel',
    'http://127.0.0.1:4077/p/shop/',
    { names: ['http://localhost:9000', 'https://box.example'] },
    'https://box.example/p/shop/#q=q-1',
  ],
  ['an address of its own', url, { names: ['[fd00::7]'] }, 'https://[fd00::7]:4077/p/shop/#q=q-1'],
])('a message leads to the page by %s', (_what, at, order, link) => {
  expect(linksTo({ url: at }, order)('demo', 'q-1')).toBe(link);
});

it.each([
  ['by itself', {}],
  ['by names of this machine', { host: '127.0.0.1', names: ['localhost:9000', '[::1]:9000'] }],
])('a message leads to no page that is for this machine alone %s', (_what, order) => {
  expect(linksTo({ url }, order)('demo', undefined)).toBeUndefined();
});
