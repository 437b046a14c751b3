import type { Approval } from '../../events/approval.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { shownJson } from '../../lib/json/shown-json.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { Fields } from '../../events/call-files/field-names.ts';
import { commandField } from '../../events/call-fields.ts';

type Editable = Pick<Approval, 'args'> & Partial<Pick<Approval, 'tool' | 'isOwn'>>;

/** What a person edits of a call: its command, or all of its arguments as JSON. */
export type EditText = { readonly is: 'command' | 'arguments'; readonly text: string };

/** What a text makes of a call; or what is wrong with it, as the end of a sentence. */
export type Edited = { readonly args: Fields } | { readonly problem: string };

/**
 * The text that a person begins with who edits a call. A command with characters that nobody would see is edited as JSON,
 * where they stand written out.
 */
export function editText(approval: Editable): EditText {
  const { args } = approval;
  const command = commandOf(approval)?.command;
  if (command !== undefined && command.split('\n').every((line) => escapeAgentLine(line) === line))
    return { is: 'command', text: command };
  return { is: 'arguments', text: shownJson(args) };
}

/** The call that a person has made of {@link editText}. */
export function editedBy(approval: Editable, is: EditText['is'], text: string): Edited {
  return is === 'command' ? withCommand(approval, text) : withArguments(text);
}

/** The same arguments with another command. */
export function withCommand(approval: Editable, command: string): Edited {
  const field = commandOf(approval);
  if (!field) return { problem: 'none of its arguments is a command by itself' };
  if (command.trim() === '') return { problem: 'the command is empty' };
  return { args: { ...field.input, [field.name]: command } };
}

/** Other arguments, as JSON. */
export function withArguments(text: string): Edited {
  const value = jsonValue(text);
  return isJsonObject(value) ? { args: value } : { problem: 'its arguments have to be one JSON object' };
}

function commandOf({ args, tool, isOwn }: Editable): ReturnType<typeof commandField> {
  return commandField(isOwn === true ? tool : undefined, args);
}
