import { DownloadOutlined } from '@ant-design/icons';
import { useRequest } from 'ahooks';
import { Button } from 'antd';
import type { MouseEvent } from 'react';
import { useText } from '@/hooks/useText';
import { billExportPath, pageBillLines } from '@/services/bill';
import styles from './bill.less';

/**
 * The lines as a file. The browser itself fetches it from a plain link, so it works on phones and holds nothing in memory; but
 * what a browser does with a refused download says nobody why. So the same is asked first in small, and a refusal is shown here.
 */
export function ExportLink({ query }: { query: { from: string; to: string; workshopId?: string } }) {
  const text = useText();
  const path = billExportPath(query);
  const check = useRequest(() => pageBillLines({ current: 1, pageSize: 1, ...query }), {
    manual: true,
    onSuccess: () => fetchFile(path),
    onError: () => undefined,
  });
  const handleClick = (event: MouseEvent) => {
    event.preventDefault();
    if (!check.loading) check.run();
  };
  return (
    <>
      <Button href={path} download icon={<DownloadOutlined aria-hidden />} loading={check.loading} onClick={handleClick}>
        {text('bill.export')}
      </Button>
      {check.error && !check.loading && (
        <span role="alert" className={styles.failure}>
          {text('bill.export.failed')} <bdi>{check.error.message}</bdi>
        </span>
      )}
    </>
  );
}

function fetchFile(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
