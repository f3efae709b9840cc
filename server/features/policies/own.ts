import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerArchivePart } from '../archive/index.ts';
import { registerClosing } from '../closing/index.ts';
import { agreedTexts } from './readings.ts';

const FORGET: Statement = { name: 'policies-closing', text: 'delete from policy_agreements where user_id = $1' };

export function registerOwn(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'agreements',
    title: 'What you agreed to',
    lead: 'The texts that you agreed to, as they read at that moment.',
    entries: async function* ({ db }, { id }) {
      for (const { sections, ...agreed } of await agreedTexts(db, id))
        yield {
          ...agreed,
          text: sections?.flatMap(({ title, paragraphs, points }) => [title, ...paragraphs, ...points]) ?? null,
        };
    },
  });
  registerClosing(ctx, 'policies', {
    erase: async ({ db }, { userId }) => {
      await db.run(FORGET, [userId]);
    },
  });
}
