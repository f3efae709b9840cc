// routes
export const hiddenLocationsExportLabel = 'Hidden locations';
export const hiddenLocationsExportDescription = 'Countries and states where you’re hidden.';

// service
export const chooseLocationsFromList = 'Choose locations from the list';
