import { getOwnProfile, getProfile } from '@stagedoor/contract/content/profiles.ts';
import { getOwnTheme, publishTheme, type Theme, type ThemeState } from '@stagedoor/contract/content/themes.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import * as texts from './texts.ts';
import { isConflict } from './theme-saver.ts';

export const ownThemeQuery = () => apiQuery(getOwnTheme, {});

/**
 * Publishes a theme and updates the cached own page. `onConflict` is called when another window has changed the theme
 * first.
 */
export function usePublishTheme(onConflict?: () => void) {
  const client = useQueryClient();
  return useApiMutation(publishTheme, {
    showErrorMessage: (error) => !(onConflict && isConflict(error)),
    onSuccess: (state) => {
      client.setQueryData(ownThemeQuery().queryKey, state);
      for (const route of [getProfile, getOwnProfile]) void client.invalidateQueries({ queryKey: routeKey(route) });
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey: ownThemeQuery().queryKey });
      if (isConflict(error)) onConflict?.();
    },
  });
}

type UndoHandlers = { onUndone?: (state: ThemeState) => void; onConflict?: () => void };

export function useUndoToast({ onUndone, onConflict }: UndoHandlers = {}) {
  const undo = usePublishTheme(onConflict);
  return (message: string, after: ThemeState, { published, arrangement }: ThemeState) =>
    void showToast(message, 'success', {
      id: 'theme',
      action: {
        label: texts.undo,
        onClick: () =>
          undo.mutate(
            { body: { revision: after.revision, theme: published, arrangement } },
            { onSuccess: (undone) => onUndone?.(undone) },
          ),
      },
    });
}

export function ApplyTheme({
  name,
  code,
  theme,
  state,
}: {
  name: string;
  code: string;
  theme: Theme;
  state: ThemeState;
}) {
  const publish = usePublishTheme();
  const showUndoToast = useUndoToast();
  const apply = () =>
    publish.mutate(
      { body: { revision: state.revision, theme } },
      { onSuccess: (after) => showUndoToast(formatText(texts.themeApplied, { name }), after, state) },
    );
  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        if (!publish.isPending) apply();
      }}
    >
      <input type="hidden" name="code" value={code} />
      <input type="hidden" name="revision" value={state.revision} />
      <Button
        type="submit"
        busy={publish.isPending}
        busyText={texts.applying}
        aria-label={formatText(texts.applyTheme, { name })}
      >
        {texts.applyButton}
      </Button>
    </form>
  );
}
