/** A stored theme as it is handed out. It is read by the contract again each time it is new here: what no longer passes is plain. */
import { type Arrangement, lookOf, type Theme, type ThemeLook, theme } from '@stagedoor/contract/themes.ts';
import * as z from 'zod/mini';

/** A stored theme, if it is still one. */
export function readTheme(stored: unknown): Theme | null {
  const read = z.safeParse(theme, stored);
  return read.success ? read.data : null;
}

/** As {@link readTheme}, hanging as the page does now: the profile's own editor may have changed that since. */
export function readPublished(stored: unknown, { layout, shape, format }: Arrangement): Theme | null {
  const read = readTheme(stored);
  return read && { ...read, layout, shape, format };
}

/** Looks by the text of their theme: working one out costs as much as a tenth of a page. */
const looks = new Map<string, ThemeLook | null>();
const MOST = 2_000;

/** The look of a published theme, by its stored text; null for a plain page. */
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
