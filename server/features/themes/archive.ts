import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerArchivePart } from '../archive/index.ts';

const THEME: Statement = {
  name: 'themes-archive',
  text: 'select published, draft from creator_themes where creator_id = $1',
};

export function registerThemePart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'theme',
    title: 'Theme',
    lead: 'Your published theme and your draft.',
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ published: unknown; draft: unknown }>(THEME, [id]);
    },
  });
}
