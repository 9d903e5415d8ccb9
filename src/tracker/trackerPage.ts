/** What the tracker does; the console says it in `src/utils/tracker.ts`. */
export interface TrackerSettings {
  /** So many events are sent at once. */
  batchSize: number;
  /** What waits is sent at the latest after this long. */
  flushMs: number;
  /** Sent by beacon, else by fetch. */
  beacon: boolean;
  pageViews: boolean;
  clicks: boolean;
  errors: boolean;
  performance: boolean;
}

/** What the console and the tracker have in common: one object on the window, made by the console before the program loads. */
export interface TrackerPage {
  settings: TrackerSettings;
  /** Where the visit came from. */
  origin: { source?: string; eventCode?: string };
  /** Patterns of the pages opened before the program was there, oldest first. */
  opened: string[];
  /** Hears the pattern of every page opened since. */
  onOpen?: (route: string) => void;
}

declare global {
  interface Window {
    atelierTracker?: TrackerPage;
  }
}
