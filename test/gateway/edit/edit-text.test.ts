import { describe, expect, it } from 'vitest';
import { editedBy, editText, withArguments, withCommand } from '../../../src/gateway/edit/edit-text.ts';
import type { Approval } from '../../../src/events/approval.ts';

const of = (args: Approval['args']) => ({ args });

describe('the text of a call that is edited', () => {
  it('is its command, where there is one', () => {
    const call = of({ command: 'rm -rf build', description: 'Clean' });
    expect(editText(call)).toEqual({ is: 'command', text: 'rm -rf build' });
    expect(editedBy(call, 'command', 'rm -r build')).toEqual({
      args: { command: 'rm -r build', description: 'Clean' },
    });
  });

  it.each([
    { path: 'a' },
    { command: 'ls', cmd: 'rm' },
    { command: ['bash', '-c', 'ls'] },
    { commands: ['ls', 'rm'] },
  ])('is all of %j, where nobody knows what a command is in it', (args) => {
    const { is, text } = editText(of(args));
    expect({ is, args: JSON.parse(text) as unknown }).toEqual({ is: 'arguments', args });
    expect(withCommand(of(args), 'ls')).toHaveProperty('problem');
  });

  it('is the title, or the input as such, where an agent says its command so', () => {
    const asked: Parameters<typeof editText>[0] = {
      tool: 'execute',
      isOwn: true,
      args: { title: 'touch a', content: [] },
    };
    expect(editText(asked)).toEqual({ is: 'command', text: 'touch a' });
    expect(withCommand(asked, 'touch b')).toEqual({ args: { title: 'touch b', content: [] } });
    expect(withCommand({ ...asked, args: { input: 'ls' } }, 'ls -l')).toEqual({ args: { input: 'ls -l' } });
    for (const other of [
      { ...asked, tool: 'edit' },
      // A server's tool of that name has fields of its own.
      of(asked.args),
    ])
      expect(withCommand(other, 'touch b')).toHaveProperty('problem');
  });

  it.each([
    'ls\u202E; rm',
    'ls \u001b[2Kx',
    'ls\u200b',
    'echo a\tb',
    'e\u0301\u0301\u0301\u0301\u0301\u0301',
    'echo \r ls',
    'echo \ud800',
  ])('hides no character of %j, and keeps each', (command) => {
    const call = of({ command });
    const { is, text } = editText(call);
    expect(is).toBe('arguments');
    // Neither what could act on a terminal nor what nobody sees.
    expect(text).toMatch(/^[\n\p{L}\p{N}\p{P}\p{S}\p{Zs}\p{M}]*$/u);
    expect(editedBy(call, is, text)).toEqual({ args: { command } });
  });

  it('is a command of several lines as it is', () => {
    expect(editText(of({ command: 'one\ntwo' }))).toEqual({ is: 'command', text: 'one\ntwo' });
  });

  it.each(['', 'nothing', '[]', '"x"', 'null', '{"a":1} {}'])('cannot become the arguments %j', (text) => {
    expect(withArguments(text)).toHaveProperty('problem');
  });

  it('cannot become an empty command', () => {
    expect(withCommand(of({ command: 'ls' }), ' \n')).toHaveProperty('problem');
  });

  it('keeps an argument that is called like a part of every object', () => {
    const edited = withArguments('{"__proto__":{"a":1},"command":"ls"}');
    expect(JSON.stringify(edited)).toBe('{"args":{"__proto__":{"a":1},"command":"ls"}}');
  });
});
