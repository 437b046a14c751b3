import { namesSecret } from '../../views/requests/asks-secret.ts';
import type { Prompt } from './prompt.ts';

/** A question that names nothing: what it is about stands before it. */
const unnamed =
  /^(?:please )?(?:(?:enter|input|type|provide|give|paste)(?: in)? )?(?:(?:an?|the|your|its|this) )?(?:new )?(?:value|answer|input|response|text|string|it|here)?$/i;

/** The same in German, French and Spanish. */
const unnamedInOthers =
  /^(?:(?:bitte )?(?:geben sie (?:einen|den|ihren) )?wert(?: ein(?:geben)?)?|(?:(?:veuillez )?(?:entre[rz]|saisi(?:r|ssez)) (?:une|la|votre) )?valeur|(?:(?:introduzca|introduce|ingrese|escriba) (?:un|el|su) )?valor)$/i;

/** More that a question may ask for. These words stand in too much else that is said: a needless warning is all that follows of them here. */
const moreAskedFor = new RegExp(
  String.raw`(?<!\p{L})(?:pats?|pass ?keys?|cookies?|cvv|cvc|ssn|psk|pw|connection string|(?:unseal|pre-shared) keys?|hidden|masked)(?!\p{L})` +
    String.raw`|(?<!\p{L})(?<!(?:zip|post|postal|country|area|language|colou?r|error|exit|status|product|promo|source|vs|qr) )code(?=\P{L}*$| (?:sent|from|for|that|we|you)\b)` +
    '|验证码|驗證碼|密钥|密鑰|令牌|認証コード|暗証番号|トークン|인증 코드|토큰',
  'iu',
);

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
  if (kind === 'secret' || namesSecret(question) || (kind === 'text' && moreAskedFor.test(question)))
    return true;
  // Without its marks, of whichever script its letters are.
  const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  return (
    (unnamed.test(words) || unnamedInOthers.test(words)) &&
    namesSecret(context.split('\n').slice(-LINES_BEFORE).join('\n'))
  );
}
