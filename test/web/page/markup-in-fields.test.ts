import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ownTools } from '../../../src/mcp/tools/own-tools.ts';
import { dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { connectAgent } from '../../mcp/support/connect-agent.ts';
import { untilAsked } from '../../mcp/support/project-log.ts';
import { ben, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What would be elements and a dialog, were it no text; it says where it stands. */
const markup = (where: string) => `<b>${where}</b><img src=x onerror=alert(1)><script>alert(1)</script>`;

/** Names of things that are there: words of an agent's own would be refused. */
const known: Readonly<Record<string, string>> = {
  sprintDir: 'sprints/demo',
  sprintId: 'demo',
  taskId: 'a',
};

/** What stands in files of the project alone: the page does not show it. */
const unseen = ['report_uat changes', 'report_uat verificationSteps'];

/** What an agent says with a tool, with markup wherever the tool takes a text: each of these is added to `said`. */
function filled(schema: Schema, where: string, said: string[]): unknown {
  const { type, enum: allowed, properties, items, minItems } = schema;
  if (Array.isArray(allowed)) return allowed.at(-1);
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(asSchemas(properties)).flatMap(([name, each]) => {
        if (name === 'requestId') return [];
        return [[name, known[name] ?? filled(each, `${where} ${name}`, said)]];
      }),
    );
  if (type === 'array')
    return Array.from({ length: Math.max(2, Number(minItems ?? 0)) }, (_, at) =>
      filled(items as Schema, `${where} ${at}`, said),
    );
  // One option at most may be recommended.
  if (type === 'boolean') return where.endsWith('0 recommended') || where.endsWith('ownWords');
  if (type !== 'string')
    throw new Error(`${where} takes what this test does not know: ${JSON.stringify(schema)}`);
  said.push(where);
  return markup(where);
}

function asSchemas(properties: unknown): Readonly<Record<string, Schema>> {
  return z.record(z.string(), z.record(z.string(), z.unknown())).parse(properties);
}

/** All that an agent can say with its tools, each of which is called once, or twice where its fields exclude each other. */
const calls = ownTools
  .flatMap(({ name, listing }) => {
    const schema = listing().inputSchema as Schema;
    const without = (...names: readonly string[]) => {
      const left = Object.entries(asSchemas(schema['properties'])).filter(([each]) => !names.includes(each));
      return { ...schema, properties: Object.fromEntries(left) };
    };
    const isForm = 'questions' in asSchemas(schema['properties']);
    return (isForm ? [without('questions'), without('options', 'multiple')] : [schema]).map((each, at) => ({
      name,
      where: at === 0 ? name : 'a form',
      schema: each,
    }));
  })
  .map(({ name, where, schema }) => {
    const said: string[] = [];
    return { name, where, said, args: filled(schema, where, said) as Record<string, unknown> };
  });

describe.skipIf(chromiumPath === undefined)('markup in what agents can say', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('is filled into every text that the tools take', () => {
    expect(calls.flatMap(({ said }) => said).length).toBeGreaterThan(25);
  });

  it.each(calls.map((call) => [call.where, call] as const))(
    'is text, and nothing is made of it: %s',
    async (_, { name, args, said }) => {
      const { root, project } = await projectWithSprint();
      const agent = await connectAgent(root);
      const { page, complaints } = await openServed(browser, await servePage(project), {
        place: 's=demo&view=events',
      });
      await page.getByText('Demo').first().waitFor();
      const made: string[] = [];
      page.on('dialog', (dialog) => {
        made.push(dialog.message());
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (request.url().endsWith('/x')) made.push(request.url());
      });
      if (name === 'update_task_status')
        await agent.call(name, { ...args, status: 'active', summary: undefined });
      const result = agent.call(name, args);
      const seen = new Set<string>();
      const look = async () => {
        const text = await page.locator('body').innerText();
        for (const where of said) if (text.includes(`<b>${where}`)) seen.add(where);
        made.push(
          ...(await page
            .locator('body')
            .locator('b, script, iframe, img:not([src="./icon.svg"])')
            .allInnerTexts()),
        );
      };
      if (['request_help', 'ask_clarification'].includes(name)) {
        const { id, stream } = await untilAsked(project);
        await page.evaluate(`location.hash = 's=${stream}&q=${id}'`);
        const dialog = dialogOn(page);
        await dialog.waitFor();
        await look();
        for (const preview of await dialog.getByText('How it would look').all()) await preview.click();
        await look();
        await dismissRequest(project, id, ben);
      }
      await result;
      const toCome = said.filter((where) => !unseen.some((each) => where.includes(each)));
      await expect
        .poll(async () => {
          await look();
          return toCome.filter((where) => !seen.has(where));
        })
        .toEqual([]);
      expect([...made, ...complaints]).toEqual([]);
    },
  );
});
