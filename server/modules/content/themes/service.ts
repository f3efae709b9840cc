/** Revisions keep two windows from overwriting each other's work. */

import {
  type Arrangement,
  parseThemeCode,
  type publishTheme,
  type saveThemeDraft,
  type Theme,
  type ThemeState,
} from '@stagedoor/contract/content/themes.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { updateCreatorRow } from '../../identity/accounts/index.ts';
import './events.ts';
import { parsePublishedTheme, parseTheme } from './present.ts';

type Row = Arrangement & { revision: number; draft: unknown; published: unknown };

const FIND: SqlStatement = {
  name: 'themes-find',
  text: `select coalesce(t.revision, 0) as revision, t.draft, t.published, c.layout, c.shape, c.format
    from creators c left join creator_themes t on t.creator_id = c.user_id where c.user_id = $1`,
};
/** The first change inserts the row. Later ones must name the current revision. */
const INSERT: SqlStatement = {
  name: 'themes-set',
  text: `insert into creator_themes as t (creator_id, revision, draft, published) select $1, 1, $3, $4 where $2 = 0
    on conflict (creator_id) do nothing returning t.revision`,
};
const UPDATE: SqlStatement = {
  name: 'themes-change',
  text: `update creator_themes set revision = revision + 1, draft = case when $5 then $3 else draft end,
    published = case when $6 then $4 else published end where creator_id = $1 and revision = $2 returning revision`,
};

export async function getThemeState(db: Executor, creatorId: string): Promise<ThemeState> {
  const [row] = await db.run<Row>(FIND, [creatorId]);
  if (!row) throw new AppError('NOT_FOUND');
  const { revision, layout, shape, format } = row;
  const arrangement = { layout, shape, format };
  const published = row.published === null ? null : parsePublishedTheme(row.published, arrangement);
  return { revision, draft: row.draft === null ? null : parseTheme(row.draft), published, arrangement };
}

type ThemeChange = { revision: number; draft?: Theme | null | undefined; published?: Theme | null };

/** Throws CONFLICT if the revision is outdated. */
async function saveTheme(
  tx: DbTransaction,
  creatorId: string,
  { revision, draft, published }: ThemeChange,
): Promise<void> {
  const texts = [draft, published].map((one) => (one ? JSON.stringify(one) : null));
  const rows =
    revision === 0
      ? await tx.run(INSERT, [creatorId, revision, ...texts])
      : await tx.run(UPDATE, [creatorId, revision, ...texts, draft !== undefined, published !== undefined]);
  if (rows.length === 0) throw new AppError('CONFLICT');
}

export async function saveDraft(
  { db }: Pick<Context, 'db'>,
  creatorId: string,
  { revision, theme }: BodyOf<typeof saveThemeDraft>,
): Promise<ThemeState> {
  return db.transaction(async (tx) => {
    await saveTheme(tx, creatorId, { revision, draft: theme });
    return getThemeState(tx, creatorId);
  });
}

/** The draft is deleted only if it is what was published. */
export async function publishCreatorTheme(
  { db }: Pick<Context, 'db'>,
  creatorId: string,
  { revision, theme, arrangement, isDraft }: BodyOf<typeof publishTheme>,
): Promise<ThemeState> {
  return db.transaction(async (tx) => {
    await saveTheme(tx, creatorId, { revision, draft: isDraft ? null : undefined, published: theme });
    await updateArrangement(tx, creatorId, theme ?? arrangement);
    await tx.emit('theme.published', { creatorId });
    return getThemeState(tx, creatorId);
  });
}

async function updateArrangement(tx: DbTransaction, creatorId: string, source: Arrangement | undefined): Promise<void> {
  if (!source) return;
  const { layout, shape, format } = source;
  await updateCreatorRow(tx, creatorId, { layout, shape, format });
}

/**
 * Publishes the theme that a new creator tried before the sign-up. A code that is not valid is ignored, and so is the
 * theme if the creator has saved another one since.
 */
export async function publishFirstTheme(
  { db }: Pick<Context, 'db'>,
  { userId, type, themeCode }: EventPayload<'account.created'>,
): Promise<void> {
  const theme = themeCode === undefined || type !== 'creator' ? undefined : parseThemeCode(themeCode);
  if (!theme) return;
  await db.transaction(async (tx) => {
    const inserted = await tx.run(INSERT, [userId, 0, null, JSON.stringify(theme)]);
    if (inserted.length === 0) return;
    await updateArrangement(tx, userId, theme);
    await tx.emit('theme.published', { creatorId: userId });
  });
}
