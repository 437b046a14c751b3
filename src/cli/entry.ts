#!/usr/bin/env node
import module from 'node:module';
import { nodeTooOld } from '../require-node.ts';
import { version } from '../version.ts';

// Old Nodes load this file too: what it imports statically must parse and run there.
const problem = nodeTooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.write(`${version}\n`);
} else {
  module.enableCompileCache?.();
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
