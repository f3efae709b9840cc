import { type DeskAnnouncement, listAnnouncements } from '@stagedoor/contract/announcements-desk.ts';
import type { AnnouncementAudience, AnnouncementLevel } from '@stagedoor/contract/atoms/announcements.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';

export const announcementsQuery = () => apiInfiniteQuery(listAnnouncements, { query: { limit: 10 } });

export const AUDIENCE_WORDS: Readonly<Record<AnnouncementAudience, string>> = {
  everybody: 'All logged-in users',
  fans: 'Fans',
  creators: 'Creators',
};
export const LEVEL_WORDS: Readonly<Record<AnnouncementLevel, string>> = { info: 'Info', important: 'Important' };
export const STATE_WORDS: Readonly<Record<DeskAnnouncement['state'], string>> = {
  coming: 'Scheduled',
  on: 'Live',
  over: 'Ended',
};
