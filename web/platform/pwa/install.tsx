/**
 * The install prompts (row I5): a banner with instructions on iPhones, a button where the browser can install by
 * itself.
 */

import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { LogoMark } from '../../ui/logo.tsx';
import { localStore } from '../browser-storage.ts';
import { copyText } from '../clipboard.ts';
import { DISMISSED_MS, hidePrompt, type InstallMethod, POSTPONED_MS } from './install-rules.ts';
import * as texts from './texts.ts';

type Step = { title: string; detail: string; icon: IconName | undefined };
const STEPS: readonly Step[] = [
  { title: texts.tapShare, detail: texts.inSafarisToolbar, icon: 'share' },
  { title: texts.addToHomeScreen, detail: texts.scrollDownToFindIt, icon: 'plus' },
  { title: texts.tapAdd, detail: texts.atTheTopRight, icon: undefined },
];
const STEPS_IN_FIREFOX: readonly Step[] = [
  { title: texts.openTheMenu, detail: texts.menuLocationHint, icon: 'more' },
  { title: texts.tapInstall, detail: texts.installWordingHint, icon: 'plus' },
  { title: texts.tapAdd, detail: texts.done, icon: undefined },
];
const BENEFITS = [
  { title: texts.opensStraightToYourChats, detail: texts.fullScreenNoAddressBar, icon: 'expand' },
  { title: texts.callsRingLikePhoneCalls, detail: texts.evenWhenStagedoorIsClosed, icon: 'phone' },
  { title: texts.worksOffline, detail: texts.readWhatYouLastViewed, icon: 'feed' },
] as const;

export function InstallInstructions({
  method,
  onClose,
}: {
  method: Exclude<InstallMethod, 'prompt'>;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      step="Takes about 10 seconds"
      title={texts.addToHomeScreen}
      {...(method === 'safari' && { lead: texts.requiresSafari })}
      {...(method === 'menu' && { lead: texts.inFirefox })}
    >
      <ol className="how">
        {(method === 'menu' ? STEPS_IN_FIREFOX : STEPS).map(({ title, detail, icon }) => (
          <li key={title}>
            <div>
              <b>{title}</b>
              <small>{detail}</small>
            </div>
            <span className="how__key" aria-hidden="true">
              {icon ? <Icon name={icon} /> : texts.add}
            </span>
          </li>
        ))}
      </ol>
      {method === 'safari' && (
        <Button wide className="mt-4" icon="copy" onClick={() => void copyText(location.origin, texts.linkCopiedHint)}>
          {texts.copyLinkForSafari}
        </Button>
      )}
      {method !== 'menu' && <p className="pt-3.5 text-small text-muted">{texts.logInAgainHint}</p>}
    </Dialog>
  );
}

/**
 * The banner takes its own space at the top of the page. It appears with a navigation, so that nothing moves under the
 * user's finger.
 */
function InstallBanner({ method, onDone }: { method: 'banner' | 'safari'; onDone: () => void }) {
  const [isShown, setShown] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const show = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('a[href]')) setShown(true);
    };
    addEventListener('click', show);
    return () => removeEventListener('click', show);
  }, []);
  useEffect(() => {
    if (!isShown) return;
    const { dataset } = document.documentElement;
    dataset.install = '';
    return () => {
      delete dataset.install;
    };
  }, [isShown]);
  if (!isShown) return null;
  const close = () => {
    hidePrompt(localStore, DISMISSED_MS, Date.now());
    onDone();
  };
  return (
    <>
      <aside className="install-banner" aria-label={texts.addToHomeScreen}>
        <LogoMark size={34} />
        <div className="min-w-0">
          <b className="one-line">{texts.getTheApp}</b>
          <small className="one-line">{texts.getTheAppHint}</small>
        </div>
        <Button variant="ink" onClick={() => setOpen(true)}>
          {texts.showMe}
        </Button>
        <IconButton icon="close" label={texts.hideForAMonth} quiet onClick={close} />
      </aside>
      {isOpen && <InstallInstructions method={method} onClose={() => setOpen(false)} />}
    </>
  );
}

type InstallCardProps = { method: 'prompt' | 'menu'; install: () => Promise<boolean>; onDone: () => void };

function InstallCard({ method, install, onDone }: InstallCardProps) {
  const [isOpen, setOpen] = useState(false);
  const postpone = () => {
    hidePrompt(localStore, POSTPONED_MS, Date.now());
    onDone();
  };
  const accept = async () => {
    if (method === 'menu') setOpen(true);
    else if (await install()) onDone();
    else postpone();
  };
  return (
    <section className="install-card" aria-labelledby="install-title">
      <div className="install-card__head">
        <span className="install-card__mark">
          <LogoMark size={40} />
        </span>
        <div className="min-w-0">
          <h2 id="install-title" className="display d4">
            {texts.installStagedoor}
          </h2>
          <p className="text-small text-muted">{texts.freeNoAppStoreNeeded}</p>
        </div>
      </div>
      <ul className="install-card__gains">
        {BENEFITS.map(({ title, detail, icon }) => (
          <li key={title}>
            <Icon name={icon} />
            <div>
              <b>{title}</b>
              <small>{detail}</small>
            </div>
          </li>
        ))}
      </ul>
      <Button variant="primary" size="lg" wide onClick={() => void accept()}>
        {texts.installNow}
      </Button>
      <Button variant="quiet" wide onClick={postpone}>
        {texts.maybeLater}
      </Button>
      {isOpen && <InstallInstructions method="menu" onClose={postpone} />}
    </section>
  );
}

export type InstallPromptState = { method: InstallMethod; install: () => Promise<boolean> };

export function InstallPrompt({ method, install, onDone }: InstallPromptState & { onDone: () => void }) {
  return method === 'prompt' || method === 'menu' ? (
    <InstallCard method={method} install={install} onDone={onDone} />
  ) : (
    <InstallBanner method={method} onDone={onDone} />
  );
}
