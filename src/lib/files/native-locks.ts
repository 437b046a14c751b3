import { createRequire } from 'node:module';
import type * as locks from 'fs-native-extensions';
import { once } from '../once.ts';

/**
 * The kernel's locks. Finding the native build takes a third as long as a bare Node, and many commands take no lock: it
 * is loaded with the first one.
 */
export const nativeLocks = once(() => createRequire(import.meta.url)('fs-native-extensions') as typeof locks);
