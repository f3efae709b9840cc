import { updateOwnProfile, uploadProfilePicture } from '@stagedoor/contract/content/profiles.ts';
import { findThemePreset } from '@stagedoor/contract/content/theme-presets.ts';
import { arrangement, getOwnTheme, publishTheme } from '@stagedoor/contract/content/themes.ts';
import * as z from 'zod/mini';
import { importPicture } from '../modules/content/media/index.ts';
import { getOrCreateCode } from '../modules/finance/affiliates/index.ts';
import { createAccount, type NewAccount } from '../modules/identity/accounts/index.ts';
import type { DemoContext } from './demo-context.ts';
import { getJoinTime } from './history.ts';
import type { PastApp } from './past-app.ts';
import { POSTS } from './posts.ts';
import { type DemoCreator, REFERRED_BY, toEmail } from './world.ts';

/** Uses all processors of a machine. */
const AT_ONCE = 2;

export async function createUser(
  { pastApp, ids, passwordHash }: DemoContext,
  account: Pick<NewAccount, 'type' | 'username' | 'name' | 'roles'>,
): Promise<void> {
  const { db } = pastApp.ctx;
  const existing = await db.query
    .selectFrom('users')
    .select('id')
    .where('username', '=', account.username)
    .executeTakeFirst();
  const affiliate = REFERRED_BY[account.username];
  const newAccount: NewAccount = {
    ...account,
    passwordHash,
    email: toEmail(account.username),
    isEmailVerified: true,
    hasConsented: true,
    ...(affiliate && { referralCode: await getOrCreateCode(pastApp.ctx, db, ids.get(affiliate) ?? '') }),
  };
  ids.set(account.username, existing?.id ?? (await db.transaction((tx) => createAccount(pastApp.ctx, tx, newAccount))));
  // The referral must be recorded before the user acts.
  if (newAccount.referralCode !== undefined) await pastApp.waitUntilIdle();
}

export function createPictureForm(field: string, name: string, file: Buffer): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(file)], { type: 'image/webp' }), `${name}.webp`);
  return form;
}

async function publishPreset(pastApp: PastApp, { username, profile, theme: key }: DemoCreator): Promise<void> {
  const preset = key === undefined ? undefined : findThemePreset(key);
  if (!preset) return;
  const { revision } = await pastApp.call(getOwnTheme, { as: username });
  const theme = { ...preset.theme, ...z.parse(arrangement, profile) };
  if (revision === 0) await pastApp.call(publishTheme, { as: username, body: { revision, theme } });
}

export async function createCreator(context: DemoContext, creator: DemoCreator): Promise<void> {
  const { pastApp, readArt, printProgress } = context;
  const { username, profile, key } = creator;
  pastApp.moveTo(getJoinTime(creator, context.epoch));
  await createUser(context, { type: 'creator', username, name: profile.name });
  await pastApp.logIn(username);
  await pastApp.call(updateOwnProfile, { as: username, body: profile });
  await publishPreset(pastApp, creator);
  const pictures = await pastApp.ctx.db.query
    .selectFrom('users')
    .innerJoin('creators', 'creators.user_id', 'users.id')
    .select(['avatar_key', 'cover_key'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  for (const [pictureKind, art, existing] of [
    ['avatar', `${key}-p`, pictures.avatar_key],
    ['cover', `${key}-cover`, pictures.cover_key],
  ] as const) {
    if (existing === null) {
      await pastApp.call(uploadProfilePicture, {
        as: username,
        params: { pictureKind },
        form: createPictureForm('file', art, await readArt(art)),
      });
    }
    printProgress();
  }
}

async function runForEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

export async function importPictures(
  { pastApp, ids, readArt, printProgress }: DemoContext,
  creators: readonly DemoCreator[],
): Promise<Map<string, string>> {
  const rows = await pastApp.ctx.db.query
    .selectFrom('media')
    .select(['id', 'file_name'])
    .where('status', '=', 'ready')
    .execute();
  const pictures = new Map(rows.map((row) => [row.file_name, row.id]));
  const artFiles = POSTS.flatMap(({ creator, pictures }) => {
    const owner = creators.find(({ key }) => key === creator);
    return owner ? pictures.map(({ file }) => ({ file, ownerId: ids.get(owner.username) ?? '' })) : [];
  });
  await runForEach(artFiles, async ({ file, ownerId }) => {
    const name = `${file}.webp`;
    if (!pictures.has(name)) pictures.set(name, await importPicture(pastApp.ctx, ownerId, await readArt(file), name));
    printProgress();
  });
  return pictures;
}
