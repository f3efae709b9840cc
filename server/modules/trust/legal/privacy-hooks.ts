import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { registerExportPart } from '../../identity/data-export/index.ts';
import { listAgreedTexts } from './policy-texts.ts';
import * as texts from './texts.ts';

const DELETE_AGREEMENTS: SqlStatement = {
  name: 'legal-delete-agreements',
  text: 'delete from policy_agreements where user_id = $1',
};

export function registerPolicyPrivacy(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'agreements',
    title: texts.whatYouAgreedTo,
    description: texts.agreementsExportDescription,
    entries: async function* ({ db }, { id }) {
      for (const { sections, ...agreed } of await listAgreedTexts(db, id))
        yield {
          ...agreed,
          text: sections?.flatMap(({ title, paragraphs, points }) => [title, ...paragraphs, ...points]) ?? null,
        };
    },
  });
  registerDeletionStep(ctx, 'legal', {
    erase: async ({ db }, { userId }) => {
      await db.run(DELETE_AGREEMENTS, [userId]);
    },
  });
}
