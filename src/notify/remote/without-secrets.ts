/** A part of an address this long is taken for a secret: shorter ones are words such as `api`. */
const LEAST_PART = 8;

/** A text of a service without what nobody is to read of it, in whichever way it says that. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap(formsOf).filter((form) => form !== '');
  // A part of another one would leave the rest of that.
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((said, form) => said.replaceAll(form, '…'), text);
}

/** What is secret of an address that is: all of it but the host, and each part of its path and its query alone. */
export function secretsOfUrl({ href, pathname, search, searchParams }: URL): string[] {
  const written = search
    .slice(1)
    .split('&')
    .map((each) => each.slice(each.indexOf('=') + 1));
  const parts = [...pathname.split('/'), ...written, ...searchParams.values()];
  return [
    href,
    ...[`${pathname}${search}`, pathname].filter((part) => part.length > 1),
    ...parts.filter((part) => part.length >= LEAST_PART),
  ];
}

/** What a login is in base64, as mail servers speak of it. */
export function secretsOfLogin(user: string, password: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return [password, base64(password), base64(`\0${user}\0${password}`)];
}

/** As it is, decoded, encoded, and each with the slashes that some escape in JSON. */
function formsOf(secret: string): string[] {
  const plain = [secret, decoded(secret)];
  return [...plain, ...plain.map((form) => encodeURIComponent(form.toWellFormed()))].flatMap((form) => [
    form,
    form.replaceAll('/', String.raw`\/`),
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
