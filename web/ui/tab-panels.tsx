// Tabs that switch panels in place, on hydrated pages. Prefer the link tabs of chips.tsx where a tab should have an
// address.
import * as RadixTabs from 'radix-ui/tabs';
import type { ReactNode } from 'react';

export interface TabPanel {
  value: string;
  label: string;
  count?: number | undefined;
  content: ReactNode;
}

export interface TabPanelsProps {
  label: string;
  panels: readonly TabPanel[];
  value?: string | undefined;
  onValueChange?: ((value: string) => void) | undefined;
}

export function TabPanels({ label, panels, value, onValueChange }: TabPanelsProps) {
  const control = value === undefined ? { defaultValue: panels[0]?.value ?? '' } : { value };
  return (
    <RadixTabs.Root {...control} {...(onValueChange && { onValueChange })}>
      <RadixTabs.List className="tabs" aria-label={label}>
        {panels.map((panel) => (
          <RadixTabs.Trigger key={panel.value} value={panel.value} className="tab">
            {panel.label}
            {panel.count !== undefined && <span className="num">{panel.count}</span>}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {panels.map((panel) => (
        <RadixTabs.Content key={panel.value} value={panel.value}>
          {panel.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
