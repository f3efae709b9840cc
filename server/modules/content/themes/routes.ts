import * as contract from '@stagedoor/contract/content/themes.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerThemeDeletionStep } from './account-deletion.ts';
import { registerThemeExportPart } from './data-export.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerThemeDeletionStep(ctx);
  registerThemeExportPart(ctx);
  bind(contract.getOwnTheme, ({ actor }) => service.getThemeState(ctx.db, actor.userId));
  bind(contract.saveThemeDraft, ({ actor, body }) => service.saveDraft(ctx, actor.userId, body));
  bind(contract.publishTheme, ({ actor, body }) => service.publishCreatorTheme(ctx, actor.userId, body));
  bind(contract.getSharedTheme, async ({ params: { code } }) => {
    const theme = contract.parseThemeCode(code);
    if (!theme) throw new AppError('NOT_FOUND');
    return { code, theme };
  });
  const createdWithTheme = {
    queue: 'quick',
    subject: ({ userId }: { userId: string }) => `theme:${userId}`,
    filter: ({ themeCode }: { themeCode?: string }) => themeCode !== undefined,
  } as const;
  ctx.events.addJobHandler('account.created', 'themes.publishFirst', createdWithTheme, ({ payload }) =>
    service.publishFirstTheme(ctx, payload),
  );
}
