import { createContext, use } from 'react';
import type { Session } from './connection/session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session that the page is drawn for. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('A part of the page was drawn outside of it');
  return session;
}
