import { ReloadOutlined } from '@ant-design/icons';
import { history, useLocation } from '@umijs/max';
import { Button } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { useText } from '@/hooks/useText';
import { reloadPage } from '@/utils/loadFailure';
import { Boundary } from './Boundary';
import styles from './CrashBoundary.less';
import { Failure } from './Failure';

/** Keeps a page that failed, or whose code did not arrive, from taking the frame along. Another page starts anew. */
export function CrashBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Boundary key={pathname} failure={(error) => <Failure error={error} />}>
      {children}
    </Boundary>
  );
}

/** Around everything: for the frame's own failure and for the pages that stand outside it. */
export function FrameBoundary({ children }: { children: ReactNode }) {
  return <Boundary failure={(error, reset) => <FailedFrame error={error} reset={reset} />}>{children}</Boundary>;
}

/** Around a part of the frame: the page goes on without it. */
export function PartBoundary({ children }: { children: ReactNode }) {
  return <Boundary failure={() => <FailedPart />}>{children}</Boundary>;
}

function FailedFrame({ error, reset }: { error: unknown; reset: () => void }) {
  // The Back button leads to another page, which may be whole.
  useEffect(() => history.listen(reset), [reset]);
  return (
    <main id="content" tabIndex={-1} className={styles.whole}>
      <Failure error={error} />
    </main>
  );
}

function FailedPart() {
  const label = useText()('error.reload');
  return <Button type="text" icon={<ReloadOutlined />} aria-label={label} title={label} onClick={reloadPage} />;
}
