/**
 * The watermark setting: the creator's pictures show the name of the viewer. It changes immediately and reverts if the
 * server refuses it.
 */
import { getMediaSettings, updateMediaSettings } from '@stagedoor/contract/content/media.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../platform/feedback.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { Switch } from '../../../../ui/choice.tsx';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import * as texts from '../texts.ts';

export const mediaSettingsQuery = () => apiQuery(getMediaSettings, {});

export function WatermarkSwitch() {
  const client = useQueryClient();
  const settings = useQuery(mediaSettingsQuery());
  const change = useApiMutation(updateMediaSettings, {
    onSuccess: (saved) => {
      client.setQueryData(mediaSettingsQuery().queryKey, saved);
      void showToast(saved.isWatermarked ? texts.watermarkOn : texts.watermarkOff, 'success');
    },
  });
  if (!settings.data)
    return settings.isError ? <ErrorState onRetry={() => void settings.refetch()} /> : <SkeletonRows count={1} />;
  const isOn = change.isPending ? change.variables.body.isWatermarked : settings.data.isWatermarked;
  return (
    <Switch
      row
      label={texts.watermark}
      hint={texts.watermarkHint}
      checked={isOn}
      onChange={(event) => {
        if (!change.isPending) change.mutate({ body: { isWatermarked: event.currentTarget.checked } });
      }}
    />
  );
}
