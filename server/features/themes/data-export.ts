import type { Context } from '../../kernel/context.ts';
import type { SqlStatement } from '../../kernel/db.ts';
import { registerExportPart } from '../archive/index.ts';

const THEME: SqlStatement = {
  name: 'themes-archive',
  text: 'select published, draft from creator_themes where creator_id = $1',
};

export function registerThemeExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'theme',
    title: 'Theme',
    description: 'Your published theme and your draft.',
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ published: unknown; draft: unknown }>(THEME, [id]);
    },
  });
}
