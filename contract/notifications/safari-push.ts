/**
 * Push of older Safari versions (row I3; Apple's “Configuring Safari Push Notifications”). Safari adds the version to
 * `webServiceUrl`.
 */
import * as z from 'zod/mini';
import { fileResponse, route } from '../shared/route.ts';

/** The versions differ only in the hash algorithm. Safari requests the newer one first. */
const version = z.enum(['v1', 'v2']);
const id = z.string().check(z.minLength(1), z.maxLength(200));
const successResponse = z.object({ success: z.boolean() });

export const getSafariPush = route({
  method: 'GET',
  path: '/web-notify/safari',
  summary: 'Get the parameters of Safari’s permission request; `websitePushId` is null if Safari push is not set up',
  auth: 'session',
  rate: 'read',
  response: z.object({
    websitePushId: z.nullable(z.string()),
    webServiceUrl: z.string(),
    /** Sent as `userInfo` of the permission request. It identifies the user for some minutes. */
    ticket: z.string(),
  }),
});

const packageBody = z.object({ ticket: z.string().check(z.minLength(1), z.maxLength(500)) });
export const downloadSafariPackage = route({
  method: 'POST',
  path: '/web-notify/pushPackages/:websitePushId',
  summary: 'Download the signed push package, in the newer version',
  auth: 'public',
  rate: 'write',
  params: z.object({ websitePushId: id }),
  body: packageBody,
  response: fileResponse,
  files: ['application/zip'],
  errors: ['UNAUTHORIZED', 'NOT_FOUND'],
});
export const downloadSafariPackageVersion = route({
  method: 'POST',
  path: '/web-notify/:version/pushPackages/:websitePushId',
  summary: 'Download the signed push package in a given version',
  auth: 'public',
  rate: 'write',
  params: z.object({ version, websitePushId: id }),
  body: packageBody,
  response: fileResponse,
  files: ['application/zip'],
  errors: ['UNAUTHORIZED', 'NOT_FOUND'],
});

const registration = z.object({ version, deviceToken: id, websitePushId: id });

export const registerSafariDevice = route({
  method: 'POST',
  path: '/web-notify/:version/devices/:deviceToken/registrations/:websitePushId',
  summary: 'Register a Safari device; requires the header `Authorization: ApplePushNotifications TOKEN`',
  auth: 'public',
  rate: 'write',
  params: registration,
  response: successResponse,
  errors: ['NOT_FOUND'],
});
export const unregisterSafariDevice = route({
  method: 'DELETE',
  path: '/web-notify/:version/devices/:deviceToken/registrations/:websitePushId',
  summary: 'Unregister a Safari device; requires the same header as registration',
  auth: 'public',
  rate: 'write',
  params: registration,
  response: successResponse,
  errors: ['NOT_FOUND'],
});

export const logSafariErrors = route({
  method: 'POST',
  path: '/web-notify/:version/log',
  summary: 'Report errors from Safari',
  auth: 'public',
  rate: 'write',
  params: z.object({ version }),
  body: z.object({ logs: z.array(z.string().check(z.maxLength(2_000))).check(z.maxLength(50)) }),
  response: successResponse,
});
