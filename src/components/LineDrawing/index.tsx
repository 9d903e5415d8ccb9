import type { ReactNode } from 'react';
import styles from './index.less';

/** Drawings of one stroke width; `class="tint"` marks the one line that carries the brand colour. */
const drawings = {
  bench: (
    <>
      <path d="M14 74h132M26 74v32M134 74v32M26 90h108" />
      <path d="M58 74V40a4 4 0 0 1 4-4h46a4 4 0 0 1 4 4v34" />
      <path className={styles.tint} d="m70 50 7 6-7 6M83 63h12" />
      <path d="M30 74V62h14v12M34 62V52M39 62V48M124 74l4-14h8l3 14" />
    </>
  ),
  lamp: (
    <>
      <path d="M24 104h112M56 104a12 5 0 0 1 24 0M68 99V70l26-34" />
      <path d="m84 30 22 17c8-6 8-17 1-22s-18-3-23 5Z" />
      <path className={styles.tint} d="m94 56 4 10M106 58l10 7M112 48l13 1" />
      <circle cx="68" cy="69" r="3" />
    </>
  ),
  ledger: (
    <>
      <path d="M80 34c-10-8-26-9-44-7v66c18-2 34-1 44 7 10-8 26-9 44-7V27c-18-2-34-1-44 7Zm0 0v66" />
      <path d="M46 42c8-1 16 0 23 3M46 54c8-1 16 0 23 3M46 66c8-1 16 0 23 3" />
      <path className={styles.tint} d="M92 46c7-3 14-4 22-3M92 58c7-3 14-4 22-3" />
      <path d="M92 70c4-2 8-3 12-3" />
    </>
  ),
  map: (
    <>
      <path d="m22 36 38-12 40 12 38-12v62l-38 12-40-12-38 12Z" />
      <path d="M60 24v62M100 36v62" />
      <path className={styles.tint} strokeDasharray="4 5" d="M34 80c10-4 12-16 22-16s14 12 24 10 8-20 18-22" />
      <path d="m112 44 10 10m0-10-10 10" />
    </>
  ),
  key: (
    <>
      <circle cx="56" cy="62" r="20" />
      <circle cx="50" cy="62" r="4" />
      <path d="M76 62h56v14M116 62v10" />
      <path className={styles.tint} d="M56 30v-8M34 40l-6-6M78 40l6-6" />
    </>
  ),
  shelf: (
    <>
      <path d="M20 54h120M20 98h120M28 54v52M132 54v52" />
      <path d="M40 54V26h12v28M52 54V32h10v22M66 54l8-26 10 3-7 23" />
      <path className={styles.tint} d="M100 54V40h20v14M104 46h12" />
      <path d="M44 98V72h20v26M72 98V80h26v18M108 98V70h12v28" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type DrawingName = keyof typeof drawings;

export function LineDrawing({ name, width = 160 }: { name: DrawingName; width?: number }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 160 120" width={width} height={width * 0.75} aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
