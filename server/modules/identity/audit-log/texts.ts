// log
export const endDateIsBeforeStart = 'End date is before start date';
export const timeUtcColumn = 'Time (UTC)';
