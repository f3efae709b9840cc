import { chatWithPath, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useViewer } from '../../../platform/session.ts';
import { IconButton } from '../../../ui/button.tsx';
import * as texts from './texts.ts';

export function MessageButton({
  creatorId,
  creatorName,
  hasLabel = false,
}: {
  creatorId: string;
  creatorName: string;
  hasLabel?: boolean;
}) {
  const viewer = useViewer();
  if (viewer && viewer.type !== 'customer') return null;
  const path = chatWithPath(creatorId);
  return (
    <IconButton
      icon="chat"
      label={formatText(texts.messageCreator, { creatorName })}
      href={viewer ? path : signupGatePath('message', path)}
      {...(hasLabel && { text: <span className="hidden lg:inline">{texts.message}</span> })}
    />
  );
}
