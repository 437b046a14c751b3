/**
 * How tokens begin that can be told by their beginning, the characters that follow, and how many of these there are
 * at least. As the services document them that issue them; which services there are is kept by gitleaks
 * (github.com/gitleaks/gitleaks, config/gitleaks.toml) and by GitHub's secret scanning (docs.github.com, "Supported
 * secret scanning patterns").
 */
const TOKENS: readonly (readonly [beginnings: string, rest: string, min: number])[] = [
  // GitHub
  ['ghp_ gho_ ghu_ ghs_ ghr_', 'A-Za-z0-9', 20],
  ['github_pat_', 'A-Za-z0-9_', 20],
  // GitLab
  ['glpat- gldt- glrt- glptt- glcbt- glsoat-', 'A-Za-z0-9_-', 20],
  // OpenAI, Anthropic, OpenRouter; Groq, xAI, Perplexity, Hugging Face, Replicate
  ['sk-', 'A-Za-z0-9_-', 16],
  ['gsk_ xai-', 'A-Za-z0-9', 40],
  ['pplx- r8_ hf_', 'A-Za-z0-9', 30],
  // AWS, Google
  ['AKIA ASIA', 'A-Z0-9', 16],
  ['AIza GOCSPX- ya29.', 'A-Za-z0-9_-', 20],
  // Slack
  ['xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-', 'A-Za-z0-9-', 8],
  ['xapp-', 'A-Za-z0-9-', 20],
  // Stripe
  ['sk_live_ sk_test_ rk_live_ rk_test_ whsec_', 'A-Za-z0-9', 16],
  // npm, PyPI, RubyGems, Docker Hub
  ['npm_', 'A-Za-z0-9', 20],
  ['pypi-AgE', 'A-Za-z0-9_-', 40],
  ['rubygems_', 'a-f0-9', 40],
  ['dckr_pat_', 'A-Za-z0-9_-', 20],
  // DigitalOcean, Shopify, Databricks, Supabase, Vault, Doppler
  ['dop_v1_ doo_v1_ dor_v1_', 'a-f0-9', 40],
  ['shpat_ shpca_ shppa_ shpss_', 'A-Fa-f0-9', 32],
  ['dapi', 'a-f0-9', 32],
  ['sbp_', 'a-f0-9', 40],
  ['hvs. hvb.', 'A-Za-z0-9_-', 24],
  ['dp.pt.', 'A-Za-z0-9', 40],
  // Linear, Notion, Figma, Atlassian, Sentry
  ['lin_api_', 'A-Za-z0-9', 32],
  ['ntn_', 'A-Za-z0-9', 40],
  ['figd_', 'A-Za-z0-9_-', 20],
  ['ATATT3', 'A-Za-z0-9_-', 40],
  ['sntrys_ sntryu_', 'A-Za-z0-9_', 40],
  // age
  ['AGE-SECRET-KEY-1', 'A-Z0-9', 58],
];

/** What tokens look like by themselves, as the source of a pattern. None matches inside a longer word. */
export const TOKEN_SHAPES = `(?<![A-Za-z0-9_-])(?:${[
  ...TOKENS.flatMap(([beginnings, rest, min]) =>
    beginnings.split(' ').map((beginning) => `${literal(beginning)}[${rest}]{${min},}`),
  ),
  // JSON Web Tokens, and SendGrid's, of parts between dots.
  String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*`,
  String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
].join('|')})`;

/** The same cut off anywhere, as the source of a pattern. */
export const TOKEN_BEGINNINGS = [
  ...TOKENS.flatMap(([beginnings, rest]) =>
    beginnings.split(' ').map((beginning) => begun(beginning, `[${rest}]*`)),
  ),
  begun(
    'eyJ',
    String.raw`[A-Za-z0-9_-]*(?:\.(?:${begun('eyJ', String.raw`[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?`)})?)?`,
  ),
  begun('SG.', String.raw`[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?`),
].join('|');

/** Names in front of a secret. The secret goes on as long as there are characters of these. */
const LABELLED: readonly (readonly [names: string, between: string, rest: string, min: number])[] = [
  [
    'Authorization authorization AUTHORIZATION',
    String.raw`[\\"']{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\\"']{0,4}(?:Bearer|bearer|Basic|basic|Token|token)[ \t]{1,4}`,
    'A-Za-z0-9._~+/=-',
    12,
  ],
  // Connection strings, of Azure and of databases.
  [
    'AccountKey SharedAccessKey SharedSecretValue SharedSecretIssuer',
    '[ \\t]?=[ \\t]?',
    'A-Za-z0-9+/=%_-',
    16,
  ],
  ['SharedAccessSignature', '=', 'A-Za-z0-9+/=%&_.:-', 16],
  [';Password ;Pwd ;password ;pwd', '=', String.raw`^\s;"'\\$<{*`, 8],
  // Who knows such an address may write there.
  ['hooks.slack.com/', '(?:services|workflows|triggers)/', 'A-Za-z0-9/_-', 16],
];
const LABEL = LABELLED.map(
  ([names, between]) => `(?:${names.split(' ').map(literal).join('|')})${between}`,
).join('|');

