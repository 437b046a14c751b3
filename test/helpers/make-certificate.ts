import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Where a certificate and its key are. */
export type CertificateFiles = { readonly cert: string; readonly key: string };

/** Makes a certificate that is its own authority, and its key, in a folder. `undefined`: there is no `openssl` for it. */
export function makeCertificate(
  folder: string,
  { name = 'cert', hosts = 'IP:127.0.0.1' }: { readonly name?: string; readonly hosts?: string } = {},
): CertificateFiles | undefined {
  const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}-key.pem`) };
  const args = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=clifford -addext subjectAltName=${hosts}`;
  const made = spawnSync('openssl', [...args.split(' '), '-keyout', files.key, '-out', files.cert]);
  return made.status === 0 ? files : undefined;
}
