import { looksSecret } from '../../events/redaction.ts';
import { isSecretName } from '../../events/secret-names.ts';
import { keyText } from '../../workflow/config/config-keys.ts';
import { placeText } from '../../workflow/config/config-problem.ts';
import { nearestNode, placeOf } from '../../workflow/config/json-places.ts';
import { isSecretHeader, literalSecret, maskUrl, secretArgValue } from './mask-secrets.ts';
import type { Path, Section } from './read-section.ts';
import type { ServerEntry } from './mcp-schema.ts';

/** Shorter values of a name like `TOKEN` are more likely numbers and words. */
const MIN_LENGTH = 8;

/** A warning for each value of a server that looks like a secret and stands in the file itself. None shows it. */
export function secretWarnings(section: Section, written: Partial<ServerEntry>): string[] {
  const { file, path, node } = section;
  return secretPlaces(written).map(({ at, variable }) => {
    const where = placeText(file, placeOf(nearestNode(node, at)));
    const key = keyText([...path, ...at]);
    return `${key} in ${where} looks like a secret: put it into the environment, and \${${variable}} here`;
  });
}

type SecretPlace = { readonly at: Path; readonly variable: string };

function secretPlaces({ command, args, cwd, url, env, headers }: Partial<ServerEntry>): SecretPlace[] {
  const places: SecretPlace[] = [];
  const look = (at: Path, text: unknown, isSecret: boolean, variable: string) => {
    if (typeof text !== 'string') return;
    const isLong = isSecret && (literalSecret(text)?.length ?? 0) >= MIN_LENGTH;
    if (isLong || looksSecret(text)) places.push({ at, variable });
  };
  look(['command'], command, false, 'TOKEN');
  const texts = Array.isArray(args) ? args.map((arg) => (typeof arg === 'string' ? arg : '')) : [];
  for (const [index, arg] of texts.entries())
    look(['args', index], secretArgValue(texts, index) ?? arg, isSecretArg(texts, index), 'TOKEN');
  look(['cwd'], cwd, false, 'TOKEN');
  look(['url'], url, typeof url === 'string' && maskUrl(url) !== url, 'TOKEN');
  for (const [name, value] of entriesOf(env))
    look(['env', name], value, isSecretName(name), variableName(name));
  for (const [name, value] of entriesOf(headers))
    look(['headers', name], value, isSecretHeader(name), variableName(name));
  return places;
}

function isSecretArg(args: readonly string[], index: number): boolean {
  const arg = args[index] ?? '';
  return secretArgValue(args, index) !== undefined || maskUrl(arg) !== arg;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** `X-Api-Key` as a variable: `X_API_KEY`. */
function variableName(name: string): string {
  const words = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return /^[A-Z_]/.test(words) ? words : `_${words}`;
}
