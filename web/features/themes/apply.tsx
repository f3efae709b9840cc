import { getOwnProfile, getProfile } from '@stagedoor/contract/profiles.ts';
import { getOwnTheme, publishTheme, type Theme, type ThemeState } from '@stagedoor/contract/themes.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { isConflict } from './theme-keeper.ts';

export const ownThemeQuery = () => apiQuery(getOwnTheme, {});

/**
 * Publishes a theme and updates the cached own page. `onConflict` is called when another window has changed the theme
 * first.
 */
export function usePublish(onConflict?: () => void) {
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

type Undoing = { onUndone?: (state: ThemeState) => void; onConflict?: () => void };

export function useTold({ onUndone, onConflict }: Undoing = {}) {
  const undo = usePublish(onConflict);
  return (words: string, after: ThemeState, { published, arrangement }: ThemeState) =>
    void showToast(words, 'success', {
      id: 'theme',
      action: {
        label: 'Undo',
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
  const publish = usePublish();
  const told = useTold();
  const apply = () =>
    publish.mutate(
      { body: { revision: state.revision, theme } },
      { onSuccess: (after) => told(`${name} applied.`, after, state) },
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
      <Button type="submit" busy={publish.isPending} busyText="Applying…" aria-label={`Apply ${name}`}>
        Apply
      </Button>
    </form>
  );
}
