import { filesInCall, type FilesInCall } from '../../../../events/call-files/files-in-call.ts';
import { isJsonObject } from '../../../../lib/json/json-object.ts';
import { jsonValue } from '../../../../lib/json/json-value.ts';
import { shownJson } from '../../../../lib/json/shown-json.ts';
import { callChanges, changedPaths } from '../../../../views/calls/call-changes.ts';
import type { ChangedLine } from '../../../../views/changes/compare-lines.ts';
import { unclearFiles, unclearText } from '../../../../views/calls/unclear-files.ts';
import { editedTexts, withEditedText, type EditedText } from '../../../../views/calls/edited-texts.ts';
import type { FileNow, FilesNow } from '../../../../workflow/requests/files-now.ts';
import type { SentChange } from '../../../api/question.ts';

type Args = Readonly<Record<string, unknown>>;

/** A call that a human changes. */
export type EditedCall = {
  /** As it was asked about, and what it says of files. */
  readonly asked: Args;
  readonly askedFiles: FilesInCall;
  /** As it is now; `undefined`: what was written is no JSON object yet. */
  readonly args: Args | undefined;
  /** The texts of it that can be changed by themselves, as they are now; `undefined`: all of its arguments are changed, as JSON. */
  readonly texts: readonly EditedText[] | undefined;
  /** All of its arguments, as they are written. */
  readonly json: string;
};

/**
 * Begins to change a call: its new texts alone, where there are any.
 *
 * @param kind - Of a call of an agent's own tool.
 */
export function beginEdit(kind: string | undefined, asked: Args): EditedCall {
  const call = {
    asked,
    askedFiles: filesInCall(asked),
    args: asked,
    texts: undefined,
    json: shownJson(asked),
  };
  return withTexts(kind, call);
}

/** The call with other words at one of its texts. */
export function withText(call: EditedCall, at: number, text: string): EditedCall {
  const { args, texts } = call;
  const changed = texts?.[at];
  if (!args || !changed) return call;
  const now = withEditedText(args, changed, text);
  return { ...call, args: now, texts: texts.with(at, { ...changed, text }), json: shownJson(now) };
}

/** The call with other arguments, as they are written. */
export function withJson(call: EditedCall, json: string): EditedCall {
  const value = jsonValue(json);
  return { ...call, args: isJsonObject(value) ? value : undefined, json };
}

/** Its texts alone are changed again; the same call where there are none by themselves. */
export function withTexts(kind: string | undefined, call: EditedCall): EditedCall {
  const texts = editedTexts(kind, call.args);
  return texts.length === 0 ? call : { ...call, texts };
}

/** What is allowed in the place of what was asked about; `undefined`: it is none yet, or the same call. */
export function editOf({ asked, args, texts }: EditedCall): { readonly args: Args } | undefined {
  const isEmptyCommand = texts?.some(({ path, text }) => path === undefined && text.trim() === '');
  if (args === undefined || isEmptyCommand || JSON.stringify(args) === JSON.stringify(asked))
    return undefined;
  return { args };
}

/**
 * What the call would make of files as it is now.
 *
 * @param shown - The same as it was asked about, compared with the files.
 */
export function editedChanges(
  { askedFiles, args }: EditedCall,
  shown: readonly SentChange[],
): readonly SentChange[] {
  if (args === undefined) return shown;
  const files = filesOf(askedFiles, shown);
  const [before, now] = [callChanges(askedFiles, files), callChanges(filesInCall(args), files)];
  // Where links lead of what is only named is known of the files alone.
  const named = shown.filter(({ how }) => how === 'name');
  const others = shown.filter(({ how }) => how !== 'name');
  const isAlike = before.length === now.length && before.length === others.length;
  const changes = now.map(({ path, how, lines, places, over, texts }, at): SentChange => {
    const was = isAlike && before[at]?.path === path && before[at].how === how ? others[at] : undefined;
    if (!was) return { path, how, lines, places };
    if (JSON.stringify(before[at]?.texts) === JSON.stringify(texts)) return was;
    return { ...was, lines, places, ...(over === undefined ? {} : { over }) };
  });
  return [...changes, ...named];
}

/**
 * What nobody can say of what the call does to files as it is now, as a sentence.
 *
 * @param kind - Of a call of an agent's own tool.
 * @param shown - The same of the call as it was asked about, with its files as they are shown.
 */
export function editedUnclear(
  kind: string | undefined,
  { asked, askedFiles, args }: EditedCall,
  shown: string | undefined,
): string | undefined {
  if (kind === undefined) return shown;
  const before = unclearFiles({ isOwn: true, tool: kind, args: asked }, askedFiles);
  const now = args ? unclearFiles({ isOwn: true, tool: kind, args }, filesInCall(args)) : before;
  if (JSON.stringify(now) === JSON.stringify(before)) return shown;
  return now && unclearText(now);
}

/** A file as it is shown, by the path that the call has for it. */
export function shownPath({ askedFiles }: EditedCall, shown: readonly SentChange[], path: string): string {
  const before = callChanges(askedFiles, filesOf(askedFiles, shown));
  const others = shown.filter(({ how }) => how !== 'name');
  const at = before.length === others.length ? before.findIndex((change) => change.path === path) : -1;
  return others[at]?.path ?? path;
}

/** What stands in the files that the call writes over, as far as that is shown, by the paths that it has for them. */
function filesOf(askedFiles: FilesInCall, shown: readonly SentChange[]): FilesNow {
  const empty = new Map(changedPaths(askedFiles).map((path) => [path, { is: 'text', text: '' } as const]));
  const written = callChanges(askedFiles, empty);
  return new Map(
    changedPaths(askedFiles).flatMap((path) => {
      // Files of the project are shown by their paths in it.
      const isIt = (change: SentChange) => path === change.path || path.endsWith(`/${change.path}`);
      const text =
        written.find((change) => change.how === 'write' && change.path === path)?.texts.at(-1) ?? '';
      const file = fileOf(
        shown.find((change) => change.how === 'write' && isIt(change)),
        text,
      );
      return file ? [[path, file] as const] : [];
    }),
  );
}

/** @param now - The text that the file is to have. */
function fileOf({ over, lines = [] }: Partial<SentChange> = {}, now = ''): FileNow | undefined {
  switch (over?.is) {
    case 'text':
      return { is: 'text', text: textBefore(lines, now) };
    case 'none':
      return over;
    case 'uncompared':
      return { is: 'unread', why: over.why };
    case undefined:
      return undefined;
  }
}

/** The text that these lines have come from. The end of the last line of both is left out where both have it. */
function textBefore(lines: readonly ChangedLine[], now: string): string {
  const sideOf = (other: ChangedLine['is']) => lines.flatMap(({ is, text }) => (is === other ? [] : [text]));
  const isLeftOut = now === '' || (now.endsWith('\n') && sideOf('removed').length < now.split('\n').length);
  const before = sideOf('added');
  return before.length === 0 ? '' : `${before.join('\n')}${isLeftOut ? '\n' : ''}`;
}
