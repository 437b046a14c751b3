import { stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CliffordError } from '../../../src/errors.ts';
import { userMemory } from '../../../src/workflow/project/user-memory.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const unreadable = (file: string, reason: string) => new Error(`unread ${file}: ${reason}`);
const unwritable = (reason: string, cause?: unknown) => new Error(`unwritten: ${reason}`, { cause });
const parts = { name: 'seen.json', schema: z.array(z.string()), unreadable };

const strict = userMemory({ ...parts, unwritable });
const lax = userMemory(parts);

describe('what is remembered for a user', () => {
  it('is of each project, whoever writes at once', async () => {
    const env = { XDG_STATE_HOME: await tempRoot() };
    const add = (root: string, word: string) => strict.change(env, root, (all = []) => [...all, word]);
    await Promise.all([add('/a', '1'), add('/b', '2'), add('/a', '3')]);
    expect((await strict.read(env, '/a'))?.toSorted()).toEqual(['1', '3']);
    expect(await strict.read(env, '/b')).toEqual(['2']);
    expect(await strict.read(env, '/c')).toBeUndefined();
    expect((await stat(strict.fileOf(env) ?? '')).mode & 0o777).toBe(0o600);
  });

  it('stays as it is when what is to be remembered cannot be said', async () => {
    const env = { XDG_STATE_HOME: await tempRoot() };
    await strict.change(env, '/a', () => ['1']);
    const refused = new CliffordError('Cannot: no', { code: 'NO', fix: 'Nothing' });
    const change = strict.change(env, '/a', () => {
      throw refused;
    });
    await expect(change).rejects.toBe(refused);
    expect(await strict.read(env, '/a')).toEqual(['1']);
  });

  it('is nothing without a state folder; who has to keep it is told so', async () => {
    expect(await strict.read({}, '/a')).toBeUndefined();
    await expect(strict.change({}, '/a', () => [])).rejects.toThrow(
      'unwritten: neither HOME nor XDG_STATE_HOME is set',
    );
    await expect(lax.change({}, '/a', () => [])).resolves.toBeUndefined();
  });

  it('says what the system says, and of which file', async () => {
    const loop = join(await tempRoot(), 'loop');
    await symlink('loop', loop);
    const env = { XDG_STATE_HOME: loop };
    const file = join(loop, 'clifford/seen.json');
    await expect(strict.read(env, '/a')).rejects.toThrow(`unread ${file}: the system says ELOOP`);
    await expect(strict.change(env, '/a', () => [])).rejects.toThrow(
      `unwritten: the system says ELOOP of ${file}`,
    );
    await expect(lax.change(env, '/a', () => [])).rejects.toMatchObject({ code: 'ELOOP' });
  });
});
