import { describe, expect, it } from 'vitest';
import { looksSecret } from '../../../src/events/secrets/looks-secret.ts';
import { createRedactor, secretsOf } from '../../../src/events/secrets/redaction.ts';
import { isSecretName } from '../../../src/events/secrets/secret-names.ts';

const keyLine = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${keyLine}\nIBAAK\n-----END RSA PRIVATE KEY-----`;
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl';

/** Made from parts, so that no scanner takes this file for a leak. */
const tokens = {
  'GitHub, classic': `ghp_${'a1B2c3D4'.repeat(5)}`,
  'GitHub, fine-grained': `github_pat_${'a1B2c3D4'.repeat(4)}`,
  'OpenAI and Anthropic': `sk-ant-api03-${'a1B2c3D4'.repeat(3)}`,
  AWS: `AKIA${'A1B2'.repeat(4)}`,
  Slack: `xoxb-${'123456789'}-abc`,
  Google: `AIza${'a1B2c3D4-'.repeat(4)}`,
  npm: `npm_${'a1B2c3D4'.repeat(4)}`,
  GitLab: `glpat-${'a1B2c3D4'.repeat(3)}`,
  Stripe: `sk_live_${'a1B2c3D4'.repeat(3)}`,
  SendGrid: `SG.${'a1B2c3D4'.repeat(3)}.${'a1B2-3D4'.repeat(5)}`,
  PyPI: `pypi-AgEI${'a1B2c3D4'.repeat(6)}`,
  'Hugging Face': `hf_${'a1B2c3D4'.repeat(4)}`,
  Vault: `hvs.${'a1B2c3D4'.repeat(4)}`,
  JWT: jwt,
  'a private key': pem,
  'a private key of OpenPGP': `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${keyLine}\n${keyLine}\nIBAAK\n=AbCd\n-----END PGP PRIVATE KEY BLOCK-----`,
};

it.each([
  ['lines', '\n'],
  ['escaped lines', String.raw`\n`],
  ['a JSON array', '","'],
  ['one line', ' '],
])('a private key of OpenPGP with headers is replaced whole, in %s', (_what, between) => {
  const lines = [
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    'Version: GnuPG v2',
    'Comment: of ours',
    '',
    keyLine,
    '=AbCd',
  ];
  const said = createRedactor({})('task.noted', { text: `[${lines.join(between)}]` });
  expect(JSON.stringify(said)).not.toContain(keyLine);
});

it('a private key of OpenPGP is replaced whole where one of its headers names another', () => {
  const text = `-----BEGIN PGP PRIVATE KEY BLOCK-----\nComment: Version: 2 of it\n\n${keyLine}\n`;
  expect(JSON.stringify(createRedactor({})('task.noted', { text }))).not.toContain(keyLine);
});

describe('a digest that is compared', () => {
  // base64url: one in some hundred thousand begins so.
  const digest = `sk-${'a1B2c3D4'.repeat(5)}`;
  const redact = createRedactor({});

  it.each([
    ['help.requested', { approval: { callDigest: digest, definitionDigest: digest, rule: 'default' } }],
    ['policy.ruleadded', { definitionDigest: digest }],
    ['tool.pinned', { tools: { read: digest } }],
  ] as const)('stays in %s, although it looks like a token', (type, data) => {
    expect(redact(type, data)).toEqual(data);
  });

  it('keeps nothing else there from being replaced', () => {
    const data = { question: digest, approval: { callDigest: digest, args: { digest }, rule: digest } };
    expect(redact('help.requested', data)).toEqual({
      question: '[redacted]',
      approval: { callDigest: digest, args: { digest }, rule: '[redacted]' },
    });
    expect(redact('help.requested', { question: digest })).toEqual({ question: '[redacted]' });
  });
});

describe('a secret that is written in another way', () => {
  const value = 'ab"c\\d/e+f g=h\nij';
  const { redactText } = secretsOf({ MY_SECRET: value });

  it.each([
    ['JSON', JSON.stringify({ env: value })],
    ['JSON in JSON', JSON.stringify({ text: JSON.stringify({ env: value }) })],
    ['a URL', `https://host/?a=${encodeURIComponent(value)}&b=1`],
    [
      'a URL, in small letters',
      `?a=${encodeURIComponent(value).replaceAll(/%../g, (byte) => byte.toLowerCase())}`,
    ],
    ['a form', `a=${encodeURIComponent(value).replaceAll('%20', '+')}&b=1`],
  ])('is replaced in %s', (_where, text) => {
    const safe = redactText(text);
    expect(safe).toContain('[redacted:MY_SECRET]');
    expect(safe).not.toMatch(/ab|ij/);
  });
});

