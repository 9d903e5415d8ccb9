import { Modal, message } from 'antd';
import type { RefObject } from 'react';
import { useText } from '@/hooks/useText';
import { copyWords, readClipboard } from './clipboard';
import styles from './index.less';
import type { TerminalScreen } from './screen';

/** Asks before a link that a program printed is followed: its words may say one place and lead to another. */
export function useLinkQuestion() {
  const text = useText();
  const [modal, dialogs] = Modal.useModal();
  const ask = async (address: string) => {
    const isSure = await modal.confirm({
      title: text('workshop.terminal.link.title'),
      content: <span className={styles.address}>{address}</span>,
      okText: text('workshop.terminal.link.open'),
      cancelText: text('workshop.cancel'),
    });
    if (isSure) window.open(address, '_blank', 'noopener,noreferrer');
  };
  return { ask, dialogs };
}

/** The context menu of a screen. */
export function useScreenMenu(screen: RefObject<TerminalScreen | null>) {
  const text = useText();
  const copy = async () => {
    const words = screen.current?.selection();
    if (!words) return;
    if (await copyWords(words)) message.success(text('workshop.terminal.copied'));
    else message.warning(text('workshop.terminal.copyFailed'));
  };
  const paste = async () => {
    const words = await readClipboard();
    if (words === null) message.warning(text('workshop.terminal.pasteFailed'));
    else screen.current?.paste(words);
  };
  const actions = {
    copy,
    paste,
    selectAll: () => screen.current?.selectAll(),
    clear: () => screen.current?.clear(),
  };
  const entries = Object.keys(actions) as (keyof typeof actions)[];
  const menu = {
    items: entries.map((key) => ({ key, label: text(`workshop.terminal.${key}`) })),
    onClick: ({ key }: { key: string }) => actions[key as keyof typeof actions](),
  };
  return { copy, menu };
}
