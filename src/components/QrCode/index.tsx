import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import styles from './index.less';

/** Only who pays needs it. */
const Squares = lazy(() => import('./Squares'));

interface QrCodeProps {
  /** What a phone reads. */
  code: string;
  /** What it is for, for those who cannot see it. */
  label: string;
}

/** A QR code: dark squares on white in light and dark alike, since phones read nothing else well. */
export function QrCode({ code, label }: QrCodeProps) {
  return (
    <div className={styles.frame} role="img" aria-label={label}>
      <Suspense fallback={<Skeleton.Node active style={{ inlineSize: 208, blockSize: 208 }} />}>
        {/* Antd calls the drawing an image of its own, without a name. */}
        <div aria-hidden="true">
          <Squares code={code} />
        </div>
      </Suspense>
    </div>
  );
}
