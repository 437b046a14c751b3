import { isSecretName } from '../../events/secrets/secret-names.ts';

/** Stands where a secret would be shown. */
const MASK = '•••';

/** Headers that carry a secret, apart from those whose names say so. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** `--token`, `--token=x`, `API_KEY=x`. */
const option = /^(-{0,2})([A-Za-z][\w.-]*)(?:=([\s\S]*))?$/;
/** `Authorization: Bearer x`, as some programs take headers. */
const header = /^([A-Za-z][\w-]*):\s*([\s\S]+)$/;

/** Whether the value of a header is a secret, by its name. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase()) || isSecretName(name);
}

/**
 * The part of a value of such a name that is a secret and stands in the file itself: without its variables (their
 * defaults count), without a `Bearer` in front. `undefined`: none, or nothing that could be one.
 */
export function literalSecret(value: string): string | undefined {
  const literal = value
    .replaceAll(/(?<!\$)\$\{[A-Za-z_]\w*(?::-([^}]*))?\}/g, (_found, fallback?: string) => fallback ?? '')
    .replace(/^\s*(bearer|basic|token)(\s+|$)/i, '')
    .trim();
  return /^(\d*|true|false)$/i.test(literal) ? undefined : literal;
}

/** Arguments, in which the values of those with a name like `--token` are masked. Variables stay. */
export function maskArgs(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const value = secretArgValue(args, index);
    return value === undefined ? maskUrl(arg) : arg.slice(0, arg.length - value.length) + MASK;
  });
}

/** The secret at the end of an argument: of `--token=x`, of `x` behind `--token`, of `Authorization: x`. */
export function secretArgValue(args: readonly string[], index: number): string | undefined {
  const value = namedValue(args, index);
  return value === undefined || literalSecret(value) === undefined ? undefined : value;
}

function namedValue(args: readonly string[], index: number): string | undefined {
  const arg = args[index] ?? '';
  const [, , name = '', value] = option.exec(arg) ?? [];
  if (value !== undefined) return isSecretName(name) ? value : undefined;
  const [, field = '', text] = header.exec(arg) ?? [];
  if (text !== undefined && isSecretHeader(field)) return text;
  const [, dashes = '', before = '', taken] = option.exec(args[index - 1] ?? '') ?? [];
  if (dashes === '' || taken !== undefined || arg.startsWith('-')) return undefined;
  return isSecretName(before) ? arg : undefined;
}

/** A URL, in which name and password and the values of parameters like `api_key` are masked. Variables stay. */
export function maskUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${MASK}@`)
    .replaceAll(/([?&#]([^=&#]*)=)([^&#]*)/g, (found, start: string, name: string, value: string) =>
      isSecretName(name) && literalSecret(value) !== undefined ? start + MASK : found,
    );
}
