import module from 'node:module';
import { nodeTooOld } from '../require-node.ts';

// Old Nodes load this file too: what it imports statically must parse and run there.
const problem = nodeTooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  module.enableCompileCache?.();
  const { serveMcp } = await import('./serve-mcp.ts');
  try {
    await serveMcp();
  } catch (error) {
    // Known errors say what to do; anything else is a bug and keeps its stack.
    if (!(error instanceof Error && 'inOneLine' in error && typeof error.inOneLine === 'string')) throw error;
    const { showHidden } = await import('../lib/text/hidden-characters.ts');
    process.stderr.write(`${showHidden(error.inOneLine)}\n`);
    process.exitCode = 2;
  }
  // The client has left, and a wait for a locked log must not outlive it.
  process.exit();
}
