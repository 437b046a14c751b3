import { expect, it } from 'vitest';
import { ownHosts } from '../../../../src/web/server/guards/own-hosts.ts';

it.each([
  [443, true, 'box.example:443', ['box.example', 'box.example:443']],
  [8443, true, 'box.example:443', ['box.example', 'box.example:443']],
  [4077, false, 'box.example:443', ['box.example:443']],
  [4077, false, '[fd00::5]:80', ['[fd00::5]', '[fd00::5]:80']],
  [4077, false, 'box.example', ['box.example:4077']],
])(
  'of a server at port %i, with TLS: %s, called %s, hosts are %j: browsers leave out the port of their scheme',
  (port, isTls, name, list) => {
    const hosts = ownHosts([name], { port, isTls });
    expect(hosts.list).toEqual(list);
    for (const host of list) expect(hosts.has(host)).toBe(true);
    expect(hosts.first).toBe(`${isTls ? 'https' : 'http'}://${list[0]}`);
  },
);
