import type { ReadingWords } from '@/components/ReadingText';

const words: ReadingWords = {
  title: 'Editing files in a workshop',
  since: 'Last changed',
  day: '2026-11-21',
  intro: 'The files of a workshop live in its home folder and are edited where they are.',
  sections: [
    {
      title: 'In the terminal',
      paragraphs: [
        'Open the terminal of a running workshop and start the editor its image brings, such as nano or vim. Copy and paste work with the keys you know; the terminal follows the size of the window, and a second tab keeps a program running beside the editor.',
      ],
    },
    {
      title: 'With an editor extension',
      paragraphs: [
        'Whoever runs this platform may offer an extension for a desktop editor. Where one is offered, the link Editor extension leads to it instead of to this page.',
      ],
    },
  ],
};

export default words;
