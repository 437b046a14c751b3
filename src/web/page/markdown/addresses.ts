/** Stands in for `mdurl` and `punycode.js`: what an address leads to is what this browser makes of it. */
type Address = { readonly href: string };

/** An address as this browser would go there: hosts as machines call them, all else in ASCII. */
export function parse(address: string): Address {
  if (!URL.canParse(address)) return { href: encode(address) };
  const { href } = new URL(address);
  // Nobody wrote the slash that stands for no path.
  return { href: href === `${address}/` ? address : href };
}

/** Its text again. */
export function format({ href }: Address): string {
  return href;
}

/** In ASCII; what is so already stays as it is. */
export function encode(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll(/%25([\da-f]{2})/gi, '%$1');
}

/** It is shown as it leads there: what only looks like another name does not. */
export const decode = Object.assign(String, { defaultChars: '' });

// No host is taken for itself: `parse` has named it as machines do.
// oxlint-disable-next-line import/no-default-export -- so its reader imports it
export default {};
