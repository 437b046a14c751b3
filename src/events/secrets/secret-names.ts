/** Words of a name that say its value is a secret, wherever they stand. A word may have others in front, `APITOKEN`. */
const SECRET_WORD =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|WEBHOOK)S?$|(?:PASS|PWD|CREDS)$|^(?:PAT|JWT)$/;
/** Words that do where they stand last: not in `SALT_MASTER`. */
const LAST_WORDS = new Set(['BEARER', 'SALT']);
/** Words that mostly do: not in `AUTH_URL`. */
const KEY_WORD = /(?:KEYS?|AUTH|AUTHORIZATION)$/;
/** Words that only end like one of these. */
const OTHER_WORDS = new Set(
  'BYPASS COMPASS ENCOMPASS OVERPASS SURPASS TRESPASS UNDERPASS DONKEY HOCKEY HOTKEY JOCKEY LACKEY MONKEY TURKEY WHISKEY'.split(
    ' ',
  ),
);
/** Last words that say it is only about a secret: where it lies, what it is called. */
const HARMLESS_ENDINGS = new Set('FILE PATH DIR SOCK SOCKET NAME USER ID HOST PORT TTL TYPE'.split(' '));
/** Last words that say so of a key or of how one is let in. */
const HARMLESS_KEY_ENDINGS = new Set(
  'ALGORITHM AUDIENCE BITS DOMAIN ENDPOINT FORMAT ISSUER LENGTH METHOD MODE PREFIX PROVIDER REGION SCOPE SCOPES SERVER SIZE URI URL VERSION'.split(
    ' ',
  ),
);

/** Whether a name, as of a variable, says that its value is a secret: `API_KEY`, `github-token`, `clientSecret`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  // By themselves they are folders.
  if (words.length === 1 && (last === 'PWD' || last === 'OLDPWD')) return false;
  if (HARMLESS_ENDINGS.has(last)) return false;
  // `DB_PW`, `ROOTPW`, but not `PW_TEST`.
  if (LAST_WORDS.has(last) || last.endsWith('PW')) return true;
  const telling = words.filter((word) => !OTHER_WORDS.has(word));
  if (telling.some((word) => SECRET_WORD.test(word))) return true;
  return !HARMLESS_KEY_ENDINGS.has(last) && telling.some((word) => KEY_WORD.test(word));
}
