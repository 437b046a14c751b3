// A scripted model to try an agent's command line by hand:
//   npx node test/agents/model/cli.ts script.json [port]
// script.json is a list of turns, or an object of lists by a text of the first prompt; see src/runner/scripted-model/script.ts.
// Prints its address, then a line of JSON per request, with the tools offered and the results the model got.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { startModelServer } from '../../../src/runner/scripted-model/model-server.ts';
import type { Script, Scripts, ScriptedTurn } from '../../../src/runner/scripted-model/script.ts';

const [file, port = '0'] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: cli.ts script.json [port]');

const turns = z.array(z.custom<ScriptedTurn>((turn) => typeof turn === 'object'));
const scriptSchema = z.union([turns, z.record(z.string(), turns)]);
const script: Script | Scripts = scriptSchema.parse(JSON.parse(await readFile(file, 'utf8')));

const server = await startModelServer({
  script,
  port: Number(port),
  onExchange: ({ path, answered, conversation: { step, tools, results } = {} }) =>
    console.log(JSON.stringify({ path, answered, step, tools, results })),
});
console.log(server.url);
