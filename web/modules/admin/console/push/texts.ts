// faults
export const serviceRejectsRequests = '{service} is rejecting our requests{status}';
export const serviceRefusesPushes = '{service} isn’t accepting pushes{status}';
export const serviceDownHint =
  'Pushes are retried until they expire. Check whether the service is down and whether this server can reach it.';
export const justStartedHint = 'Just started. Retrying; becomes an alert after 10 minutes.';
export const safariCertificateHint =
  'Check that SAFARI_PUSH_CERTIFICATE belongs to SAFARI_PUSH_ID and is still valid. Devices stay subscribed.';
export const vapidKeyHint =
  'Check that VAPID_PRIVATE_KEY is the key that devices subscribed with, and this server’s clock. Devices stay subscribed.';
export const pushServices = 'Push services';
export const faultTimes = 'Since {since}, {pushCount}, last at {lastTime}';
