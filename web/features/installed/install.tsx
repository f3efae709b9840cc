/**
 * The install prompts (row I5): a banner with instructions on iPhones, a button where the browser can install by
 * itself.
 */
import { useEffect, useState } from 'react';
import { copyText } from '../../kernel/clipboard.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Mark } from '../../ui/logo.tsx';
import { CLOSED_MS, hideFor, LATER_MS, type Way } from './rules.ts';

type Step = { title: string; more: string; icon: IconName | undefined };
const STEPS: readonly Step[] = [
  { title: 'Tap Share', more: 'In Safari’s toolbar', icon: 'share' },
  { title: 'Add to Home Screen', more: 'Scroll down to find it', icon: 'plus' },
  { title: 'Tap Add', more: 'At the top right', icon: undefined },
];
const STEPS_IN_FIREFOX: readonly Step[] = [
  { title: 'Open the menu', more: 'The three dots next to the address bar', icon: 'more' },
  { title: 'Tap Install', more: 'It may say Add app to Home screen', icon: 'plus' },
  { title: 'Tap Add', more: 'Done', icon: undefined },
];
const GAINS = [
  { title: 'Opens straight to your chats', more: 'Full screen, no address bar', icon: 'expand' },
  { title: 'Calls ring like phone calls', more: 'Even when Stagedoor is closed', icon: 'phone' },
  { title: 'Works offline', more: 'Read what you last viewed', icon: 'feed' },
] as const;

export function HowTo({ way, onClose }: { way: Exclude<Way, 'prompt'>; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      step="Takes about 10 seconds"
      title="Add to Home Screen"
      {...(way === 'safari' && { lead: 'This requires Safari. Open Stagedoor there first, then:' })}
      {...(way === 'menu' && { lead: 'In Firefox:' })}
    >
      <ol className="how">
        {(way === 'menu' ? STEPS_IN_FIREFOX : STEPS).map(({ title, more, icon }) => (
          <li key={title}>
            <div>
              <b>{title}</b>
              <small>{more}</small>
            </div>
            <span className="how__key" aria-hidden="true">
              {icon ? <Icon name={icon} /> : 'Add'}
            </span>
          </li>
        ))}
      </ol>
      {way === 'safari' && (
        <Button
          wide
          className="mt-4"
          icon="copy"
          onClick={() => void copyText(location.origin, 'Copied. Open Safari and paste it there.')}
        >
          Copy link for Safari
        </Button>
      )}
      {way !== 'menu' && <p className="pt-3.5 text-small text-muted">You’ll need to log in again.</p>}
    </Dialog>
  );
}

/**
 * The banner takes its own space at the top of the page. It appears with a navigation, so that nothing moves under the
 * user's finger.
 */
function Banner({ way, onDone }: { way: 'banner' | 'safari'; onDone: () => void }) {
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
    hideFor(localStorage, CLOSED_MS, Date.now());
    onDone();
  };
  return (
    <>
      <aside className="install-banner" aria-label="Add to Home Screen">
        <Mark size={34} />
        <div className="min-w-0">
          <b className="one-line">Get the app</b>
          <small className="one-line">One tap away. Calls ring.</small>
        </div>
        <Button variant="ink" onClick={() => setOpen(true)}>
          Show me
        </Button>
        <IconButton icon="close" label="Hide this for 30 days" quiet onClick={close} />
      </aside>
      {isOpen && <HowTo way={way} onClose={() => setOpen(false)} />}
    </>
  );
}

type PromptProps = { way: 'prompt' | 'menu'; install: () => Promise<boolean>; onDone: () => void };

function Prompt({ way, install, onDone }: PromptProps) {
  const [isOpen, setOpen] = useState(false);
  const later = () => {
    hideFor(localStorage, LATER_MS, Date.now());
    onDone();
  };
  const now = async () => {
    if (way === 'menu') setOpen(true);
    else if (await install()) onDone();
    else later();
  };
  return (
    <section className="install-card" aria-labelledby="install-title">
      <div className="install-card__head">
        <span className="install-card__mark">
          <Mark size={40} />
        </span>
        <div className="min-w-0">
          <h2 id="install-title" className="display d4">
            Install Stagedoor
          </h2>
          <p className="text-small text-muted">Free, no app store needed</p>
        </div>
      </div>
      <ul className="install-card__gains">
        {GAINS.map(({ title, more, icon }) => (
          <li key={title}>
            <Icon name={icon} />
            <div>
              <b>{title}</b>
              <small>{more}</small>
            </div>
          </li>
        ))}
      </ul>
      <Button variant="primary" size="lg" wide onClick={() => void now()}>
        Install Now
      </Button>
      <Button variant="quiet" wide onClick={later}>
        Maybe Later
      </Button>
      {isOpen && <HowTo way="menu" onClose={later} />}
    </section>
  );
}

export type Asking = { way: Way; install: () => Promise<boolean> };

export function Install({ way, install, onDone }: Asking & { onDone: () => void }) {
  return way === 'prompt' || way === 'menu' ? (
    <Prompt way={way} install={install} onDone={onDone} />
  ) : (
    <Banner way={way} onDone={onDone} />
  );
}
