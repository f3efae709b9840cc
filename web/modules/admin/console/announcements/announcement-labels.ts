import { type AdminAnnouncement, listAnnouncements } from '@stagedoor/contract/admin/announcements.ts';
import type { AnnouncementAudience, AnnouncementLevel } from '@stagedoor/contract/shared/announcements.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';

export const announcementsQuery = () => apiInfiniteQuery(listAnnouncements, { query: { limit: 10 } });

export const AUDIENCE_LABELS: Readonly<Record<AnnouncementAudience, string>> = {
  everyone: 'All logged-in users',
  fans: 'Fans',
  creators: 'Creators',
};
export const LEVEL_LABELS: Readonly<Record<AnnouncementLevel, string>> = { info: 'Info', important: 'Important' };
export const ANNOUNCEMENT_STATE_LABELS: Readonly<Record<AdminAnnouncement['state'], string>> = {
  scheduled: 'Scheduled',
  on: 'Live',
  over: 'Ended',
};
