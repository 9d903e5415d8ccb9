import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { Button, message } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { copyWords } from '../Terminal/clipboard';
import styles from './index.less';

interface CopyableTextProps {
  words: string;
  /** What is copied: "Order number". */
  name: string;
  /** Shown instead: a password in dots, say. */
  shown?: string;
}

/** A number or code people take elsewhere: in figures of one width, with a button that copies it. */
export function CopyableText({ words, name, shown = words }: CopyableTextProps) {
  const text = useText();
  const [isCopied, setIsCopied] = useState(false);
  const handleCopy = async () => {
    const wasCopied = await copyWords(words);
    setIsCopied(wasCopied);
    if (wasCopied) message.success(text('copy.done', { name }));
    else message.info(text('copy.byHand'));
  };
  return (
    <span className={styles.copyable}>
      <bdi>{shown}</bdi>
      <Button
        type="text"
        size="small"
        aria-label={text('copy.do', { name })}
        title={text('copy.do', { name })}
        icon={isCopied ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
        onClick={handleCopy}
      />
    </span>
  );
}
