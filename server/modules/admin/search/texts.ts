// search
export const caseSummary = '{reference} · {state} · from {sender}';
export const untitledPost = 'Untitled post';
export const postSummary = 'by @{username}{visibilityNote}';
export const videoCall = 'Video call';
export const voiceCall = 'Voice call';
