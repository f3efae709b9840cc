/** Development only: the mailbox that replaces SMTP. */
import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

export const mail = z.object({
  id: z.string(),
  createdAt: instant,
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  links: z.array(z.string()),
});
export const listMail = route({
  method: 'GET',
  path: '/dev/mailbox',
  summary: 'List captured emails, newest first',
  auth: 'public',
  rate: 'read',
  query: z.object({ to: z.optional(z.string()) }),
  response: z.object({ data: z.array(mail) }),
});
