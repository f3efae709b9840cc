import {
  BLOCKED_REQUEST_DAYS,
  checkGeoVisibility,
  type GeoBlocks,
  getGeoBlocks,
  updateGeoBlocks,
} from '@stagedoor/contract/identity/geo-blocks.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatCount } from '../../../../platform/dates.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { apiQuery, routeKey } from '../../../../platform/query.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Dialog, LockNote } from '../../../../ui/dialog.tsx';
import { SelectField } from '../../../../ui/field.tsx';
import { Row, Rows } from '../../../../ui/rows.tsx';
import { Banner, ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import * as texts from '../texts.ts';

export const geoBlocksQuery = () => apiQuery(getGeoBlocks, {});

type GeoRegion = GeoBlocks['regions'][number];

function RegionPreview({ region, username, onClose }: { region: GeoRegion; username: string; onClose: () => void }) {
  const preview = useQuery({ ...apiQuery(checkGeoVisibility, { params: { code: region.code } }), staleTime: 0 });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={formatText(texts.previewFrom, { name: region.name })}
    >
      {!preview.data &&
        (preview.isError ? <ErrorState onRetry={() => void preview.refetch()} /> : <SkeletonRows count={2} />)}
      {preview.data?.isVisible && <Banner kind="warn">{texts.visibleToVisitors}</Banner>}
      {preview.data?.isVisible === false && (
        <>
          <figure className="overflow-hidden rounded-lg border border-line" aria-label={texts.visitorViewTitle}>
            <figcaption className="border-line border-b px-4 py-2 text-small text-muted">
              {profilePath(username)}
            </figcaption>
            <div className="px-4 py-8">
              <p className="display d3">{texts.missingPageTitle}</p>
              <p className="pt-2 text-muted">{texts.missingPageHint}</p>
            </div>
          </figure>
          <LockNote>{texts.hiddenLocationConsequence}</LockNote>
        </>
      )}
    </Dialog>
  );
}

function BlockedRegionList({
  blocked,
  isBusy,
  onPreview,
  onRemove,
}: {
  blocked: GeoBlocks['blocked'];
  isBusy: boolean;
  onPreview: (region: GeoRegion) => void;
  onRemove: (region: GeoRegion) => void;
}) {
  return (
    <Rows label={texts.hiddenLocations} className="mt-4">
      {blocked.map((region) => (
        <Row
          key={region.code}
          title={region.name}
          sub={
            region.blockedRequests === 0
              ? texts.noVisitorsBlockedYet
              : formatText(texts.visitorsBlocked, {
                  requestCount: formatCount(region.blockedRequests, 'request', 'requests'),
                  days: BLOCKED_REQUEST_DAYS,
                })
          }
          end={
            <span className="flex items-center gap-1">
              <Button
                variant="quiet"
                aria-label={formatText(texts.previewAsVisitorFrom, { name: region.name })}
                onClick={() => onPreview(region)}
              >
                {texts.preview}
              </Button>
              <IconButton
                icon="close"
                label={formatText(texts.showMeAgainIn, { name: region.name })}
                disabled={isBusy}
                onClick={() => onRemove(region)}
              />
            </span>
          }
        />
      ))}
    </Rows>
  );
}

export function GeoBlocksForm({ username }: { username: string }) {
  const client = useQueryClient();
  const geoBlocks = useQuery(geoBlocksQuery());
  const [selectedCode, setSelectedCode] = useState('');
  const [previewed, setPreviewed] = useState<GeoRegion>();
  const save = useApiMutation(updateGeoBlocks, {
    onSuccess: (saved) => {
      client.setQueryData(geoBlocksQuery().queryKey, saved);
      void client.invalidateQueries({ queryKey: routeKey(checkGeoVisibility) });
    },
  });
  if (!geoBlocks.data)
    return geoBlocks.isError ? <ErrorState onRetry={() => void geoBlocks.refetch()} /> : <SkeletonRows count={2} />;
  const { blocked, regions, hasStates } = geoBlocks.data;
  const codes = blocked.map(({ code }) => code);
  const change = (newCodes: readonly string[], message: string) =>
    save.mutate(
      { body: { codes: [...newCodes] } },
      {
        onSuccess: () => {
          setSelectedCode('');
          void showToast(message, 'success');
        },
      },
    );
  const add = (event: FormEvent) => {
    event.preventDefault();
    const region = regions.find(({ code }) => code === selectedCode);
    if (region) change([...codes, region.code], formatText(texts.nowHiddenIn, { name: region.name }));
  };
  return (
    <>
      <p className="text-small text-muted">
        {formatText(texts.hiddenLocationsHint, { regionTypes: hasStates ? texts.countriesAndStates : 'countries' })}
      </p>
      {blocked.length > 0 && (
        <BlockedRegionList
          blocked={blocked}
          isBusy={save.isPending}
          onPreview={setPreviewed}
          onRemove={({ code, name }) =>
            change(
              codes.filter((other) => other !== code),
              formatText(texts.visibleAgainIn, { name }),
            )
          }
        />
      )}
      <form className="mt-5 flex flex-wrap items-end gap-3" onSubmit={add}>
        <SelectField
          className="min-w-0 flex-1 basis-60"
          label={blocked.length === 0 ? texts.hideByLocationTitle : texts.addLocation}
          placeholder={texts.chooseALocation}
          value={selectedCode}
          options={regions
            .filter(({ code }) => !codes.includes(code))
            .map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(event) => setSelectedCode(event.currentTarget.value)}
        />
        <Button type="submit" disabled={selectedCode === ''} busy={save.isPending} busyText={texts.saving}>
          {texts.hide}
        </Button>
      </form>
      {previewed && <RegionPreview region={previewed} username={username} onClose={() => setPreviewed(undefined)} />}
    </>
  );
}
