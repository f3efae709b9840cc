/**
 * The install prompts (row I5): a banner with instructions on iPhones, a button where the browser can install by
 * itself.
 */
import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { LogoMark } from '../../ui/logo.tsx';
import { copyText } from '../clipboard.ts';
import { DISMISSED_MS, hidePrompt, type InstallMethod, POSTPONED_MS } from './install-rules.ts';

type Step = { title: string; detail: string; icon: IconName | undefined };
const STEPS: readonly Step[] = [
  { title: 'Tap Share', detail: 'In Safari’s toolbar', icon: 'share' },
  { title: 'Add to Home Screen', detail: 'Scroll down to find it', icon: 'plus' },
  { title: 'Tap Add', detail: 'At the top right', icon: undefined },
];
const STEPS_IN_FIREFOX: readonly Step[] = [
  { title: 'Open the menu', detail: 'The three dots next to the address bar', icon: 'more' },
  { title: 'Tap Install', detail: 'It may say Add app to Home screen', icon: 'plus' },
  { title: 'Tap Add', detail: 'Done', icon: undefined },
];
const BENEFITS = [
  { title: 'Opens straight to your chats', detail: 'Full screen, no address bar', icon: 'expand' },
  { title: 'Calls ring like phone calls', detail: 'Even when Stagedoor is closed', icon: 'phone' },
  { title: 'Works offline', detail: 'Read what you last viewed', icon: 'feed' },
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
      title="Add to Home Screen"
      {...(method === 'safari' && { lead: 'This requires Safari. Open Stagedoor there first, then:' })}
      {...(method === 'menu' && { lead: 'In Firefox:' })}
    >
      <ol className="how">
        {(method === 'menu' ? STEPS_IN_FIREFOX : STEPS).map(({ title, detail, icon }) => (
          <li key={title}>
            <div>
              <b>{title}</b>
              <small>{detail}</small>
            </div>
            <span className="how__key" aria-hidden="true">
              {icon ? <Icon name={icon} /> : 'Add'}
            </span>
          </li>
        ))}
      </ol>
      {method === 'safari' && (
        <Button
          wide
          className="mt-4"
          icon="copy"
          onClick={() => void copyText(location.origin, 'Copied. Open Safari and paste it there.')}
        >
          Copy link for Safari
        </Button>
      )}
      {method !== 'menu' && <p className="pt-3.5 text-small text-muted">You’ll need to log in again.</p>}
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
    hidePrompt(localStorage, DISMISSED_MS, Date.now());
    onDone();
  };
  return (
    <>
      <aside className="install-banner" aria-label="Add to Home Screen">
        <LogoMark size={34} />
        <div className="min-w-0">
          <b className="one-line">Get the app</b>
          <small className="one-line">One tap away. Calls ring.</small>
        </div>
        <Button variant="ink" onClick={() => setOpen(true)}>
          Show me
        </Button>
        <IconButton icon="close" label="Hide this for 30 days" quiet onClick={close} />
      </aside>
      {isOpen && <InstallInstructions method={method} onClose={() => setOpen(false)} />}
    </>
  );
}

type InstallCardProps = { method: 'prompt' | 'menu'; install: () => Promise<boolean>; onDone: () => void };

function InstallCard({ method, install, onDone }: InstallCardProps) {
  const [isOpen, setOpen] = useState(false);
  const postpone = () => {
    hidePrompt(localStorage, POSTPONED_MS, Date.now());
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
            Install Stagedoor
          </h2>
          <p className="text-small text-muted">Free, no app store needed</p>
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
        Install Now
      </Button>
      <Button variant="quiet" wide onClick={postpone}>
        Maybe Later
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
