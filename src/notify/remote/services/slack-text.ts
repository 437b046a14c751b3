/** Text of others for where Slack reads markup: it makes no link and mentions nobody. */
export function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What Slack escapes in what people write, as they wrote it. */
export function unescapedFromSlack(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Nothing that a message names is looked at for a preview. */
export const quietInSlack = { unfurl_links: false, unfurl_media: false };
