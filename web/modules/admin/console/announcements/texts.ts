// announcement-form
export const startTime = 'From';
export const startTimeHint = 'Leave empty to start now.';
export const endTime = 'Until';
export const endTimeHint = 'Ends automatically.';
export const announcementScheduled = 'Announcement scheduled.';
export const announcementPublished = 'Announcement published.';
export const newAnnouncement = 'New announcement';
export const title = 'Title';
export const textField = 'Text';
export const plainTextHint = 'Plain text. Links aren’t supported.';
export const audienceLabel = 'For';
export const importance = 'Importance';
export const dismissible = 'Dismissible';
export const preview = 'Preview:';
export const publishing = 'Publishing…';
export const publish = 'Publish';

// rows
export const announcementEnded = 'Announcement ended. It disappears within seconds.';
export const ending = 'Ending…';
export const endNow = 'End now';
export const announcements = 'Announcements';
export const audienceUntil = '{audience}, until {endedAt}';
export const created = 'Created';
export const endedEarly = 'Ended early';
