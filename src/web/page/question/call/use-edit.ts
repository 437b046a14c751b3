import { useEffect, useState } from 'react';
import { inOneLine } from '../../../../errors.ts';
import { isJsonObject } from '../../../../lib/json/json-object.ts';
import { ApiError } from '../../connection/api.ts';
import { useSession } from '../../context.ts';
import { beginEdit, type EditedCall } from './edited-call.ts';

/**
 * A call that a human changes, from when they begin: what they have written stays when they go back. `undefined`: it is being read;
 * a text says why it cannot be changed.
 */
export function useEdit(
  id: string,
  { kind, isOn }: { readonly kind: string | undefined; readonly isOn: boolean },
): readonly [EditedCall | string | undefined, (call: EditedCall) => void] {
  const { api } = useSession();
  const [edited, setEdited] = useState<EditedCall | string>();
  const isWanted = isOn && typeof edited !== 'object';
  useEffect(() => {
    if (!isWanted) return;
    api.reveal(id).then(
      ({ edit, args }) =>
        setEdited(
          edit && isJsonObject(args)
            ? beginEdit(kind, args)
            : 'The log has only a part of this call: nobody can change it',
        ),
      (error: unknown) => setEdited(error instanceof ApiError ? inOneLine(error) : String(error)),
    );
  }, [api, id, kind, isWanted]);
  return [edited, setEdited];
}
