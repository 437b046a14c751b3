import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/cli/doctor/check.ts';
import { fakePrograms } from '../../helpers/fake-programs.ts';
import { mcp, mcpJson, mcpProject, server, trustedProject } from './mcp-command.ts';

async function checksIn(
  root: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; check: (name: string) => Check | undefined }> {
  const { code, json } = await mcpJson(root, ['doctor'], { env });
  const checks = json['checks'] as Check[];
  return { code, check: (name) => checks.find((each) => each.name === name) };
}

describe('clifford mcp doctor', () => {
  it('starts, initialises, lists and stops every server, and says how long it took', async () => {
    const servers = { fs: server('filesystem', { args: ['.'] }), every: server('everything') };
    const policy = { allowlist: [{ server: 'fs', tool: 'read_*' }] };
    const root = await trustedProject({ servers, policy });
    const { code, out } = await mcp(root, ['doctor'], { env: { LANG: 'C.UTF-8' } });
    expect(out).toMatch(
      /^✔ fs \(\S+ \S+\): started and listed 14 tools in .+, answers in .+, stopped in .+$/m,
    );
    expect(out).toMatch(/^✔ every \(.+\): started and listed 13 tools in /m);
    expect(out).toMatch(/^✔ policy: 1 rule; a human is asked about every other call$/m);
    expect(out).toMatch(/\neverything works\n$/);
    expect(code).toBe(0);
  });

  it('finds servers of the newest revision of MCP as well as those of before', async () => {
    const servers = { newest: server('newest.ts'), old: server('handy.ts') };
    const { code, check } = await checksIn(await trustedProject({ servers }));
    expect(check('server:newest')).toMatchObject({
      status: 'good',
      text: expect.stringContaining('newest (newest 2.0.0): started and listed 17 tools'),
      facts: { server: { protocol: '2026-07-28' } },
    });
    expect(check('server:old')).toMatchObject({
      status: 'good',
      facts: { server: { protocol: '2025-11-25' } },
    });
    expect(code).toBe(0);
  });

  it('says what to do about a server that ends, one that is silent, and one that is not installed', async () => {
    const servers = {
      crash: server('crash-at-start.ts', { args: ['started'] }),
      silent: server('never-initialised.ts', { startTimeout: 1_500 }),
      none: { command: 'no-such-program-here' },
      far: { url: 'http://127.0.0.1:1/mcp' },
    };
    const { code, check } = await checksIn(await trustedProject({ servers }));
    expect(code).toBe(1);
    expect(check('server:crash')).toMatchObject({
      status: 'broken',
      text: 'crash: it exited with code 3; it last wrote: Error: no licence found',
      fix: expect.stringContaining('.clifford/mcp/crash.log'),
    });
    expect(check('server:silent')).toMatchObject({
      status: 'broken',
      text: expect.stringContaining('within 1.5 s'),
      fix: expect.stringContaining('raise "startTimeout"'),
    });
    expect(check('server:none')).toMatchObject({
      status: 'broken',
      text: 'none: no-such-program-here is not on the PATH',
      fix: expect.stringContaining('Install it'),
    });
    expect(check('server:far')).toMatchObject({ status: 'broken', fix: expect.stringContaining('"url"') });
  });

  it('names what a server is not handed of a proxy and its certificates, and the edit that hands it on', async () => {
    const handed = { HTTPS_PROXY: '${HTTPS_PROXY}' };
    const servers = {
      bare: server('handy.ts'),
      told: server('handy.ts', { env: { ...handed, NODE_EXTRA_CA_CERTS: '/x' } }),
      silent: server('never-initialised.ts', { startTimeout: 2_000, env: handed }),
    };
    const unset = [
      'SSL_CERT_FILE',
      'SSL_CERT_DIR',
      'REQUESTS_CA_BUNDLE',
      'CURL_CA_BUNDLE',
      'NO_PROXY',
      'no_proxy',
    ];
    const env = {
      ...Object.fromEntries(unset.map((name) => [name, ''])),
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NODE_EXTRA_CA_CERTS: '/dev/null',
    };
    const { check } = await checksIn(await trustedProject({ servers }), env);
    expect(check('environment')).toEqual({
      name: 'environment',
      status: 'absent',
      text: 'bare is not handed NODE_EXTRA_CA_CERTS, HTTPS_PROXY, which are set here',
      fix:
        'If bare reaches the network, add to its entry in mcp.json: ' +
        '"env": { "NODE_EXTRA_CA_CERTS": "${NODE_EXTRA_CA_CERTS}", "HTTPS_PROXY": "${HTTPS_PROXY}" }',
    });
    expect(check('server:silent')?.text).toMatch(
      /within 2 s; it is not handed NODE_EXTRA_CA_CERTS, which is set here: if it reaches the network, add "env": \{ "NODE_EXTRA_CA_CERTS": "\$\{NODE_EXTRA_CA_CERTS\}" \} to its entry; /,
    );
  });

  it('says it once of all that are not handed the same', async () => {
    const servers = {
      one: server('handy.ts'),
      two: server('handy.ts'),
      off: server('handy.ts', { disabled: true }),
    };
    const set = [
      'SSL_CERT_FILE',
      'SSL_CERT_DIR',
      'REQUESTS_CA_BUNDLE',
      'CURL_CA_BUNDLE',
      'NO_PROXY',
      'no_proxy',
    ];
    const env = {
      ...Object.fromEntries(set.map((name) => [name, ''])),
      NODE_EXTRA_CA_CERTS: '',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    const { out } = await mcp(await trustedProject({ servers }), ['doctor'], {
      env: { LANG: 'C.UTF-8', ...env },
    });
    expect(out.match(/^.*HTTPS_PROXY.*$/gm)).toEqual([
      '- one, two are not handed HTTPS_PROXY, which is set here',
      '  fix: Add to the entries of those that reach the network in mcp.json: "env": { "HTTPS_PROXY": "${HTTPS_PROXY}" }',
    ]);
  });

  it('starts nothing that nobody has trusted, and says so', async () => {
    const root = await mcpProject({ servers: { it: server('handy.ts') } });
    const { code, check } = await checksIn(root);
    expect(code).toBe(1);
    expect(check('trust')).toMatchObject({
      status: 'broken',
      fix: 'Look at what it would run, with: clifford mcp trust',
    });
    expect(check('server:it')).toBeUndefined();
  });

  it('names a variable that is not set, and a mistake in the file', async () => {
    const wrong = server('handy.ts', { env: { TOKEN: '${CLIFFORD_NO_SUCH_VARIABLE}' } });
    const { check } = await checksIn(await trustedProject({ servers: { wrong, odd: { args: [] } } }));
    expect(check('variables')).toMatchObject({
      status: 'broken',
      text: expect.stringContaining('the variable CLIFFORD_NO_SUCH_VARIABLE, which is not set'),
      fix: expect.stringContaining('Set it in the environment'),
    });
    expect(check('mcp.json')).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/mcp\.json:\d+:\d+: servers\.odd/),
    });
  });

  it('finds a rule that matches no tool of the servers it has asked', async () => {
    const servers = { it: server('handy.ts') };
    const policy = { denylist: [{ server: 'it', tool: 'ekho' }] };
    const { code, check } = await checksIn(await trustedProject({ servers, policy }));
    expect(code).toBe(1);
    expect(check('policy')).toMatchObject({
      status: 'broken',
      text: 'policy: denylist[0].tool "ekho" matches no tool of "it"; did you mean "echo"?',
    });
  });

  it('misses npx where a server is started by it', async () => {
    const PATH = await fakePrograms({});
    const root = await trustedProject({ servers: { fs: { command: 'npx', args: ['-y', 'a-server'] } } });
    const { check } = await checksIn(root, { PATH });
    expect(check('npx')).toMatchObject({ status: 'broken', text: 'npx is not on the PATH, and starts fs' });
  });

  it('warns of a start that takes nearly all the time there is', async () => {
    const servers = { it: server('slow-start.ts', { args: ['700'], startTimeout: 1_000 }) };
    const { check } = await checksIn(await trustedProject({ servers }));
    expect(check('timeout:it') ?? check('server:it')).toMatchObject({
      fix: expect.stringContaining('startTimeout'),
    });
  });

  it('says nothing of variables and trust where the file cannot be read', async () => {
    const { code, check } = await checksIn(await mcpProject('{ "servers": '));
    expect(code).toBe(1);
    expect(check('mcp.json')).toMatchObject({ status: 'broken', fix: expect.stringContaining('Correct it') });
    expect(check('variables')).toBeUndefined();
    expect(check('trust')).toBeUndefined();
  });

  it('is content where there is no file', async () => {
    const { code, check } = await checksIn(await mcpProject('{}'));
    expect(code).toBe(0);
    expect(check('sdk')?.status).toBe('good');
  });
});
