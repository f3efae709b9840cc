// announcements
export const timeInPast = 'This time is in the past.';
export const invalidEndTime = 'The end must be in the future and after the start.';
export const announcementLengthLimit = 'At most {days} days.';
export const announcementCountLimit = 'At most {maximum} announcements can be active or scheduled. End one first.';
export const announcementAlreadyEnded = 'This announcement has already ended.';

// kill-switches
export const changedBySomeoneElse = 'Someone else changed this. Showing the current state.';
