import { useEffect, useState } from 'react';
import { isJsonObject } from '../../../../lib/json/json-object.ts';
import { messageOf } from '../../../../lib/message-of.ts';
import type { Api } from '../../connection/api.ts';
import { ApiError, readProblem } from '../../connection/api-error.ts';
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
    let isOver = false;
    void begin(api, id, kind).then((begun) => isOver || setEditing(begun));
    return () => {
      isOver = true;
      // Whoever comes back tries it again.
      setEditing((before) => (typeof before === 'string' ? undefined : before));
    };
  }, [api, id, kind, isWanted]);
  const setCall = (call: EditedCall) =>
    setEditing((before) => (typeof before === 'object' ? { ...before, call } : before));
  return [editing, setCall];
}

/** Begins to change a call, or says why it cannot be changed. */
async function begin(api: Api, id: string, kind: string | undefined): Promise<Editing | string> {
  const loading = import('./edit-parts.ts').catch(() => undefined);
  try {
    const { edit, args } = await api.reveal(id);
    const loaded = await loading;
    if (!edit || !isJsonObject(args)) return 'The log has only a part of this call: nobody can change it';
    return loaded ? { call: loaded.beginEdit(kind, args), parts: loaded } : NOT_LOADED;
  } catch (error) {
    return error instanceof ApiError ? readProblem(error) : `It cannot be changed here: ${messageOf(error)}`;
  }
}

const NOT_LOADED =
  'The fields to change it cannot be loaded: the server does not answer, or is of another version. Load the page again';