describe('a secret that what stands before it gives away', () => {
  const word = 'a1B2c3D4'.repeat(4);

  it.each([
    [`Authorization: Bearer ${word}`, 'Authorization: Bearer [redacted]'],
    [`curl -H 'authorization: Basic ${word}==' x`, "curl -H 'authorization: Basic [redacted]' x"],
    [`{"Authorization":"Bearer ${word}"}`, '{"Authorization":"Bearer [redacted]"}'],
    [`AccountName=a;AccountKey=${word}+/==;E=x`, 'AccountName=a;AccountKey=[redacted];E=x'],
    [`Endpoint=sb://x/;SharedAccessKey=${word}=`, 'Endpoint=sb://x/;SharedAccessKey=[redacted]'],
    [`SharedAccessSignature=sv=2020&sig=${word}%3D`, 'SharedAccessSignature=[redacted]'],
    ['Server=db;User=a;Password=s3cr3t!x;', 'Server=db;User=a;Password=[redacted];'],
    [`https://hooks.slack.com/services/T0/B0/${word}`, 'https://hooks.slack.com/services/[redacted]'],
    [`git clone https://${word}@host/x`, 'git clone https://[redacted]@host/x'],
    [`https://${word}:x-oauth-basic@host/x`, 'https://[redacted]:x-oauth-basic@host/x'],
  ])('is replaced: %s', (text, safe) => {
    expect(secretsOf({}).redactText(text)).toBe(safe);
    expect(looksSecret(text)).toBe(true);
  });

  it.each([
    'Authorization: Bearer <token>',
    'Authorization: Bearer $TOKEN',
    'the basic authorization of a request',
    'AccountKey=…',
    'Server=db;Password=$PASSWORD;',
    'https://git@github.com/a/b, npm i @scope/name //comment of ann@example.com',
    'https://hooks.slack.com/services/',
  ])('is none: %s', (text) => {
    expect(secretsOf({}).redactText(text)).toBe(text);
    expect(looksSecret(text)).toBe(false);
  });

  it('is known of the variable that has it', () => {
    const { redactText } = secretsOf({
      AZURE_STORAGE_CONNECTION_STRING: `AccountName=a;AccountKey=${word}+/==`,
      INDEX_URL: `https://${word}X@host/`,
    });
    expect(redactText(`${word}+/==, ${word}X`)).toBe(
      '[redacted:AZURE_STORAGE_CONNECTION_STRING], [redacted:INDEX_URL]',
    );
  });

  it('is looked for in time that grows with the text', () => {
    const { redactText } = secretsOf({});
    const texts = [
      `Authorization: Bearer`,
      'AccountKey=',
      ';Password=',
      '//a',
      '//a:',
      'hooks.slack.com/services/',
    ];
    for (const text of texts) {
      const long = text.repeat(400_000 / text.length);
      const began = performance.now();
      redactText(`${long}!`);
      expect(performance.now() - began, text).toBeLessThan(1_000);
    }
  });
});

