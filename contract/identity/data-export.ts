/** Data export: a user's personal data as a ZIP file that opens without the app. */
import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { fileResponse, route } from '../shared/route.ts';
import { reauthentication } from './accounts.ts';

export const DATA_EXPORT_DAYS = 7;
export const DATA_EXPORT_INTERVAL_HOURS = 24;

export const DATA_EXPORT_STATES = ['processing', 'ready', 'failed'] as const;
export const dataExport = z.object({
  state: z.enum(DATA_EXPORT_STATES),
  requestedAt: instant,
  bytes: z.nullable(z.number()),
  expiresAt: z.nullable(instant),
});
export type DataExport = z.infer<typeof dataExport>;
const dataExportResponse = z.object({ dataExport: z.nullable(dataExport) });

export const getDataExport = route({
  method: 'GET',
  path: '/account/data-export',
  summary: 'Retrieve the status of your data export',
  auth: 'session',
  rate: 'read',
  response: dataExportResponse,
});
export const requestDataExport = route({
  method: 'POST',
  path: '/account/data-export',
  summary: 'Request a data export; a recent or pending one is returned instead',
  auth: 'session',
  rate: 'sensitive',
  response: dataExportResponse,
});
/** Unlocks the download for this session for 15 minutes. */
export const unlockDataExport = route({
  method: 'POST',
  path: '/account/data-export/unlock',
  summary: 'Re-authenticate to unlock the data export download for 15 minutes',
  auth: 'session',
  rate: 'sensitive',
  body: reauthentication,
  response: z.object({ until: instant }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
export const downloadDataExport = route({
  method: 'GET',
  path: '/account/data-export/file',
  summary: 'Download your data export; it must be unlocked first',
  auth: 'session',
  rate: 'sensitive',
  response: fileResponse,
  files: ['application/zip'],
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
