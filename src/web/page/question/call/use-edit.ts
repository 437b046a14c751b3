import { useEffect, useState } from 'react';
import { inOneLine } from '../../../../errors.ts';
import { isJsonObject } from '../../../../lib/json/json-object.ts';
import { ApiError } from '../../connection/api.ts';
import { useSession } from '../../context.ts';
import type { EditedCall } from './edited-call.ts';
import type * as parts from './edit-parts.ts';

/** A call that a human changes, and what it is changed with. */
export type Editing = { readonly call: EditedCall; readonly parts: typeof parts };

/**
 * A call that a human changes, from when they begin: what they have written stays when they go back. `undefined`: it is being read;
 * a text says why it cannot be changed.
 */
export function useEdit(
  id: string,
  { kind, isOn }: { readonly kind: string | undefined; readonly isOn: boolean },
): readonly [Editing | string | undefined, (call: EditedCall) => void] {
  const { api } = useSession();
  const [editing, setEditing] = useState<Editing | string>();
  const isWanted = isOn && typeof editing !== 'object';
  useEffect(() => {
    if (!isWanted) return;
    let isLate = false;
    const end = (read: Editing | string) => isLate || setEditing(read);
    Promise.all([api.reveal(id), import('./edit-parts.ts')]).then(
      ([{ edit, args }, loaded]) =>
        end(
          edit && isJsonObject(args)
            ? { call: loaded.beginEdit(kind, args), parts: loaded }
            : 'The log has only a part of this call: nobody can change it',
        ),
      (error: unknown) =>
        end(
          error instanceof ApiError
            ? inOneLine(error)
            : 'It cannot be changed here: the server does not answer, or is of another version',
        ),
    );
    return () => {
      isLate = true;
    };
  }, [api, id, kind, isWanted]);
  const setCall = (call: EditedCall) =>
    setEditing((before) => (typeof before === 'object' ? { ...before, call } : before));
  return [editing, setCall];
}
