/** Announcements cannot be edited, so the list is also their history. */
import * as z from 'zod/mini';
import { ANNOUNCEMENT_AUDIENCES, ANNOUNCEMENT_LEVELS, announcement } from '../shared/announcements.ts';
import { announcementId, instant, userId } from '../shared/ids.ts';
import { limit, offset } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';

export const ANNOUNCEMENT_LENGTH = { title: 80, text: 500 } as const;
/** The first is in days. The second counts active and scheduled announcements. */
export const ANNOUNCEMENT_DAYS = 90;
export const ANNOUNCEMENTS_MAX = 5;

const ANNOUNCEMENT_STATES = ['scheduled', 'on', 'over'] as const;

export const adminAnnouncement = z.extend(announcement, {
  audience: z.enum(ANNOUNCEMENT_AUDIENCES),
  state: z.enum(ANNOUNCEMENT_STATES),
  from: instant,
  writtenAt: instant,
  author: z.object({ id: userId, username: z.string() }),
  endedAt: z.nullable(instant),
});
export type AdminAnnouncement = z.infer<typeof adminAnnouncement>;

export const listAnnouncements = route({
  method: 'GET',
  path: '/admin/announcements',
  summary: 'List announcements, newest first, including scheduled and ended ones',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: z.object({ data: z.array(adminAnnouncement), limit: z.number(), nextOffset: z.optional(z.string()) }),
});

export const announcementBody = z.object({
  title: singleLineText(ANNOUNCEMENT_LENGTH.title).check(z.minLength(1, 'Enter a title')),
  text: singleLineText(ANNOUNCEMENT_LENGTH.text),
  level: z.enum(ANNOUNCEMENT_LEVELS),
  audience: z.enum(ANNOUNCEMENT_AUDIENCES),
  isDismissable: z.boolean(),
  /** Null starts it immediately. */
  from: z.nullable(instant),
  until: instant,
});

export const createAnnouncement = route({
  method: 'POST',
  path: '/admin/announcements',
  summary: 'Publish or schedule an announcement to logged-in users',
  auth: 'operator',
  rate: 'write',
  idempotent: true,
  errors: ['CONFLICT'],
  body: announcementBody,
  response: adminAnnouncement,
});

export const endAnnouncement = route({
  method: 'POST',
  path: '/admin/announcements/:id/end',
  summary: 'End an announcement early; it stays in the list',
  auth: 'operator',
  rate: 'write',
  errors: ['NOT_FOUND', 'CONFLICT'],
  params: z.object({ id: announcementId }),
  response: adminAnnouncement,
});
