import { randomBytes } from 'node:crypto';
import { fileHeaders, pageHeaders } from './guards/security-headers.ts';
import type { PageFiles, PageOf } from './page-files.ts';

/**
 * A file of the page, or the page itself at `/`; `undefined`: there is none.
 *
 * @param page - `undefined`: it was not built.
 * @param of - What it shows.
 */
export function sendPage(path: string, page: PageFiles | undefined, of: PageOf): Response | undefined {
  const file = page?.file(path);
  if (file) {
    return new Response(file.bytes, {
      headers: { ...fileHeaders(file.isImmutable), 'content-type': file.type },
    });
  }
  if (path !== '/') return undefined;
  const nonce = randomBytes(16).toString('base64url');
  const headers = { ...pageHeaders(nonce), 'content-type': 'text/html; charset=utf-8' };
  if (page) return new Response(page.index(nonce, of), { headers });
  return new Response(notBuilt, { status: 503, headers });
}

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Clifford</title>
<p>The page of Clifford was not built. The API is there: see <code>/api/openapi.json</code>.
In the repository: <code>npm run build</code></p></html>
`;
