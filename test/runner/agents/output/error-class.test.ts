import { describe, expect, it } from 'vitest';
import { errorClassOf } from '../../../../src/runner/agents/output/error-class.ts';

describe('the kind of an error that is told in words only', () => {
  it.each([
    ['no rollout found for thread id 01a2', 'session'],
    ['Invalid session identifier "x"', 'session'],
    ["No session or task matched 'x'.", 'session'],
    ['unexpected status 401 Unauthorized: Incorrect API key provided', 'auth'],
    ['Not logged in', 'auth'],
    ['403 Forbidden', 'auth'],
    ['The model `gpt-9` does not exist or you do not have access to it', 'model'],
    ['Model "x" from --model flag is not available.', 'model'],
    ['stream disconnected before completion: failed to lookup address information', 'network'],
    ['500 The server had an error', 'network'],
    ['connect ECONNREFUSED 127.0.0.1:8080', 'network'],
    ['Error loading config.toml: invalid type', 'config'],
    ['The context window is full', 'other'],
  ])('%s: %s', (message, kind) => {
    expect(errorClassOf(message)).toBe(kind);
  });
});
