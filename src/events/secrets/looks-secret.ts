import {
  credentialsIn,
  isPassword,
  isTokenAsUser,
  LABELLED_SHAPE,
  MIN_SECRET_LENGTH,
  PEM_SHAPE,
  PGP_SHAPE,
  TOKEN_SHAPES,
  URL_SHAPE,
} from './secret-shapes.ts';

const anyShape = new RegExp([TOKEN_SHAPES, PEM_SHAPE, PGP_SHAPE, LABELLED_SHAPE].join('|'));
const urlShapes = new RegExp(URL_SHAPE, 'g');

/** Whether a text contains something of the shape of a known token. Faces warn before they send it. */
export function looksSecret(text: string): boolean {
  if (text.length < MIN_SECRET_LENGTH) return false;
  return (
    anyShape.test(text) ||
    (text.match(urlShapes) ?? []).some((url) => {
      const { user, password } = credentialsIn(url);
      return isPassword(password) || isTokenAsUser(user);
    })
  );
}
