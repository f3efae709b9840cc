import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import * as contract from '@stagedoor/contract/themes.ts';
import type { Server } from '../../kernel/bind.ts';
import { registerThemePart } from './archive.ts';
import { registerThemeClosing } from './closing.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: Server): void {
  registerThemeClosing(ctx);
  registerThemePart(ctx);
  bind(contract.getOwnTheme, ({ actor }) => service.viewTheme(ctx.db, actor.userId));
  bind(contract.saveThemeDraft, ({ actor, body }) => service.keepDraft(ctx, actor.userId, body));
  bind(contract.publishTheme, ({ actor, body }) => service.publish(ctx, actor.userId, body));
  bind(contract.sharedTheme, async ({ params: { code } }) => {
    const theme = contract.themeOfCode(code);
    if (!theme) throw new AppError('NOT_FOUND');
    return { code, theme };
  });
}
