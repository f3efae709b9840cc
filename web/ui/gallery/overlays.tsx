import { useState } from 'react';
import { Button, IconButton } from '../button.tsx';
import { RadioRows } from '../choice.tsx';
import { PriceSummary } from '../definition-list.tsx';
import { ConfirmDialog, Dialog, Drawer, LockNote, Sheet } from '../dialog.tsx';
import { Menu } from '../menu.tsx';
import { DetailsMenu, PopoverSheet, PopoverTrigger } from '../popover.tsx';
import { Row, Rows } from '../rows.tsx';
import { TabPanels } from '../tab-panels.tsx';
import { toast } from '../toaster.tsx';
import { Tooltip } from '../tooltip.tsx';
import { GalleryLine, Group, type ThemeProps } from './group.tsx';

type OverlayName = 'dialog' | 'sheet' | 'drawer' | 'confirm' | null;

function Dialogs({ openOverlay, close }: { openOverlay: OverlayName; close: () => void }) {
  const shared = { onOpenChange: close };
  return (
    <>
      <Dialog {...shared} open={openOverlay === 'dialog'} step="Step 1 of 2" title="How many credits?">
        <RadioRows
          name="dialog-pack"
          label="How many credits?"
          defaultValue="30"
          choices={[
            { value: '30', title: '30 credits', sub: '$300.00 of balance', end: '$306.00' },
            { value: '60', title: '60 credits', sub: '$600.00 of balance', end: '$612.00' },
          ]}
        />
        <PriceSummary
          items={[
            { name: 'You get', value: '$300.00' },
            { name: 'Fee', value: '$6.00' },
          ]}
          total={{ name: 'You pay', value: '$306.00' }}
        />
        <Button variant="primary" size="lg" wide>
          Continue to payment
        </Button>
        <LockNote>Next you’ll leave for our card processor’s page. Your card number never reaches us.</LockNote>
      </Dialog>
      <Sheet {...shared} open={openOverlay === 'sheet'} title="Share">
        <Rows label="Ways to share">
          <Row title="Copy the link" href="#copy" />
          <Row title="Send in a chat" href="#chat" />
        </Rows>
      </Sheet>
      <Drawer {...shared} open={openOverlay === 'drawer'} title="Details">
        <p className="text-muted">A note, mute, shared media.</p>
      </Drawer>
      <ConfirmDialog
        {...shared}
        open={openOverlay === 'confirm'}
        title="Delete this?"
        lead="It is gone for good; those who bought it keep it."
        danger
        confirmText="Delete"
        onConfirm={close}
      />
    </>
  );
}

export function OverlayGallery({ theme }: ThemeProps) {
  const [openOverlay, setOpenOverlay] = useState<OverlayName>(null);
  const items = [
    { label: 'Share', icon: 'share', onSelect: () => undefined },
    { label: 'Report', icon: 'warning', href: '#report' },
    null,
    { label: 'Block', icon: 'block', danger: true },
    { label: 'Mute', icon: 'bell-off', disabled: true },
  ] as const;
  return (
    <Group title="Overlays">
      <GalleryLine>
        <DetailsMenu
          label="More"
          align="start"
          items={[
            { label: 'Share', href: '#share', icon: 'share' },
            { label: 'Report', href: '#report', icon: 'warning', danger: true },
          ]}
        />
        <PopoverTrigger for={`sheet-${theme}`}>Sheet without script</PopoverTrigger>
        <PopoverSheet id={`sheet-${theme}`} title="Log in to go on" step="Free to join">
          <Button variant="primary" size="lg" wide href="#login">
            Log in
          </Button>
        </PopoverSheet>
      </GalleryLine>
      <GalleryLine>
        <Button onClick={() => setOpenOverlay('dialog')}>Dialog</Button>
        <Button onClick={() => setOpenOverlay('sheet')}>Bottom sheet</Button>
        <Button onClick={() => setOpenOverlay('drawer')}>Drawer</Button>
        <Button onClick={() => setOpenOverlay('confirm')}>Confirm</Button>
        <Menu label={`Menu, ${theme}`} items={items} />
        <Tooltip text="Settings">
          <IconButton icon="settings" label="Settings" />
        </Tooltip>
      </GalleryLine>
      <GalleryLine>
        <Button onClick={() => toast('Unfollowed.', { action: { label: 'Undo', onClick: () => undefined } })}>
          Toast with Undo
        </Button>
        <Button onClick={() => toast.error('Could not send. Check your connection.')}>Toast error</Button>
        <Button onClick={() => toast.success('Saved.')}>Toast success</Button>
      </GalleryLine>
      <TabPanels
        label={`Panels, ${theme}`}
        panels={[
          { value: 'a', label: 'First', content: <p style={{ paddingBlock: 16 }}>First panel</p> },
          { value: 'b', label: 'Second', count: 2, content: <p>Second panel</p> },
        ]}
      />
      <Dialogs openOverlay={openOverlay} close={() => setOpenOverlay(null)} />
    </Group>
  );
}
