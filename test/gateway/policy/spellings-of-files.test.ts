import { describe, expect, it } from 'vitest';
import type { AgentRule, AskLevel } from '../../../src/gateway/config/agent-policy.ts';
import { decideSaid } from './said-call.ts';

const edit = (path: string, rules: AgentRule[] = [], ask: AskLevel = 'what-matters') =>
  decideSaid('edit', { rawInput: { path, content: 'x' } }, { rules, ask });

describe('several files in one text', () => {
  it.each(['.claude/settings.json', '/etc/passwd', '../../etc/passwd', 'file:///etc/passwd'])(
    'are asked about if one of them is %s',
    (other) => {
      for (const path of [`src/a.ts, ${other}`, `${other},src/a.ts`, `src/a.ts;${other}`, `src/{a, ${other}`])
        expect(edit(path)).toBe('confirm');
      const paths = [`src/a.ts, ${other}`];
      expect(decideSaid('edit', { rawInput: { paths, content: 'x' } })).toBe('confirm');
      expect(decideSaid('edit', { locations: [{ path: `src/a.ts, ${other}` }] })).toBe('confirm');
    },
  );

  it('are refused if one of them is', () => {
    expect(edit('src/a.ts, mcp.json')).toBe('deny');
    expect(edit('src/a.ts, deploy/p.yml', [{ path: { below: 'deploy' }, decision: 'deny' }])).toBe('deny');
  });

  it('are allowed if each of them is, and so is one that has such a name', () => {
    const rules: AgentRule[] = [{ path: { below: 'src' }, decision: 'allow' }];
    expect(edit('src/a.ts, src/b.ts', rules, 'everything')).toBe('allow');
    expect(edit('src/a.ts, docs/b.ts', rules, 'everything')).toBe('confirm');
    expect(edit('src/one, two; three.ts')).toBe('allow');
  });
});

describe('a file in the marks of a text', () => {
  it.each([
    '<deploy/x>',
    '@deploy/x',
    '[deploy/x](x)',
    '[x](deploy/x)',
    '![x]( deploy/x )',
    '<@deploy/x>',
    '[<deploy/x>](x), y',
  ])('is what a rule is about: %s', (path) => {
    const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
    expect(edit(path, rules, 'nothing')).toBe('deny');
  });

  it('may be the name of one', () => {
    expect(edit('@types/a.d.ts')).toBe('allow');
    expect(edit('<a>')).toBe('allow');
  });

  it('is looked for in time that grows with the text, and no faster', () => {
    const before = process.cpuUsage();
    for (const mark of ['<', '@', '[', '](', '{', ',{', '[](']) edit(mark.repeat(4_096 / mark.length));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });
});
