// render-limits
export const tooManyRequests = 'Too many requests';
export const tooManyRequestsHint = 'Wait a moment and reload this page.';
export const busyTitle = 'We’re busy';
export const busyHint = 'Lots of people are here right now. Wait a moment and reload.';
