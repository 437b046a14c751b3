import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../../helpers/make-certificate.ts';
import { calledProject, logged } from './support/called-project.ts';
import { mailServer } from './support/mail-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'clifford-mail-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = makeCertificate(folder, { hosts: 'IP:127.0.0.1,IP:0.0.0.0' });
const password = 'correct-horse-battery';
const login = `clifford:${password}`;

/** What a mail server encrypts with. */
function certified() {
  if (!files) throw new Error('There is no certificate');
  return { tls: { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') } };
}

/** The process trusts the certificate until the test is finished. */
function trusting() {
  const before = getCACertificates();
  const own = certified();
  setDefaultCACertificates([...before, own.tls.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  return own;
}

/** A server by a name that leads to this machine and is no known name of it, as one on the network is. */
const onNetwork = (url: string) => url.replace('127.0.0.1', '0.0.0.0');
const atSmtps = (url: string) => url.replace('smtp:', 'smtps:');

/** Has a question mailed, with a login. */
async function mailed(url: string) {
  const channel = { via: 'email', from: 'clifford@example.com', to: ['ada@example.com'], after: 0 };
  const { begin, asks, project, problems } = await calledProject({
    notify: { channels: { mail: { ...channel, url, user: 'clifford', password: '${SMTP}' } } },
    env: { SMTP: password },
  });
  await begin();
  await asks('q-1', { question: 'Which one?' });
  return {
    sent: () => logged(project, 'notify.sent'),
    failed: () => logged(project, 'notify.failed'),
    problems,
  };
}

describe.runIf(files)('a mail', () => {
  it('to a server at smtps is encrypted from the first byte on, with its login', async () => {
    const { url, mails, logins, inClear } = await mailServer({ ...trusting(), isSecure: true });
    const { sent } = await mailed(atSmtps(url));
    await expect.poll(sent).toHaveLength(1);
    expect(mails).toEqual([expect.stringContaining('Which one?')]);
    expect({ logins, inClear }).toEqual({ logins: [login], inClear: [] });
  });

  it.each([
    ['this machine', (url: string) => url],
    ['the network', onNetwork],
  ])('to a server on %s that offers STARTTLS is encrypted before the login', async (_where, at) => {
    const { url, mails, logins, inClear } = await mailServer(trusting());
    const { sent } = await mailed(at(url));
    await expect.poll(sent).toHaveLength(1);
    expect(mails).toEqual([expect.stringContaining('Which one?')]);
    expect({ logins, inClear }).toEqual({ logins: [login], inClear: [] });
  });

  it.each([
    ['smtps', atSmtps, { isSecure: true }],
    ['smtp', onNetwork, {}],
  ])('goes to no server at %s whose certificate nobody vouches for', async (_protocol, at, how) => {
    const { url, mails, logins } = await mailServer({ ...certified(), ...how });
    const { failed } = await mailed(at(url));
    await expect.poll(failed).toMatchObject([{ why: expect.stringContaining('cannot be reached') }]);
    expect({ mails, logins }).toEqual({ mails: [], logins: [] });
  });
});

it.each([
  ['smtp that has no STARTTLS', onNetwork, 'refused it: Error upgrading connection with STARTTLS'],
  ['smtps that does not begin with TLS', atSmtps, 'cannot be reached'],
])('a mail goes to no server at %s, nor does its password, and that is said', async (_protocol, at, said) => {
  const { url, mails, logins, heard } = await mailServer();
  const { failed, problems } = await mailed(at(url));
  const why = expect.stringContaining(`${new URL(at(url)).host} ${said}`);
  await expect.poll(failed).toMatchObject([{ why }]);
  expect(problems).toEqual([why]);
  expect({ mails, logins }).toEqual({ mails: [], logins: [] });
  expect(heard()).not.toMatch(/AUTH|MAIL FROM/i);
});
