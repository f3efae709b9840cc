import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { conversationId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { check } from '@stagedoor/contract/atoms/words.ts';
import { clientId, messageCaption, messagePrice } from '@stagedoor/contract/messages.ts';
import * as z from 'zod/mini';

export const formFields = z.object({
  conversationId: z.optional(conversationId),
  receiverId: z.optional(userId),
  clientId: z.optional(clientId),
  text: z._default(messageCaption, ''),
  price: z._default(z.pipe(z.coerce.number(), messagePrice), 0),
  isViewOnce: z._default(z.stringbool(), false),
});

/** Throws VALIDATION with one error per field. */
export function parseFields<S extends z.ZodMiniType>(schema: S, fields: ReadonlyMap<string, string>): z.output<S> {
  const parsed = check(schema, Object.fromEntries(fields));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.path.map(String).join('.') || 'file', issue?.message ?? 'Check this field.');
}
