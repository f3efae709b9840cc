import * as z from 'zod/mini';
import type { UserType } from '../accounts.ts';
import { announcementId, instant } from './ids.ts';

export const ANNOUNCEMENT_LEVELS = ['info', 'important'] as const;
export type AnnouncementLevel = (typeof ANNOUNCEMENT_LEVELS)[number];

/** `everybody`: all logged-in users, including operators. */
export const AUDIENCES = ['everybody', 'fans', 'creators'] as const;
export type AnnouncementAudience = (typeof AUDIENCES)[number];

const HEARERS: Readonly<Record<AnnouncementAudience, readonly UserType[]>> = {
  everybody: ['customer', 'creator', 'operator'],
  fans: ['customer'],
  creators: ['creator'],
};
export const isFor = (audience: AnnouncementAudience, type: UserType): boolean => HEARERS[audience].includes(type);

/** An announcement as users see it. Its text is plain and contains no links. */
export const announcement = z.object({
  id: announcementId,
  title: z.string(),
  text: z.string(),
  level: z.enum(ANNOUNCEMENT_LEVELS),
  isDismissable: z.boolean(),
  until: instant,
});
export type Announcement = z.infer<typeof announcement>;
