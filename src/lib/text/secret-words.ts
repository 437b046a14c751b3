const english = [
  'pass[ -]?(?:word|phrase|code)s?',
  'recovery (?:codes?|keys?)',
  'pin',
  't?otps?',
  'token',
  'secret',
  '(?:verification|authentication|authorization|access|security|one-time|2fa) code',
  'api[ -]?key',
  '(?:secret|access) key',
];

/** Those of `sudo`, `passwd`, `ssh-add` and `gpg` in the languages that they are translated to most, in letters. */
const inOtherLanguages = [
  'passwort|kennwort|wachtwoord|lösenord|adgangskode|passord|salasana',
  'mot de passe|phrase (?:de passe|secrète)|contraseña|frase (?:de paso|segreta)|senha|palavra-passe|parolă',
  'hasło|heslo|jelszó|пароль|κωδικός(?: πρόσβασης)?|parola(?! chiave)|şifre|mật khẩu',
];

/** What a program asks for that nobody else is to know: a regular expression of words. Case does not count. */
export const secretWords = [...english, ...inOtherLanguages].join('|');

/** The same in languages that have no blanks between words. */
export const secretSigns = '密码|密碼|口令|パスワード|パスフレーズ|비밀번호|암호';
