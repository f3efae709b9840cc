import { updateOwnPicture, updateOwnProfile } from '@stagedoor/contract/profiles.ts';
import { presetOf } from '@stagedoor/contract/theme-presets.ts';
import { arrangement, getOwnTheme, publishTheme } from '@stagedoor/contract/themes.ts';
import * as z from 'zod/mini';
import { createAccount, type NewAccount } from '../features/accounts/index.ts';
import { codeOf } from '../features/affiliates/index.ts';
import { importPicture } from '../features/media/index.ts';
import { joinedAt } from './history.ts';
import type { Past } from './past.ts';
import { POSTS } from './posts.ts';
import { BROUGHT_BY, type DemoCreator, emailOf } from './world.ts';

/** Uses all processors of a machine. */
const AT_ONCE = 2;

export type Stage = {
  past: Past;
  /** Time of the first start. */
  epoch: Date;
  passwordHash: string;
  readArt: (name: string) => Promise<Buffer>;
  tick: () => void;
  ids: Map<string, string>;
};

export async function join(
  { past, ids, passwordHash }: Stage,
  account: Pick<NewAccount, 'type' | 'username' | 'name' | 'roles'>,
): Promise<void> {
  const { db } = past.ctx;
  const known = await db.query
    .selectFrom('users')
    .select('id')
    .where('username', '=', account.username)
    .executeTakeFirst();
  const affiliate = BROUGHT_BY[account.username];
  const whole: NewAccount = {
    ...account,
    passwordHash,
    email: emailOf(account.username),
    isEmailVerified: true,
    hasConsented: true,
    ...(affiliate && { referralCode: await codeOf(past.ctx, db, ids.get(affiliate) ?? '') }),
  };
  ids.set(account.username, known?.id ?? (await db.transaction((tx) => createAccount(past.ctx, tx, whole))));
  // The referral must be recorded before the user acts.
  if (whole.referralCode !== undefined) await past.settle();
}

export function pictureForm(field: string, name: string, file: Buffer): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(file)], { type: 'image/webp' }), `${name}.webp`);
  return form;
}

async function takeTheme(past: Past, { username, profile, theme: key }: DemoCreator): Promise<void> {
  const preset = key === undefined ? undefined : presetOf(key);
  if (!preset) return;
  const { revision } = await past.call(getOwnTheme, { as: username });
  const theme = { ...preset.theme, ...z.parse(arrangement, profile) };
  if (revision === 0) await past.call(publishTheme, { as: username, body: { revision, theme } });
}

export async function openStudio(stage: Stage, creator: DemoCreator): Promise<void> {
  const { past, readArt, tick } = stage;
  const { username, profile, key } = creator;
  past.moveTo(joinedAt(creator, stage.epoch));
  await join(stage, { type: 'creator', username, name: profile.name });
  await past.logIn(username);
  await past.call(updateOwnProfile, { as: username, body: profile });
  await takeTheme(past, creator);
  const made = await past.ctx.db.query
    .selectFrom('users')
    .innerJoin('creators', 'creators.user_id', 'users.id')
    .select(['avatar_key', 'cover_key'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  for (const [which, art, known] of [
    ['avatar', `${key}-p`, made.avatar_key],
    ['cover', `${key}-cover`, made.cover_key],
  ] as const) {
    if (known === null) {
      await past.call(updateOwnPicture, {
        as: username,
        params: { which },
        form: pictureForm('file', art, await readArt(art)),
      });
    }
    tick();
  }
}

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const line = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of line) await work(item);
    }),
  );
}

export async function hang(
  { past, ids, readArt, tick }: Stage,
  creators: readonly DemoCreator[],
): Promise<Map<string, string>> {
  const rows = await past.ctx.db.query
    .selectFrom('media')
    .select(['id', 'file_name'])
    .where('status', '=', 'ready')
    .execute();
  const pictures = new Map(rows.map((row) => [row.file_name, row.id]));
  const wanted = POSTS.flatMap(({ creator, pictures }) => {
    const owner = creators.find(({ key }) => key === creator);
    return owner ? pictures.map(({ file }) => ({ file, ownerId: ids.get(owner.username) ?? '' })) : [];
  });
  await forEach(wanted, async ({ file, ownerId }) => {
    const name = `${file}.webp`;
    if (!pictures.has(name)) pictures.set(name, await importPicture(past.ctx, ownerId, await readArt(file), name));
    tick();
  });
  return pictures;
}
