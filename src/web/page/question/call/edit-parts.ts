/** What a call is changed with, which few do: it is loaded when the first does. */
export { EditFields, FieldsButton } from './edit-fields.tsx';
export { beginEdit, editOf, editedChanges, editedUnclear, shownPath } from './edited-call.ts';
