import type { Asked } from '../../machines/project-state.ts';
import { clip, clipMiddle } from '../../lib/text/clip.ts';
import { visible, visibleLine } from '../../lib/text/visible.ts';
import { callLine } from '../calls/call-title.ts';
import { plainMarkdown } from '../text/plain-markdown.ts';

/** So much of a request stands in lists, in UTF-16 units. */
const TITLE_LENGTH = 300;
/** So much of a question is taken apart for it: links are longer than they read. */
const MOST_CHARACTERS = 1_000;

/** By the folder from which files are named, of which there are a few. They do not change: taking a long edit apart for every list that shows it would be felt. */
const ofCalls = new WeakMap<object, Map<string | undefined, string>>();

/**
 * What a request is called in lists, on one line, safe to print: of a call what it does, from both of its ends where it is
 * long; a question as it reads, without the marks of its markdown.
 *
 * @param asked.folder - Where its agent works: files are named from there. Default: as they were named.
 */
export function requestTitle({
  kind,
  question,
  approval,
  folder,
}: Pick<Asked, 'kind' | 'question' | 'approval'> & { readonly folder?: string | undefined }): string {
  if (approval) {
    const titles = ofCalls.get(approval) ?? new Map<string | undefined, string>();
    ofCalls.set(approval, titles);
    const title = titles.get(folder) ?? clipMiddle(callLine(approval, { folder }), TITLE_LENGTH);
    titles.set(folder, title);
    return title;
  }
  const said = question.trim().slice(0, MOST_CHARACTERS);
  // What a program prints is no markdown: each of its characters counts. Nor is what was kept of a call.
  const title = kind === 'prompt' || kind === 'approval' ? said : wordsIn(visible(said));
  return clip(visibleLine(title), TITLE_LENGTH);
}

/** What is not code of several lines; all of it, where nothing else is said. */
function wordsIn(markdown: string): string {
  const words = plainMarkdown(markdown, { hasBlocks: false });
  return words.replaceAll(/[…\s]/g, '') === '' ? plainMarkdown(markdown) : words;
}