describe('createRedactor', () => {
  const redact = createRedactor({
    API_KEY: 'k3y.with$special(chars)',
    DB_PASSWORD: 'p4ssw0rd-long',
    LONG_TOKEN: 'p4ssw0rd-long-and-more',
    PWD: '/home/ann/project',
    SSH_AUTH_SOCK: '/tmp/ssh-agent.1',
    AWS_ACCESS_KEY_ID: 'an-identifier',
    MONKEY: 'banana-banana',
    PIN_TOKEN: '12345678901',
    EMPTY_SECRET: '',
  });

  it.each([
    ['xx k3y.with$special(cha…', 'xx [redacted]…'],
    ['said p4ssw0…d | p4ssw…', 'said [redacted]…d | p4ssw…'],
    [`Bearer ${tokens.AWS.slice(0, -1)}…`, 'Bearer [redacted]…'],
    ['a long github…', 'a long github…'],
  ])('replaces what a cut has left of a secret: %s', (text, safe) => {
    expect(redact('tool.requested', { text })).toEqual({ text: safe });
  });

  it('uses the variable whose value it replaced, wherever the value stands', () => {
    const data = {
      argv: ['--key=k3y.with$special(chars)', '-v'],
      nested: { deep: ['x p4ssw0rd-long y'] },
    };
    expect(redact('tool.requested', data)).toEqual({
      argv: ['--key=[redacted:API_KEY]', '-v'],
      nested: { deep: ['x [redacted:DB_PASSWORD] y'] },
    });
  });

  it('takes the longer of two secrets that begin alike', () => {
    expect(redact('task.failed', { reason: 'p4ssw0rd-long-and-more' })).toEqual({
      reason: '[redacted:LONG_TOKEN]',
    });
  });

  it.each(['/home/ann/project', '/tmp/ssh-agent.1', 'an-identifier', 'banana-banana', '12345678901'])(
    'leaves %s, whose variable is no secret or which is too short',
    (text) => {
      expect(redact('task.failed', { reason: text })).toEqual({ reason: text });
    },
  );

  it.each(Object.entries(tokens))('replaces a token of %s', (_, token) => {
    expect(redact('task.failed', { reason: `before ${token}, after` })).toEqual({
      reason: 'before [redacted], after',
    });
  });

  it('replaces the lines of a private key that was cut off, and not what follows', () => {
    const reason = `x -----BEGIN PRIVATE KEY-----\n${keyLine}\n${keyLine}\nrm -rf docs`;
    expect(redact('task.failed', { reason })).toEqual({ reason: 'x [redacted]\nrm -rf docs' });
  });

  it.each([
    '# -----BEGIN PRIVATE KEY-----\nrm -rf docs',
    '# -----BEGIN PRIVATE KEY-----\nreboot\n-----END PRIVATE KEY-----',
    `# -----BEGIN PRIVATE KEY-----\nrm -rf docs\n${keyLine}\n-----END PRIVATE KEY-----`,
  ])('leaves what only stands where a key would: %j', (reason) => {
    expect(redact('task.failed', { reason })).toEqual({ reason });
  });

  it.each([
    `-----BEGIN PRIVATE KEY-----\\n${keyLine}\\n${keyLine}\\nabc=\\n-----END PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----${keyLine} ${keyLine} abc= -----END PRIVATE KEY-----`,
    `-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-128-CBC,0A1B\r\n\r\n${keyLine}\r\nab==\r\n-----END RSA PRIVATE KEY-----`,
  ])('knows a private key however its lines are written: %j', (key) => {
    expect(redact('task.failed', { reason: `x ${key} y` })).toEqual({ reason: 'x [redacted] y' });
  });

  it('keeps names of fields, numbers and what is no secret, and then the very same object', () => {
    const data = {
      'p4ssw0rd-long': 1,
      'https://example.org/a:b@c': 'https://example.org:8080/@x //user:$PASSWORD1@host //a:postgres@b',
      list: [true, null, 2.5],
      text: 'a task-1 that risk-free-and-simple-words',
    };
    expect(redact('tool.requested', data)).toBe(data);
  });

  it('lets a human’s answer through, but not the name of who gave it', () => {
    const answer = { requestId: 'q', response: `use ${tokens.AWS}`, by: 'p4ssw0rd-long', via: 'cli' };
    expect(redact('help.answered', answer)).toEqual({ ...answer, by: '[redacted:DB_PASSWORD]' });
  });

  it('works where the environment holds no secret', () => {
    expect(createRedactor({})('task.failed', { reason: `a ${jwt}` })).toEqual({ reason: 'a [redacted]' });
  });
});

describe('a JSON value', () => {
  const { redactJson } = secretsOf({
    APITOKEN: 'k3y-k3y-k3y-k3y',
    ACCOUNT_TOKEN: '123456789012',
    PIN_TOKEN: '42',
  });

  it('has no secret in the names of members either, and no member is lost', () => {
    const args = {
      headers: { 'k3y-k3y-k3y-k3y': 1, 'a k3y-k3y-k3y-k3y': [tokens.AWS], [tokens.AWS]: 2, [tokens.npm]: 3 },
    };
    expect(redactJson(args)).toEqual({
      headers: {
        '[redacted:APITOKEN]': 1,
        'a [redacted:APITOKEN]': ['[redacted]'],
        '[redacted]': 2,
        '[redacted] (2)': 3,
      },
    });
  });

  it('has no number that is a secret', () => {
    expect(redactJson({ account: 123_456_789_012, n: [42, 123_456_789_013] })).toEqual({
      account: '[redacted:ACCOUNT_TOKEN]',
      n: [42, 123_456_789_013],
    });
  });

  it('is redacted so within the arguments of a call that is recorded', () => {
    const redact = createRedactor({ ACCOUNT_TOKEN: '123456789012' });
    expect(
      redact('tool.requested', { args: { 123456789012: 123_456_789_012 }, at: 123_456_789_012 }),
    ).toEqual({
      args: { '[redacted:ACCOUNT_TOKEN]': '[redacted:ACCOUNT_TOKEN]' },
      at: 123_456_789_012,
    });
  });
});

