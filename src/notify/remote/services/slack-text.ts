/** Text of others for where Slack reads markup: it makes no link and mentions nobody. */
export function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What it makes of addresses: `<https://a.example|a.example>`. What is mentioned (`<@U1>`, `<#C1|name>`) is no such thing. */
const LINK = /<(?:mailto:([^<>|]*)|([a-z][a-z0-9+.-]*:[^<>|]*))(?:\|([^<>]*))?>/gi;

/** Whether the label is the address, as people write it. */
function isAddressTyped(label: string, address: string): boolean {
  const bare = (text: string) => text.replace(/^(?:[a-z][a-z0-9+.-]*:\/\/|tel:)/i, '').replace(/\/$/, '');
  return bare(label) === bare(address);
}

/** What Slack escapes, and makes links of, in what people write, as they wrote it. */
export function unescapedFromSlack(text: string): string {
  const typed = text.replaceAll(LINK, (_all, mail?: string, url?: string, label?: string) => {
    const address = mail ?? url ?? '';
    if (label === undefined || label === '') return address;
    // What somebody has laid a link on says something of its own.
    return isAddressTyped(label, address) ? label : `${label} (${address})`;
  });
  return typed.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Nothing that a message names is looked at for a preview. */
export const quietInSlack = { unfurl_links: false, unfurl_media: false };
