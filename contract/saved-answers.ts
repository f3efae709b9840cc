/** Canned responses that operators share. */
import * as z from 'zod/mini';
import { answerId } from './atoms/ids.ts';
import { CASES } from './atoms/room-limits.ts';
import { route } from './atoms/route.ts';

const words = (maxLength: number) =>
  z.string().check(z.trim(), z.minLength(1, 'Please enter message'), z.maxLength(maxLength));

const savedAnswer = z.object({ id: answerId, title: z.string(), text: z.string() });
export type SavedAnswer = z.infer<typeof savedAnswer>;
export const listAnswers = route({
  method: 'GET',
  path: '/admin/saved-answers',
  summary: 'List canned responses, ordered by title',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(savedAnswer) }),
});
export const saveAnswer = route({
  method: 'POST',
  path: '/admin/saved-answers',
  summary: 'Save a canned response, replacing any with the same title',
  auth: 'operator',
  rate: 'write',
  body: z.object({ title: words(CASES.subjectLength), text: words(CASES.messageLength) }),
  response: savedAnswer,
  errors: ['CONFLICT'],
});
export const dropAnswer = route({
  method: 'DELETE',
  path: '/admin/saved-answers/:id',
  summary: 'Delete a canned response',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: answerId }),
  response: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND'],
});
