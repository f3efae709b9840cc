import * as z from 'zod/mini';
import type { UserType } from '../identity/accounts.ts';
import { announcementId, instant } from './ids.ts';

export const ANNOUNCEMENT_LEVELS = ['info', 'important'] as const;
export type AnnouncementLevel = (typeof ANNOUNCEMENT_LEVELS)[number];

/** `everyone`: all logged-in users, including operators. */
export const ANNOUNCEMENT_AUDIENCES = ['everyone', 'fans', 'creators'] as const;
export type AnnouncementAudience = (typeof ANNOUNCEMENT_AUDIENCES)[number];

const AUDIENCE_USER_TYPES: Readonly<Record<AnnouncementAudience, readonly UserType[]>> = {
  everyone: ['customer', 'creator', 'operator'],
  fans: ['customer'],
  creators: ['creator'],
};
export const isInAudience = (audience: AnnouncementAudience, type: UserType): boolean =>
  AUDIENCE_USER_TYPES[audience].includes(type);

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
