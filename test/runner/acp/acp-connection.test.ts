import { describe, expect, it } from 'vitest';
import { AcpConnection } from '../../../src/runner/acp/acp-connection.ts';

function connection(): AcpConnection {
  const nobody = () => Promise.reject(new Error('nobody is asked'));
  return new AcpConnection(() => Promise.resolve(true), { answer: nobody });
}

describe('the connection to an agent', () => {
  it('is waited for until it is closed, and no longer where it is', async () => {
    const open = connection();
    let isOver = false;
    const over = open.untilClosed().then(() => (isOver = true));
    await Promise.resolve();
    expect([open.isClosed, isOver]).toEqual([false, false]);
    open.close();
    await over;
    await open.untilClosed();
    expect(open.isClosed).toBe(true);
  });
});
