/** Canned responses that operators share. */
import * as z from 'zod/mini';
import { cannedResponseId } from '../shared/ids.ts';
import { CASE_LIMITS } from '../shared/module-limits.ts';
import { route } from '../shared/route.ts';
import { createTextSchema } from '../trust/case-fields.ts';

const cannedResponse = z.object({ id: cannedResponseId, title: z.string(), text: z.string() });
export type CannedResponse = z.infer<typeof cannedResponse>;
export const listCannedResponses = route({
  method: 'GET',
  path: '/admin/canned-responses',
  summary: 'List canned responses, ordered by title',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(cannedResponse) }),
});
export const saveCannedResponse = route({
  method: 'POST',
  path: '/admin/canned-responses',
  summary: 'Save a canned response, replacing any with the same title',
  auth: 'operator',
  rate: 'write',
  body: z.object({
    title: createTextSchema(CASE_LIMITS.subjectLength, 'Please enter message'),
    text: createTextSchema(CASE_LIMITS.messageLength, 'Please enter message'),
  }),
  response: cannedResponse,
  errors: ['CONFLICT'],
});
export const deleteCannedResponse = route({
  method: 'DELETE',
  path: '/admin/canned-responses/:id',
  summary: 'Delete a canned response',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: cannedResponseId }),
  response: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND'],
});
