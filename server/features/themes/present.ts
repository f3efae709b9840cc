/** A stored theme is validated again. One that is not valid any more is treated as a plain page. */
import { type Palette, paletteOf } from '@stagedoor/contract/theme-colours.ts';
import { type Arrangement, lookOf, type Theme, type ThemeLook, theme } from '@stagedoor/contract/themes.ts';
import * as z from 'zod/mini';
import type { Executor, Statement } from '../../kernel/db.ts';

export function readTheme(stored: unknown): Theme | null {
  const read = z.safeParse(theme, stored);
  return read.success ? read.data : null;
}

/** Adds the current layout, which the profile editor may have changed since. */
export function readPublished(stored: unknown, { layout, shape, format }: Arrangement): Theme | null {
  const read = readTheme(stored);
  return read && { ...read, layout, shape, format };
}

/** Cached, because computing a look takes a tenth of the time of a page. */
const looks = new Map<string, ThemeLook | null>();
const MOST = 2_000;

export function publishedLook(text: string | null): ThemeLook | null {
  if (text === null) return null;
  const known = looks.get(text);
  if (known !== undefined) return known;
  const read = readTheme(JSON.parse(text));
  const look = read && lookOf(read);
  if (looks.size >= MOST) looks.clear();
  looks.set(text, look);
  return look;
}

const DRESS: Statement = {
  name: 'themes-dress',
  text: `select c.shape, t.published from creators c left join creator_themes t on t.creator_id = c.user_id where c.user_id = $1`,
};
/** The look where there is neither light nor dark mode: the side whose colors the creator chose. */
export type Dress = {
  shape: Arrangement['shape'];
  look: (Pick<Theme, 'type' | 'radius' | 'cover'> & { palette: Palette }) | null;
};

export async function dressOf(db: Executor, creatorId: string): Promise<Dress> {
  const [row] = await db.run<{ shape: Arrangement['shape']; published: unknown }>(DRESS, [creatorId]);
  const worn = row?.published ? readTheme(row.published) : null;
  const look = worn && { type: worn.type, radius: worn.radius, cover: worn.cover, palette: paletteOf(worn) };
  return { shape: row?.shape ?? 'round', look };
}
