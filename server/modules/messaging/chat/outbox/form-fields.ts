import { clientId, messageCaption, messagePrice } from '@stagedoor/contract/messaging/messages.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { conversationId, userId } from '@stagedoor/contract/shared/ids.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import * as z from 'zod/mini';
import * as texts from '../texts.ts';

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
  const parsed = validate(schema, Object.fromEntries(fields));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw createFieldError(issue?.path.map(String).join('.') || 'file', issue?.message ?? texts.checkThisField);
}
