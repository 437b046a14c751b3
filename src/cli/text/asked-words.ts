import { visible } from '../../lib/text/visible.ts';
import type { RequestView } from '../../views/requests/describe-request.ts';
import { plainMarkdownLines } from '../../views/text/plain-markdown.ts';

/** A question as it reads, without the marks of its markdown. What a program prints is none: each of its characters counts. */
export function askedWords({ kind, question }: Pick<RequestView, 'kind' | 'question'>): string {
  if (kind === 'prompt') return question;
  // One of nothing but marks is better shown with them than not at all.
  return plainMarkdownLines(visible(question)) || question;
}
