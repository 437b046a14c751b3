/** Stands in for `punycode.js`: a browser knows by itself what machines call a host. */
// oxlint-disable-next-line import/no-default-export -- so its reader imports it
export default {
  toASCII: (host: string): string => new URL(`http://${host}`).hostname,
  /** A name that may look like another is shown as machines have it. */
  toUnicode: (host: string): string => host,
};
