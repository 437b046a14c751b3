import { expect, it, vi } from 'vitest';
import { ServerSubscriptions } from '../../../src/gateway/session/server-subscriptions.ts';
import { CallPolicy } from '../../../src/gateway/session/policy-in-force.ts';
import { DEFAULT_POLICY } from '../../../src/gateway/config/policy-config.ts';

it('does not start a server that is gone only to say that nobody listens to it', async () => {
  const request = vi.fn(async () => ({}));
  const report = vi.fn<(problem: string) => void>();
  let isReady = true;
  const subscriptions = new ServerSubscriptions({
    manager: { request },
    servers: { configOf: () => undefined },
    policy: new CallPolicy({ policy: DEFAULT_POLICY, configOf: () => undefined }),
    isReady: () => isReady,
    tell: () => {},
    report,
    background: () => {},
  });
  const begin = async (uri: string) => subscriptions.begin({ serverId: 'it', uri }, { uri }, {});
  await begin('a:1');
  await begin('a:2');
  subscriptions.end({ serverId: 'it', uri: 'a:1' });
  isReady = false;
  subscriptions.end({ serverId: 'it', uri: 'a:2' });
  expect(request.mock.calls.map((call: readonly unknown[]) => call.slice(1, 3))).toEqual([
    ['resources/subscribe', { uri: 'a:1' }],
    ['resources/subscribe', { uri: 'a:2' }],
    ['resources/unsubscribe', { uri: 'a:1' }],
  ]);
  expect(report).not.toHaveBeenCalled();
});
