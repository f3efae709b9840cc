import { getRegions, type Regions, setRegions, TURNED_AWAY_DAYS, viewFromRegion } from '@stagedoor/contract/regions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { plural } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog, Note } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { Banner, ErrorState, SkeletonRows } from '../../ui/states.tsx';

export const regionsQuery = () => apiQuery(getRegions, {});

type Place = Regions['places'][number];

function ViewFrom({ place, username, onClose }: { place: Place; username: string; onClose: () => void }) {
  const view = useQuery({ ...apiQuery(viewFromRegion, { params: { code: place.code } }), staleTime: 0 });
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={`Preview from ${place.name}`}>
      {!view.data && (view.isError ? <ErrorState onRetry={() => void view.refetch()} /> : <SkeletonRows count={2} />)}
      {view.data?.isSeen && <Banner kind="warn">Visitors there can see you.</Banner>}
      {view.data?.isSeen === false && (
        <>
          <figure className="overflow-hidden rounded-lg border border-line" aria-label="What visitors there see">
            <figcaption className="border-line border-b px-4 py-2 text-small text-muted">
              /profile/{username}
            </figcaption>
            <div className="px-4 py-8">
              <p className="display d3">Page not found</p>
              <p className="pt-2 text-muted">This page may have been removed, or the link may be wrong.</p>
            </div>
          </figure>
          <Note>
            Your posts, media, chat and calls are hidden too, and you won’t appear in lists or search. Visitors aren’t
            told why. Fans keep what they’ve unlocked.
          </Note>
        </>
      )}
    </Dialog>
  );
}

function Hidden({
  hidden,
  isBusy,
  onLook,
  onRemove,
}: {
  hidden: Regions['hidden'];
  isBusy: boolean;
  onLook: (place: Place) => void;
  onRemove: (place: Place) => void;
}) {
  return (
    <Rows label="Hidden locations" className="mt-4">
      {hidden.map((place) => (
        <Row
          key={place.code}
          title={place.name}
          sub={
            place.turnedAway === 0
              ? 'No visitors blocked yet'
              : `${plural(place.turnedAway, 'request', 'requests')} blocked in the last ${TURNED_AWAY_DAYS} days`
          }
          end={
            <span className="flex items-center gap-1">
              <Button
                variant="quiet"
                aria-label={`Preview as a visitor from ${place.name}`}
                onClick={() => onLook(place)}
              >
                Preview
              </Button>
              <IconButton
                icon="close"
                label={`Show me in ${place.name} again`}
                disabled={isBusy}
                onClick={() => onRemove(place)}
              />
            </span>
          }
        />
      ))}
    </Rows>
  );
}

export function RegionsForm({ username }: { username: string }) {
  const client = useQueryClient();
  const regions = useQuery(regionsQuery());
  const [chosen, setChosen] = useState('');
  const [looking, setLooking] = useState<Place>();
  const save = useApiMutation(setRegions, {
    onSuccess: (saved) => {
      client.setQueryData(regionsQuery().queryKey, saved);
      void client.invalidateQueries({ queryKey: routeKey(viewFromRegion) });
    },
  });
  if (!regions.data)
    return regions.isError ? <ErrorState onRetry={() => void regions.refetch()} /> : <SkeletonRows count={2} />;
  const { hidden, places, hasStates } = regions.data;
  const codes = hidden.map(({ code }) => code);
  const change = (wish: readonly string[], words: string) =>
    save.mutate(
      { body: { codes: [...wish] } },
      {
        onSuccess: () => {
          setChosen('');
          void showToast(words, 'success');
        },
      },
    );
  const add = (event: FormEvent) => {
    event.preventDefault();
    const place = places.find(({ code }) => code === chosen);
    if (place) change([...codes, place.code], `You’re now hidden in ${place.name}.`);
  };
  return (
    <>
      <p className="text-small text-muted">
        Visitors from these {hasStates ? 'countries and states' : 'countries'} can’t see you. We use IP addresses, so
        this doesn’t stop people on a VPN.
      </p>
      {hidden.length > 0 && (
        <Hidden
          hidden={hidden}
          isBusy={save.isPending}
          onLook={setLooking}
          onRemove={({ code, name }) =>
            change(
              codes.filter((other) => other !== code),
              `You’re visible in ${name} again.`,
            )
          }
        />
      )}
      <form className="mt-5 flex flex-wrap items-end gap-3" onSubmit={add}>
        <SelectField
          className="min-w-0 flex-1 basis-60"
          label={hidden.length === 0 ? 'Hide your profile by location' : 'Add location'}
          placeholder="Choose a location"
          value={chosen}
          options={places
            .filter(({ code }) => !codes.includes(code))
            .map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Button type="submit" disabled={chosen === ''} busy={save.isPending} busyText="Saving…">
          Hide
        </Button>
      </form>
      {looking && <ViewFrom place={looking} username={username} onClose={() => setLooking(undefined)} />}
    </>
  );
}
