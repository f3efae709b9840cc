// data-export
export const themesExportDescription = 'Your published theme and your draft.';
