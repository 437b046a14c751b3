import { describe, expect, it } from 'vitest';
import { isLoopback, isOffLimits, urlProblem } from '../../../src/gateway/config/url-rules.ts';
import { problemLines, readMcpJson } from '../../helpers/mcp-json.ts';

const strict = { allowInsecure: false };
const lax = { allowInsecure: true };

describe('the URL of a server', () => {
  it.each([
    'https://example.com/mcp',
    'https://10.0.0.1/mcp',
    'http://localhost:3000/mcp',
    'http://127.0.0.1:3000/sse',
    'http://127.9.9.9/',
    'http://[::1]:3000/mcp',
    'http://[::ffff:127.0.0.1]/mcp',
    'http://LOCALHOST./mcp',
    'http://app.localhost/mcp',
    'http://2130706433/mcp',
  ])('can be %s', (url) => {
    expect(urlProblem(url, strict)).toBeUndefined();
  });

  it.each([
    ['', 'must be a URL, as in "https://example.com/mcp"'],
    ['example.com', 'must be a URL, as in "https://example.com/mcp"'],
    ['/mcp', 'must be a URL, as in "https://example.com/mcp"'],
    ['file:///etc/passwd', 'must begin with https: or http: (it begins with file:)'],
    ['ws://example.com', 'must begin with https: or http: (it begins with ws:)'],
    ['javascript:alert(1)', 'must begin with https: or http: (it begins with javascript:)'],
    ['data:text/plain,x', 'must begin with https: or http: (it begins with data:)'],
    ['https://me:hunter2@example.com/', 'must not have a name or a password in it: put them into headers'],
    ['https://token@example.com/', 'must not have a name or a password in it: put them into headers'],
  ])('cannot be %j', (url, rule) => {
    expect(urlProblem(url, lax)).toBe(rule);
  });

  it.each([
    'http://example.com/mcp',
    'http://10.0.0.1/mcp',
    'http://192.168.1.2/mcp',
    'http://[fd00::1]/mcp',
    'http://localhost.example.com/mcp',
    'http://127.0.0.1.example.com/mcp',
  ])('is not plain http to another machine, unless that is allowed: %s', (url) => {
    expect(urlProblem(url, strict)).toMatch(/^must begin with https:, since .* is another machine/);
    expect(urlProblem(url, lax)).toBeUndefined();
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'https://169.254.0.1/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://METADATA.google.internal./',
    'http://100.100.100.200/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://0xa9.0376.43518/',
    'http://169.254.43518/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[64:ff9b:1:a9fe:a9:fe00::]/',
    'http://[64:ff9b:1:a9fe:a9:fe12:3456:789a]/',
    'http://[64:ff9b:1:12a9:fe:a9fe::]/',
    'http://[64:ff9b:1:12a9:fe:a9fe:1234:5678]/',
    'http://[64:ff9b:1:1234:a9:fea9:fe00::]/',
    'http://[64:ff9b:1:1234:a9:fea9:fe56:789a]/',
    'http://[64:ff9b:1:6464:64:c800::1]/',
    'http://[fd00:ec2::23]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[::169.254.169.254]/',
    'http://[::ffff:0:169.254.169.254]/',
    'http://[2001:0:a9fe:a9fe::1]/',
    'http://[2001:0:1:2:3:4:5601:5601]/',
    'http://[fd12::5efe:169.254.169.254]/',
    'http://[fd12::200:5efe:a9fe:a9fe]/',
    'http://[64:ff9b::100.100.100.200]/',
    'http://[2002:0:1::]/',
    'http://[fd20:ce::254]/',
    'http://[ff02::1]/',
    'http://192.0.0.192/opc/v2/',
    'http://168.63.129.16/metadata/',
  ])('never leads to where clouds keep their secrets, however it is written: %s', (url) => {
    expect(urlProblem(url, lax)).toMatch(/^leads to .*, which is not allowed$/);
    expect(urlProblem(url, strict)).toMatch(/^leads to /);
  });

  it('is checked with its variables replaced', async () => {
    const reading = await readMcpJson(
      {
        servers: { a: { url: 'http://${HOST}/mcp', allowInsecure: true }, b: { url: 'http://${HOST}/mcp' } },
      },
      { HOST: '169.254.169.254' },
    );
    expect(problemLines(reading)).toEqual([
      'Cannot read /p/mcp.json:4:14: servers.a.url leads to 169.254.169.254, which is not allowed',
      'Cannot read /p/mcp.json:8:14: servers.b.url leads to 169.254.169.254, which is not allowed',
    ]);
    expect(reading.servers).toEqual([]);
  });

  it('is plain http to another machine where the file says so', async () => {
    const url = 'http://mcp.intern.example.com/mcp';
    const reading = await readMcpJson({ servers: { a: { url, allowInsecure: true }, b: { url } } });
    expect(reading.servers).toMatchObject([{ id: 'a', url, allowInsecure: true }]);
    expect(reading.misconfigured).toEqual(['b']);
  });
});

describe('an address a name led to', () => {
  it.each([
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fd00:0ec2:0::254',
    '0.0.0.0',
  ])('is off limits: %s', (address) => {
    expect(isOffLimits(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '::1',
    '8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::808:808',
    '2002:808:808::1',
    '2001:4860:4860::8888',
    'fd12::1',
    '1234',
    'example.com',
  ])('is not: %s', (address) => {
    expect(isOffLimits(address)).toBe(false);
  });

  it('is one’s own machine or not', () => {
    expect(
      ['127.0.0.1', '::1', '64:ff9b::127.0.0.1', '2002:7f00:1::', '10.0.0.1', '::ffff:10.0.0.1', ''].map(
        isLoopback,
      ),
    ).toEqual([true, true, false, false, false, false, false]);
  });
});
