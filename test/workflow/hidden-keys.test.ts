import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { approval } from '../helpers/approval.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const der = { publicKeyEncoding: { type: 'spki', format: 'der' } } as const;
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const locked = { cipher: 'aes-256-cbc', passphrase: 'a phrase' } as const;

/** As `ssh-keygen` writes it, with bytes of chance for the key. */
function openSshKey(): string {
  const part = (bytes: Buffer | string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(bytes));
    return Buffer.concat([length, Buffer.from(bytes)]);
  };
  const one = Buffer.from([0, 0, 0, 1]);
  const start = Buffer.concat(['none', 'none', ''].map(part));
  const all = [Buffer.from('openssh-key-v1\0'), start, one, part(randomBytes(51)), part(randomBytes(152))];
  const lines = Buffer.concat(all)
    .toString('base64')
    .replaceAll(/.{70}(?=.)/g, '$&\n');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, ...der, privateKeyEncoding: pkcs8 }).privateKey;
const keys = {
  RSA: rsa,
  'RSA, of its own form': generateKeyPairSync('rsa', {
    modulusLength: 2048,
    ...der,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey,
  'RSA, behind a phrase': generateKeyPairSync('rsa', {
    modulusLength: 1024,
    ...der,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem', ...locked },
  }).privateKey,
  EC: generateKeyPairSync('ec', { namedCurve: 'P-256', ...der, privateKeyEncoding: pkcs8 }).privateKey,
  Ed25519: generateKeyPairSync('ed25519', { ...der, privateKeyEncoding: pkcs8 }).privateKey,
  'any, behind a phrase': generateKeyPairSync('ed25519', {
    ...der,
    privateKeyEncoding: { ...pkcs8, ...locked },
  }).privateKey,
  OpenSSH: openSshKey(),
};

const agent = { id: 'agent-1', client: 'opencode' };

/** What a human sees of a command that an agent wants to run. */
async function shownOf(project: Project, command: string): Promise<string> {
  const callDigest = createHash('sha256').update(command).digest('hex');
  const what = { ...approval, args: { command }, callDigest };
  const { asked } = await askApproval(project, { stream: 'demo', taskId: 'a', agent, approval: what });
  return (asked.approval?.args as { command?: string } | undefined)?.command ?? '';
}

describe('of a private key in a call that waits', () => {
  it.each(Object.entries(keys))('the full lines are hidden: %s', async (_, key) => {
    const { project } = await projectWithSprint();
    const [first, ...rest] = key.trim().split('\n');
    const lines = rest.filter((line) => line.length >= 64);
    for (const text of [key, key.replaceAll('\n', '\r\n'), key.replaceAll('\n', String.raw`\n`)]) {
      const shown = await shownOf(project, `cat > key <<X\n${text}\nX`);
      expect(shown).toContain(first);
      expect(shown).toMatch(/\[hidden: [\d,]+ characters(?:, \d+ lines)?\]/);
      for (const line of lines) expect(shown).not.toContain(line);
    }
  });

  it('what is no key is shown, also to who asks for questions', async () => {
    const { root, project } = await projectWithSprint();
    const fake = `git log # -----BEGIN PRIVATE KEY-----\n${'A'.repeat(40)}\nreboot\n-----END PRIVATE KEY-----`;
    expect(await shownOf(project, fake)).toBe(fake);
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toContain('reboot');
  });

  const body = rsa.trim().split('\n').slice(1, -1);
  const block = (lines: readonly string[], gap = '\n') =>
    ['# -----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join(gap);
  it.each([
    ['a path as long as a line', block([...body.slice(0, 3), `/${'a/'.repeat(29)}evil`, ...body.slice(4)])],
    ['a line too many', block([...body.slice(0, 3), 'reboot', ...body.slice(3)])],
    ['another key within', block([...body.slice(0, 3), ...body.slice(0, 3), ...body.slice(3)])],
    ['quotes around lines', block([...body.slice(0, 3), '","', ...body.slice(3)])],
    ['a program behind a comma', block(body, ',\n')],
    ['a redirection', block(body, '>\n')],
    ['another end', block(body).replace('END PRIVATE', 'END RSA PRIVATE')],
    ['no end', block(body).replace(/\n-----END.*$/, '')],
    ['an empty line', block(body, '\n\n')],
    ['a command in the password of a URL', 'curl http://ann:1;reboot;23456@example.org'],
    ['one in backticks', 'curl http://ann:`reboot`1234@example.org'],
  ])('every line is shown that could be a command: %s', async (_, command) => {
    const { project } = await projectWithSprint();
    const shown = await shownOf(project, command);
    expect(shown).toBe(command);
  });

  it('a last line that is shorter is shown, also of what may be a key', async () => {
    const { project } = await projectWithSprint();
    const bytes = Buffer.from(body.join(''), 'base64');
    const command = Buffer.from('shutdown', 'base64');
    // As many bytes as lines of 64 characters have, and those of the command: all of the length that they say.
    const whole = Buffer.concat([bytes.subarray(0, 48 * 25), command]);
    whole.writeUInt16BE(whole.length - 4, 2);
    whole.writeUInt16BE(whole.length - 26, 24);
    const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
    expect(lines.at(-1)).toBe('shutdown');
    expect(await shownOf(project, block(lines))).toBe(
      '# -----BEGIN PRIVATE KEY-----\n[hidden: 1,624 characters, 25 lines]\nshutdown\n-----END PRIVATE KEY-----',
    );
  });

  it('a secret within what is none stays hidden', async () => {
    const { project } = await projectWithSprint();
    const token = `sk-${'x1'.repeat(20)}`;
    const shown = await shownOf(project, `# -----BEGIN PRIVATE KEY-----\n${token}`);
    expect(shown).not.toContain(token);
    const long = `ghp_${'x1'.repeat(20)}`.replace('_', 'x');
    const fake = `# -----BEGIN PRIVATE KEY-----\n${long}\n-----END PRIVATE KEY-----`;
    expect(await shownOf(project, fake)).toBe(fake);
  });

  it('whatever is written between its lines is shown', async () => {
    const { project } = await projectWithSprint();
    const words = fc.constantFrom('reboot', 'rm', 'docs', '/bin/sh', 'a/b/c', 'Sh1', 'x=1', '-rf', 'EVIL==');
    const glue = fc.constantFrom(
      ' ',
      '\n',
      '\\n',
      '',
      ';',
      '|',
      '&&',
      '$(',
      '`',
      '"',
      "'",
      ',',
      '>',
      '\t',
      '\r',
    );
    const inserted = fc
      .array(fc.tuple(glue, words), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.flat().join(''));
    const at = fc.nat({ max: rsa.trim().length - '-----END PRIVATE KEY-----'.length - 1 });
    await fc.assert(
      fc.asyncProperty(inserted, at, fc.constantFrom('', '\n'), async (text, place, after) => {
        const start = Math.max(place, '-----BEGIN PRIVATE KEY-----'.length);
        const command = `${rsa.slice(0, start)}${text}${after}${rsa.slice(start)}`;
        const shown = await shownOf(project, command);
        expect(shown).toContain(text.trim());
      }),
      { numRuns: 100 },
    );
  });
});

it('more than that is hidden in what is not about a call', async () => {
  const { project } = await projectWithSprint();
  const question = `Is it this?\n-----BEGIN PRIVATE KEY-----\n${'A'.repeat(40)}\nabc=`;
  const { asked } = await ask(project, { stream: 'demo', agent, kind: 'help', question });
  expect(asked.question).toBe('Is it this?\n[redacted]\nabc=');
});
