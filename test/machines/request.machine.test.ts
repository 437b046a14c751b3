import { describe, expect, it } from 'vitest';
import { stepRequest } from '../../src/machines/kinds.ts';
import { fact } from '../helpers/facts.ts';

describe('a request', () => {
  it('is answered once: the first answer wins', () => {
    expect(stepRequest('open', fact('help.answered'))).toBe('answered');
    expect(stepRequest('answered', fact('help.answered', { response: 'another' }))).toBeUndefined();
    expect(stepRequest('delivered', fact('help.answered'))).toBeUndefined();
    expect(stepRequest('dismissed', fact('help.answered'))).toBeUndefined();
  });

  it('is dismissed only while it is open', () => {
    expect(stepRequest('open', fact('help.dismissed'))).toBe('dismissed');
    expect(stepRequest('answered', fact('help.dismissed'))).toBeUndefined();
    expect(stepRequest('delivered', fact('help.dismissed'))).toBeUndefined();
  });

  it('is delivered after its answer, not before', () => {
    expect(stepRequest('open', fact('help.delivered'))).toBeUndefined();
    expect(stepRequest('answered', fact('help.delivered'))).toBe('delivered');
  });

  it.each([
    'task.completed',
    'task.skipped',
    'task.cancelled',
    'sprint.completed',
    'sprint.cancelled',
  ] as const)('is dismissed by %s, but keeps an answer it has', (type) => {
    expect(stepRequest('open', fact(type))).toBe('dismissed');
    expect(stepRequest('answered', fact(type))).toBeUndefined();
  });
});
