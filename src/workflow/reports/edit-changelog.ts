import type { ChangelogBlock } from './changelog-block.ts';
import { endsBlank } from './markdown-structure.ts';
import { scanChangelog } from './scan-changelog.ts';

const HEAD = [
  '# Changelog',
  '',
  'All notable changes to this project will be documented in this file.',
  '',
  'The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).',
  '',
];
const UNRELEASED = ['## [Unreleased]', ''];

/** The byte order mark of UTF-8, read as Latin-1. */
const MARK = '\u00EF\u00BB\u00BF';

/**
 * A changelog with a sprint's block in it: in place of the one it has, else at the end of the section
 * `Unreleased`, which is made below the file's head if there is none. Everything else stays byte for
 * byte. Returns the same bytes when the block is there as it should be.
 */
export function editChangelog(before: Buffer, stream: string, block: ChangelogBlock): Buffer {
  // Latin-1 has a character for every byte: also what is no UTF-8 comes out as it went in.
  const text = before.toString('latin1');
  const start = text.startsWith(MARK) ? MARK.length : 0;
  const firstBreak = text.indexOf('\n');
  const eol = firstBreak > 0 && text[firstBreak - 1] === '\r' ? '\r\n' : '\n';
  const join = (lines: readonly string[]) => Buffer.from(lines.join(eol)).toString('latin1');

  if (text.slice(start).trim() === '') {
    return toBytes(text.slice(0, start), join([...HEAD, ...UNRELEASED, ...block.lines, '']));
  }
  const plan = scanChangelog(text, start, stream);
  if (plan.block) {
    if (plan.block.digest === block.digest) return before;
    return toBytes(text.slice(0, plan.block.from), join(block.lines), text.slice(plan.block.to));
  }
  const above = text.slice(0, plan.insertAt);
  const below = text.slice(plan.insertAt);
  const lines = plan.hasUnreleased ? block.lines : [...UNRELEASED, ...block.lines];
  return toBytes(above, gapAfter(above.slice(start), eol), join(lines), gapBefore(below, eol), below);
}

/** What makes a blank line follow this text. */
function gapAfter(above: string, eol: string): string {
  if (above === '' || endsBlank(above, 0, above.length)) return '';
  return above.endsWith('\n') ? eol : eol + eol;
}

/** What ends the block's last line, and makes a blank line come before this text. */
function gapBefore(below: string, eol: string): string {
  const [line = ''] = below.slice(0, 1_024).split('\n', 1);
  return below === '' || line.trim() === '' ? eol : eol + eol;
}

function toBytes(...parts: readonly string[]): Buffer {
  return Buffer.from(parts.join(''), 'latin1');
}