/** A name that says what follows is a secret, and that, as the source of a pattern; for {@link labelledIn}. */
export const LABELLED_SHAPE = LABELLED.map(
  ([names, between, rest, min]) =>
    `(?:${names.split(' ').map(literal).join('|')})${between}[${rest}]{${min},}`,
).join('|');
const label = new RegExp(`^(?:${LABEL})`);

/** Of what has the {@link LABELLED_SHAPE}, the name and the secret; `undefined` when it has not. */
export function labelledIn(found: string): { readonly name: string; readonly secret: string } | undefined {
  const name = label.exec(found)?.[0];
  return name === undefined ? undefined : { name, secret: found.slice(name.length) };
}

/** What a {@link LABELLED_SHAPE} may begin with, in full. */
export const LABELS: readonly string[] = LABELLED.flatMap(([names]) => names.split(' '));

const PGP_BEGIN = '-----BEGIN PGP PRIVATE KEY BLOCK-----';
const PGP_GAP = String.raw`(?:[\s"',>]|\\[rn])`;
const PGP_HEADER = '(?:Version|Comment|Hash|Charset|MessageID): ';
const PGP_VALUE = String.raw`(?:(?!${PGP_HEADER}|${PGP_BEGIN})[^\n\\]){0,199}[^\s"',>\\]`;
/**
 * A private key of OpenPGP, as the source of a pattern; without its end it was cut off. No header has the beginning of another one in it, or of
 * another key, nor ends in what may stand between two: it could be read in too many ways.
 */
export const PGP_SHAPE =
  String.raw`${PGP_BEGIN}${PGP_GAP}*(?:${PGP_HEADER}(?:${PGP_VALUE})?${PGP_GAP}*)*` +
  String.raw`[A-Za-z0-9+/]{32,}(?:${PGP_GAP}+[A-Za-z0-9+/=]+)*(?:${PGP_GAP}*-----END PGP PRIVATE KEY BLOCK-----)?`;

// Only what looks like the body of a key: what merely follows a BEGIN line, or stands between the lines, is no secret,
// and may be a command. A block without its end was cut off: there its whole lines are key.
const PEM_GAP = String.raw`(?:[\s"',>]|\\[rn])`;
const PEM_LINE = String.raw`[A-Za-z0-9+/=]{32,}`;
const PEM_HEADER = String.raw`(?:Proc-Type|DEK-Info): [A-Za-z0-9,-]*[A-Za-z0-9-]${PEM_GAP}+`;
/** A private key in PEM, as the source of a pattern. */
export const PEM_SHAPE =
  String.raw`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----${PEM_GAP}*(?:${PEM_HEADER})*${PEM_LINE}(?:${PEM_GAP}+${PEM_LINE})*` +
  String.raw`(?:(?:${PEM_GAP}+[A-Za-z0-9+/=]+)?${PEM_GAP}*-----END [A-Z0-9 ]*PRIVATE KEY-----)?`;

/** Shorter values and tokens are left alone: they would redact ordinary words. */
export const MIN_SECRET_LENGTH = 12;

/** A name and a password in a URL, or a token, as the source of a pattern; which is a secret: {@link credentialsIn}. */
export const URL_SHAPE = String.raw`\/\/[^\s\/:@]{0,256}(?::[^\s\/@]{1,256})?@`;
/** Name and password of what has the {@link URL_SHAPE}; the password is `''` when there is none. */
export function credentialsIn(found: string): { readonly user: string; readonly password: string } {
  const colon = found.indexOf(':');
  if (colon === -1) return { user: found.slice(2, -1), password: '' };
  return { user: found.slice(2, colon), password: found.slice(colon + 1, -1) };
}

/** Shorter ones are names. */
const MIN_USER_LENGTH = 16;

/** Whether the name in a URL is a token: `https://<token>@host`. */
export function isTokenAsUser(user: string): boolean {
  return (
    user.length >= MIN_USER_LENGTH &&
    /^[A-Za-z0-9_-]+$/.test(user) &&
    /\d/.test(user) &&
    /[A-Za-z]/.test(user)
  );
}

/** Whether a password is one: neither a variable, nor a word as in documentation, nor short. */
export function isPassword(text: string): boolean {
  return text.length >= 8 && /\d/.test(text) && !/[$<{*]/.test(text);
}

/** A fixed beginning and the characters that follow it, as a pattern that every beginning of it matches. */
function begun(fixed: string, rest: string): string {
  return fixed.split('').reduceRight((inner, character) => `${literal(character)}(?:${inner})?`, rest);
}

/** A pattern that matches the text itself. (`RegExp.escape` is not in Node 22.) */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
