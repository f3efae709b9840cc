/** A stored theme is validated again. One that is not valid any more is treated as a plain page. */
import { type Palette, toPalette } from '@stagedoor/contract/content/theme-colours.ts';
import {
  type Arrangement,
  type Theme,
  type ThemeAppearance,
  theme,
  toThemeAppearance,
} from '@stagedoor/contract/content/themes.ts';
import * as z from 'zod/mini';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

export function parseTheme(stored: unknown): Theme | null {
  const parsed = z.safeParse(theme, stored);
  return parsed.success ? parsed.data : null;
}

/** Adds the current layout, which the profile editor may have changed since. */
export function parsePublishedTheme(stored: unknown, { layout, shape, format }: Arrangement): Theme | null {
  const parsed = parseTheme(stored);
  return parsed && { ...parsed, layout, shape, format };
}

/** Cached, because computing an appearance takes a tenth of the time of a page. */
const appearanceCache = new Map<string, ThemeAppearance | null>();
const MAX_CACHED = 2_000;

export function findPublishedAppearance(text: string | null): ThemeAppearance | null {
  if (text === null) return null;
  const cached = appearanceCache.get(text);
  if (cached !== undefined) return cached;
  const parsed = parseTheme(JSON.parse(text));
  const appearance = parsed && toThemeAppearance(parsed);
  if (appearanceCache.size >= MAX_CACHED) appearanceCache.clear();
  appearanceCache.set(text, appearance);
  return appearance;
}

const FIND_ACTIVE_THEME: SqlStatement = {
  name: 'themes-active',
  text: `select c.shape, t.published from creators c left join creator_themes t on t.creator_id = c.user_id where c.user_id = $1`,
};
/** The appearance where there is neither light nor dark mode: that of the mode whose colors the creator chose. */
export type ActiveTheme = {
  shape: Arrangement['shape'];
  style: (Pick<Theme, 'type' | 'radius' | 'cover'> & { palette: Palette }) | null;
};

export async function getActiveTheme(db: Executor, creatorId: string): Promise<ActiveTheme> {
  const [row] = await db.run<{ shape: Arrangement['shape']; published: unknown }>(FIND_ACTIVE_THEME, [creatorId]);
  const publishedTheme = row?.published ? parseTheme(row.published) : null;
  const style = publishedTheme && {
    type: publishedTheme.type,
    radius: publishedTheme.radius,
    cover: publishedTheme.cover,
    palette: toPalette(publishedTheme),
  };
  return { shape: row?.shape ?? 'round', style };
}
