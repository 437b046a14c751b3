import { namesSecret, plainWords } from '../../views/requests/asks-secret.ts';
import type { Prompt } from './prompt.ts';

/** A question that names nothing: what it is about stands before it. */
const unnamed =
  /^(?:please )?(?:(?:enter|input|type|provide|give|paste)(?: in)?(?: |$))?(?:(?:an?|the|your|its|this) )?(?:new )?(?:value|answer|input|response|text|string|it)?(?: ?(?:here|below|now))?$/i;

/** The same in German, French and Spanish. */
const unnamedInOthers =
  /^(?:(?:bitte )?(?:geben sie (?:einen|den|ihren) )?wert(?: ein(?:geben)?)?|(?:(?:veuillez )?(?:entre[rz]|saisi(?:r|ssez)) (?:une|la|votre) )?valeur|(?:(?:introduzca|introduce|ingrese|escriba) (?:un|el|su) )?valor)$/i;

/** Codes that are no secret, by the word before. */
const openCodes =
  'zip|post|postal|country|region|state|city|area|dial|dialling|dialing|calling|language|locale|currency|colou?r|hex|error|exit|return|status|response|http|product|item|promo|coupon|voucher|discount|source|vs|qr|bar|tax|class|department|course|airport|bank|sort|swift|unicode|char|character';

/** Keys that are none, and words that say that a key is asked for of which everybody may know: its name, its file, one to press. */
const openKeys =
  'primary|foreign|sort|sorting|public|partition|unique|composite|range|hash|row|index|join|group|lookup|cache|config|configuration|settings?|registry|object|map|dictionary|json|yaml|translation|message|issue|project|ticket|idempotency|tag|label|space|arrow|shortcut|hot|function|any|press|hit|choose|select|pick|which|what|file|path|folder|directory|names?|number|id|to|in|of|for|by|with|i18n';

/** What a question ends with behind what it asks for: nothing, whose it is, where it goes, or a remark. */
const ends = String.raw`(?=\P{L}*$| (?:for|from|here|below|now)\b| ?[([])`;

/** How a code comes to a person: ` sent to you`, ` in your Google Authenticator app`, ` that appears on your phone`, ` we've texted`. */
const comes = String.raw` (?:sent|shown|displayed|generated|received|texted|e-?mailed|from|via)\b| (?:by|in|on) (?:(?:your|the|an?) )?(?:[\p{L}\p{N}]+ ){0,3}(?:app|phone|device|sms|text|message|e-?mail|inbox|screen)\b| (?:that|which) (?:was|is|has been|appears)\b| (?:(?:that|which) )?(?:we|you)(?:['’]ve| have| were)?(?: been)?(?: just)? (?:sent|e-?mailed|texted|received?|got|get|see)\b`;

/**
 * More that a question may ask for. These words stand in too much else that is said. What is wrongly taken for a secret no chat takes, and an
 * agent whose stdin is closed hears it by tools of Clifford's alone.
 */
