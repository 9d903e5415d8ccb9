import type { ReadingWords } from '@/components/ReadingText';

const words: ReadingWords = {
  title: 'Terms of Service',
  since: 'In force since',
  day: '2026-11-21',
  intro:
    'Atelier lends you computing for learning and research: workshops that start when you need them, a terminal inside them, and storage for what you make. These terms say what you may expect from us and what we expect from you. They are meant to be read.',
  sections: [
    {
      title: '1. Your account',
      paragraphs: [
        'You need an account, and an account needs a phone number that is yours. One person keeps one account. What you tell us about yourself must be true, because student and real-name rights depend on it.',
        'Keep your password to yourself. Whatever is done while signed in as you counts as done by you, until you tell us that somebody else has got in; then we close every session at once.',
        'You may close your account at any time. Until then everything in it stays yours.',
      ],
    },
    {
      title: '2. What you pay for',
      paragraphs: [
        'Computing is measured in DCU. A running workshop is charged at the rate shown before you start it, for the time we observed it running, to the millisecond. Time in which we could not observe it is free.',
        'While a workshop runs we set aside its next ten minutes; what is not used is released when it stops. Your balance never goes below zero: a workshop whose balance is used up is stopped, and its files are kept.',
        'Parts of a balance may have an end date, which is shown with each part. The part that ends soonest is always used first. Every change of your balance is listed in your account, and each usage line can be traced to the run that caused it.',
      ],
    },
    {
      title: '3. Fair use',
      paragraphs: [
        'Use workshops for learning, teaching and research. Do not use them to attack or probe other systems, to mine currencies, to send bulk messages, to share what you have no right to share, or to get around the limits of your level.',
        'We may stop a workshop that harms others or the platform. We say why, we keep its files, and you may answer before anything further happens, unless the law or an immediate danger forbids waiting.',
      ],
    },
    {
      title: '4. Your work',
      paragraphs: [
        'What you make in a workshop is yours. We store, copy and show it only as far as running the service needs it, and to nobody else unless you publish it yourself.',
        'Stopping a workshop keeps its home folder. Deleting a workshop deletes the folder for good; we ask before. Keep a copy of what you cannot lose.',
      ],
    },
    {
      title: '5. Our side',
      paragraphs: [
        'We run the service with care, but it can fail or pause for maintenance, and we cannot promise that it always works. If we charge something wrongly, we correct it in your account as soon as we know.',
        'We may change prices and these terms. A running workshop keeps its price for at most 24 hours. Changes of these terms are announced on the platform at least 15 days before they hold; if you do not agree, you may close your account and have the unused part of what you bought refunded.',
      ],
    },
    {
      title: '6. When something goes wrong',
      paragraphs: [
        'Tell us first; most things can be put right. Where the law gives you rights as a consumer, nothing here takes them away. Otherwise our liability ends at what you paid us in the twelve months before.',
      ],
    },
  ],
};

export default words;
