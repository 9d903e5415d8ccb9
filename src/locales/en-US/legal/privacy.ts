import type { ReadingWords } from '@/components/ReadingText';

const words: ReadingWords = {
  title: 'Privacy Policy',
  since: 'In force since',
  day: '2026-11-21',
  intro:
    'This page says which data about you Atelier keeps, why, for how long, and what you can do about it. We keep what the service needs and nothing to sell.',
  sections: [
    {
      title: '1. What we keep',
      paragraphs: [
        'Your account: username, phone number, e-mail address if you give one, and your password as a hash that cannot be turned back. Pages show your phone number with its middle hidden.',
        'Your use: which workshops ran, when, of which size, how much processor, memory and disk they used, and every change of your balance. This is how your bill is made and how you can check it.',
        'Your work: the files in your workshops. We do not read them; machines of ours store and run them.',
        'Your sign-ins: the address you signed in from, the kind of browser, and, if a link told us, where you came from. They protect your account.',
        'What pages are used for: which kinds of pages are opened, which buttons are pressed and what fails, counted under a random number that ends with the browser tab. Your name, your address, what you type and what your workshops are called are not part of it. If your browser asks not to be tracked (Do Not Track, Global Privacy Control), nothing of this is kept.',
      ],
    },
    {
      title: '2. What we do not do',
      paragraphs: [
        'We do not sell data, show advertising, or train models on your files. No script of another company runs on these pages.',
      ],
    },
    {
      title: '3. Cookies and local storage',
      paragraphs: [
        'Two cookies keep you signed in: one names the session, the other, which scripts cannot read, proves that it is yours. Your browser also remembers your language, light or dark, where your visit came from and, until the tab is closed, the visit’s random number. Nothing else is stored.',
      ],
    },
    {
      title: '4. Who else sees it',
      paragraphs: [
        'The company that delivers our text messages receives your phone number and the message. Beyond that, data leaves us only when a law obliges us, and only as much as it demands.',
      ],
    },
    {
      title: '5. How long',
      paragraphs: [
        'Verification codes are deleted within a day, what pages are used for after 90 days, sign-in records after 180 days, workshop files when you delete the workshop. Records of payments and balances are kept as long as accounting law demands, also after an account is closed.',
      ],
    },
    {
      title: '6. What you can do',
      paragraphs: [
        'You may ask for a copy of everything we hold about you, have errors corrected, and close your account, which deletes what no law makes us keep. You may also complain to the data-protection authority.',
      ],
    },
    {
      title: '7. Safety',
      paragraphs: [
        'Connections are encrypted, workshops are walled off from each other, and whoever runs the platform sees only what the work requires. If data is ever exposed, we tell you what happened and what to do.',
      ],
    },
  ],
};

export default words;
