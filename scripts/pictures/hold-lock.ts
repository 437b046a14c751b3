// Holds the lock on a file until it is ended, as a runner does: `node scripts/pictures/hold-lock.ts <file>`. Says so when it has it.
import { tryHold } from '../../src/lib/files/kernel-lock.ts';

const [path = ''] = process.argv.slice(2);
if (!tryHold(path)) throw new Error(`Cannot hold ${path}: another process has it`);
console.log('held');
process.stdin.resume();
