// data-export
export const followsExportDescription = 'Creators you follow.';

// followers
export const endDateBeforeStart = 'End date is before start date.';
