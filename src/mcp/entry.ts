import module from 'node:module';
import { nodeTooOld } from '../require-node.ts';

// Old Nodes load this file too: what it imports statically must parse and run there.
const problem = nodeTooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  module.enableCompileCache?.();
  const { serve } = await import('./serve.ts');
  await serve();
}