it('a secret of several parts is none in any of them', () => {
  const env = { AUTHORIZATION: 'Bearer abcdef-123456', ENCRYPTION_KEYS: 'key1-abcdefghi,key2-abcdefghi' };
  const { redactText } = secretsOf(env);
  expect(redactText('H: Bearer abcdef-123456')).toBe('H: [redacted:AUTHORIZATION]');
  expect(redactText('abcdef-123456, key2-abcdefghi')).toBe(
    '[redacted:AUTHORIZATION], [redacted:ENCRYPTION_KEYS]',
  );
});

describe('a password in a URL', () => {
  const { redactText } = secretsOf({
    DATABASE_URL: 'postgres://app:pa%24s@db.example.org/app',
    HTTPS_PROXY: 'http://corp%5Cann:correct-horse-battery@proxy:3128',
    HOME_PAGE: 'https://example.org/',
  });

  it.each([
    ['postgres://app:pa%24s@db', 'postgres://app:[redacted:DATABASE_URL]@db'],
    ['jdbc:x://other:pa$s@db', 'jdbc:x://other:[redacted:DATABASE_URL]@db'],
    ['they eat pa%24s', 'they eat pa%24s'],
    ['password: correct-horse-battery!', 'password: [redacted:HTTPS_PROXY]!'],
    ['mongodb+srv://u:s3cr3t-0f-others@host', 'mongodb+srv://u:[redacted]@host'],
    [`https://${tokens.AWS}:x-oauth-basic@host`, 'https://[redacted]:x-oauth-basic@host'],
    [`https://oauth2:${tokens.AWS}@host`, 'https://oauth2:[redacted]@host'],
    [
      'https://example.org:8080/a@b and //user:password@localhost',
      'https://example.org:8080/a@b and //user:password@localhost',
    ],
  ])('%s', (text, safe) => {
    expect(redactText(text)).toBe(safe);
  });

  it('is one that faces warn of', () => {
    expect(looksSecret('use postgres://app:s3cr3t-0f-mine@db')).toBe(true);
    expect(looksSecret('use postgres://app:password@localhost')).toBe(false);
  });
});

describe('isSecretName', () => {
  it.each(
    `PGPASSWORD SSHPASS MYSQL_PWD AUTHORIZATION NPM_CONFIG__AUTHTOKEN npm_config__auth APITOKEN GITHUBTOKEN CLIENTSECRET
     ENCRYPTION_KEYS STRIPE_KEY_LIVE TOKEN SECRET_2 AWS_SECRET_ACCESS_KEY GOOGLE_APPLICATION_CREDENTIALS_JSON APIKEY
     GITHUB_PAT DB_PW ROOTPW API_BEARER SIGNING_SALT pw OAUTH SESSION_COOKIES SLACK_WEBHOOK_URL WEBHOOK clientSecret apiKey x-api-key`.split(
      /\s+/,
    ),
  )('%s says that its value is a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(
    `PWD OLDPWD KEYBOARD KEYBOARD_LAYOUT MONKEY HOTKEY TURKEY_TIME COMPASS BYPASS_CACHE SSH_AUTH_SOCK SSH_KEY_PATH TOKENIZER
     AUTHOR GIT_AUTHOR_NAME AUTH_URL KEY_SERVER PASSENGER PATTERN PATH AWS_ACCESS_KEY_ID SECRETARY WEBHOOK_PORT
     PW_TEST PW_TEST_HTML_REPORT_OPEN PWDEBUG SALT_MASTER DESKTOP_SESSION CODE_SIGNING OTP_VERSION BASALT`.split(
      /\s+/,
    ),
  )('%s does not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('looksSecret', () => {
  it.each(Object.entries(tokens))('knows a token of %s', (_, token) => {
    expect(looksSecret(`please use ${token}`)).toBe(true);
  });

  it.each([
    '',
    'sk-short',
    'a task-with-a-rather-long-name',
    'AKIAB',
    'yes, npm_config is fine',
    'eyJ is how they begin',
  ])('takes %j for plain text', (text) => {
    expect(looksSecret(text)).toBe(false);
  });
});
