/** The states of an image a member made. */
export const labImageStates = ['SAVING', 'READY', 'FAILED'] as const;
export type LabImageState = (typeof labImageStates)[number];

/** How much of a lab the engine can keep as an image: its whole file system, no more than its home, or nothing. */
export const imageSavings = ['none', 'home', 'rootfs'] as const;

export const communitySorts = ['stars', 'newest', 'uses'] as const;
export type CommunitySort = (typeof communitySorts)[number];

export const imageLimits = {
  name: { min: 1, max: 40 },
  descriptionLength: 500,
  /** Of these at most are named that look like secrets; beyond, publishing is refused outright. */
  secretPaths: 100,
} as const;
