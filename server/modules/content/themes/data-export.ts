import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

const THEME: SqlStatement = {
  name: 'themes-export',
  text: 'select published, draft from creator_themes where creator_id = $1',
};

export function registerThemeExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'theme',
    title: 'Theme',
    description: texts.themesExportDescription,
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ published: unknown; draft: unknown }>(THEME, [id]);
    },
  });
}
