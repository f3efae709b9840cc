/** Announcements cannot be edited, so the list is also their history. */
import * as z from 'zod/mini';
import { ANNOUNCEMENT_LEVELS, AUDIENCES, announcement } from './atoms/announcements.ts';
import { announcementId, instant, userId } from './atoms/ids.ts';
import { line } from './atoms/lines.ts';
import { limit, offset } from './atoms/paging.ts';
import { route } from './atoms/route.ts';

export const ANNOUNCEMENT_LENGTH = { title: 80, text: 500 } as const;
/** The first is in days. The second counts active and scheduled announcements. */
export const ANNOUNCEMENT_DAYS = 90;
export const ANNOUNCEMENTS_AT_ONCE = 5;

const ANNOUNCEMENT_STATES = ['coming', 'on', 'over'] as const;

export const deskAnnouncement = z.extend(announcement, {
  audience: z.enum(AUDIENCES),
  state: z.enum(ANNOUNCEMENT_STATES),
  from: instant,
  writtenAt: instant,
  author: z.object({ id: userId, username: z.string() }),
  endedAt: z.nullable(instant),
});
export type DeskAnnouncement = z.infer<typeof deskAnnouncement>;

export const listAnnouncements = route({
  method: 'GET',
  path: '/admin/announcements',
  summary: 'List announcements, newest first, including scheduled and ended ones',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: z.object({ data: z.array(deskAnnouncement), limit: z.number(), nextOffset: z.optional(z.string()) }),
});

export const announcementWords = z.object({
  title: line(ANNOUNCEMENT_LENGTH.title).check(z.minLength(1, 'Enter a title')),
  text: line(ANNOUNCEMENT_LENGTH.text),
  level: z.enum(ANNOUNCEMENT_LEVELS),
  audience: z.enum(AUDIENCES),
  isDismissable: z.boolean(),
  /** Null starts it immediately. */
  from: z.nullable(instant),
  until: instant,
});

export const announce = route({
  method: 'POST',
  path: '/admin/announcements',
  summary: 'Publish or schedule an announcement to logged-in users',
  auth: 'operator',
  rate: 'write',
  idempotent: true,
  errors: ['CONFLICT'],
  body: announcementWords,
  response: deskAnnouncement,
});

export const endAnnouncement = route({
  method: 'POST',
  path: '/admin/announcements/:id/end',
  summary: 'End an announcement early; it stays in the list',
  auth: 'operator',
  rate: 'write',
  errors: ['NOT_FOUND', 'CONFLICT'],
  params: z.object({ id: announcementId }),
  response: deskAnnouncement,
});
