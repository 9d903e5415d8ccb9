import { microFromDcu } from '../dcu';

/** What a new member finds in the wallet, once a phone number for ever. */
export const signupGift = { micro: microFromDcu('10'), days: 90 } as const;