const moreAskedFor = new RegExp(
  [
    String.raw`(?<!\p{L})(?:pats?|pass ?keys?|cookies?|cvv|cvc|ssn|card number|security answer|psk|pw|connection string|(?:unseal|pre-shared) keys?|hidden|masked)(?!\p{L})`,
    String.raw`(?<!\p{L})(?<!(?:to|must|should|can|will|may|did|not|all|tests?|checks?|boarding) )pass` +
      ends,
    // pgpassword: · Datenbankpasswort:
    String.raw`(?<!\p{L})(?!oldpwd|nopasswd)[\p{L}\p{N}]{1,30}(?:password|passwd|passphrase|pwd|token|secret|passwort|kennwort|wachtwoord)` +
      ends,
    String.raw`(?<!\p{L})(?:admin|db|mysql|pg|root|smtp|ssh|user)pass` + ends,
    String.raw`(?<!\p{L})(?<!(?:enable|disable|activate|use|require|need|want|with|without) )(?:2fa|mfa)` +
      ends,
    String.raw`(?<!\p{L})(?<!(?:${openCodes})[ -])code(?=\P{L}*$| ?[([]| (?:or press|here|below)\b|${comes}|(?<=(?:^|(?:enter|type|paste|provide|input) (?:(?:the|your|a) )?)code) for\b)`,
    String.raw`(?<!\p{L})(?:[68]|six|eight)[ -]digits?(?: (?:code|pin|otp|token|authentication)\b|(?: numbers?)?(?:${comes}))|(?<!\p{L})(?:enter|type|provide|input) (?:(?:the|your) )?(?:[68]|six|eight)[ -]digits?(?=\P{L}*$)|\b(?:from|by|in) (?:(?:your|the|an) )?authenticator\b`,
    // OpenAI key: · Enter the key (hidden): · [2/3] Stripe key:
    String.raw`^(?:[[(][^\])]{0,40}[\])])?[^\p{L}\p{N}]*(?:(?!(?:${openKeys})[ -])[\p{L}\p{N}.'’@/]{1,60}[ -]){0,7}key` +
      ends,
    String.raw`(?<!\p{L})(?<!öffentliche[nr]? )(?:(?:zugangs|zugriffs|geheim|sicherheits|lizenz)?schlüssel|(?:bestätigungs|sicherheits|zugangs)code|zugangsdaten)(?!\p{L})`,
    String.raw`(?<![\p{L}-])(?<!(?:nom|fichier) de (?:la|votre) |mots?[ -])(?:clé(?! (?:primaire|étrangère|publique|usb|de (?:tri|partition|registre|traduction))(?!\p{L}))|jeton|code de (?:vérification|confirmation|validation|sécurité))(?!\p{L})`,
    String.raw`(?<!\p{L})(?<!(?:palabras?|nombre de la) )(?:clave(?! (?:primaria|foránea|externa|pública|de (?:orden|partición|registro))(?!\p{L}))|código de (?:verificación|confirmación|seguridad|acceso))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:chiave (?:api|segreta)|codice di verifica|chave (?:d[ae] )?(?:api|secreta)|código de verificação|api[ -]sleutel|klucz api|api[ -]ключ|ключ (?:api|доступа)|токен|код подтверждения)(?!\p{L})`,
    'api ?(?:キー|키)|验证码|驗證碼|密钥|密鑰|令牌|認証コード|暗証番号|トークン|인증 코드|토큰',
  ].join('|'),
  'iu',
);

/** A variable that holds a key: `OPENAI_KEY`, `var.stripe_key`. */
const keyVariable = new RegExp(
  String.raw`[\p{L}\p{N}](?<!(?<![\p{L}\p{N}])(?:${openKeys}))_key(?![\p{L}\p{N}])`,
  'iu',
);

/** A line does not only tell what happens: something is to be given. */
const wants = /\b(?:enter|type|paste|provide|give|get|copy|create|need|your)\b|[:：]\s*$/iu;

/** So many lines before such a question may say it. */
const LINES_BEFORE = 8;

/**
 * Whether a program asks for something that nobody else is to know: every face reads it from the request that is made of its prompt.
 *
 * @param context - The output before the question.
 */
export function isSecretPrompt({
  kind,
  question,
  context,
}: Pick<Prompt, 'kind' | 'question'> & { readonly context: string }): boolean {
  if (kind === 'secret' || namesSecret(question)) return true;
  if (kind === 'text' && asksForMore(question)) return true;
  // Without its marks, of whichever script its letters are.
  const words = (plainWords(question).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  if (!unnamed.test(words) && !unnamedInOthers.test(words)) return false;
  const lines = context.split('\n').slice(-LINES_BEFORE);
  const before = lines.join('\n');
  if (namesSecret(before) || keyVariable.test(before)) return true;
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  return kind === 'text' && wants.test(last) && asksForMore(last);
}

function asksForMore(words: string): boolean {
  return keyVariable.test(words) || moreAskedFor.test(plainWords(words));
}
