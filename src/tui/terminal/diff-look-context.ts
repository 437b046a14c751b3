import { createContext } from 'react';
import type { DiffLook } from './diff-look.ts';

/** How lines of differences stand out on the terminal that is drawn on. Default: by the colour of their words. */
export const DiffLookContext = createContext<DiffLook>('words');
