import { expect, it } from 'vitest';
import { ServerSubscriptions } from '../../../src/gateway/session/server-subscriptions.ts';
import { CallPolicy } from '../../../src/gateway/session/policy-in-force.ts';
import { DEFAULT_POLICY } from '../../../src/gateway/config/policy-config.ts';

it('does not start a server that is gone only to say that nobody listens to it', async () => {
  const requests: [method: string, uri: unknown][] = [];
  const request = async (_id: string, method: string, { uri }: Readonly<Record<string, unknown>>) => {
    requests.push([method, uri]);
    return {};
  };
  let isReady = true;
  const subscriptions = new ServerSubscriptions({
    manager: { request },
    servers: { configOf: () => undefined },
    policy: new CallPolicy({ policy: DEFAULT_POLICY, configOf: () => undefined }),
    isReady: () => isReady,
    tell: () => {},
    report: (problem) => expect.unreachable(problem),
    background: () => {},
  });
  const begin = async (uri: string) => subscriptions.begin({ serverId: 'it', uri }, { uri }, {});
  await begin('a:1');
  await begin('a:2');
  subscriptions.end({ serverId: 'it', uri: 'a:1' });
  isReady = false;
  subscriptions.end({ serverId: 'it', uri: 'a:2' });
  expect(requests).toEqual([
    ['resources/subscribe', 'a:1'],
    ['resources/subscribe', 'a:2'],
    ['resources/unsubscribe', 'a:1'],
  ]);
});
