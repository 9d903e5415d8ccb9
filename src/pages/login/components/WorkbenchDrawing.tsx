import styles from './WorkbenchDrawing.less';

/** A workbench in the evening: shelf, lamp, a terminal with a curve that learns, a plant. Drawn by us, one stroke width. */
export function WorkbenchDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 520 380" aria-hidden="true">
      <path className={styles.light} d="m404 138-66 152h128l-30-140z" />
      <Shelf />
      <Screen />
      <Lamp />
      <Bench />
    </svg>
  );
}

function Shelf() {
  return (
    <g>
      <path d="M44 96h196M60 96v14M224 96v14" />
      <path d="M64 96V46h16v50M80 96V54h13v42M93 96l11-46 13 3-11 43" />
      <path d="M134 96V66h34v30M134 76h34M143 86h16" />
      <path className={styles.tint} d="M196 96V82m0 0c-12 0-16-8-16-18 12 0 16 8 16 18Zm0-6c0-12 5-20 16-22 1 13-5 21-16 22Z" />
      <path d="M186 96h20" />
    </g>
  );
}

function Screen() {
  return (
    <g>
      <rect className={styles.card} x="92" y="142" width="220" height="124" rx="10" />
      <path d="M92 164h220M104 153h.1M114 153h.1M124 153h.1" />
      <path className={styles.tint} d="m108 182 8 7-8 7M124 197h18" />
      <path d="M108 214h44M108 228h62M108 242h30" />
      <path className={styles.axis} d="M196 180v66h98" />
      <path className={styles.tint} d="M198 186c8 34 22 46 42 51s38 4 52 4" />
      <path className={styles.faint} d="M198 192c6 24 20 34 40 33s36-10 54-8" />
      <path d="M186 266v24M218 266v24M168 290h68" />
    </g>
  );
}

function Lamp() {
  return (
    <g>
      <path d="M372 290a22 8 0 0 1 44 0M394 282v-62l-34-62" />
      <circle className={styles.card} cx="394" cy="220" r="5" />
      <path className={styles.card} d="m350 142 20 32 66-24c-4-26-26-42-52-36-16 4-28 14-34 28Z" transform="rotate(8 390 150)" />
      <path d="m360 158 9-9" />
    </g>
  );
}

function Bench() {
  return (
    <g>
      <path d="M28 290h464M52 290v70M468 290v70M52 322h416" />
      <path d="M332 322v38M332 340h136" />
      <path d="M452 290v-26h26v26M478 270h6a6 6 0 0 1 0 12h-6" />
      <path className={styles.faint} d="M460 256c-4-6 4-8 0-14M470 256c-4-6 4-8 0-14" />
      <path d="M248 290v-8h70v8M256 282v-8h56v8" />
      <path d="M392 331h16" />
      <path className={styles.faint} d="M12 360h496" />
    </g>
  );
}
