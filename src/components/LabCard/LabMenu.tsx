import { Dropdown } from 'antd';
import { type ReactElement, useState } from 'react';
import { useText } from '@/hooks/useText';
import { actionWord, type LabAction } from './labActions';
import type { Lab } from './labFacts';

interface LabMenuProps {
  lab: Lab;
  actions: readonly LabAction[];
  isBusy: boolean;
  onAction: (action: LabAction) => void;
  children: ReactElement;
}

/** The menu of a lab: it is loaded when it is asked for, and so begins open. */
export default function LabMenu({ lab, actions, isBusy, onAction, children }: LabMenuProps) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      open={isOpen}
      onOpenChange={setIsOpen}
      menu={{
        items: actions.map((action) => ({
          key: action,
          label: text(actionWord(action, lab.state)),
          danger: action === 'delete' || action === 'forceStop',
          disabled: isBusy,
        })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation();
          onAction(key as LabAction);
        },
      }}
    >
      {children}
    </Dropdown>
  );
}
