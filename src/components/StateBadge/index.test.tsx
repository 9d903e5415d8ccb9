import { screen } from '@testing-library/react';
import { answerCalls } from '@/testing/gateway';
import { labAnswers } from '@/testing/labs';
import { renderPage } from '@/testing/renderPage';
import { workshopStates } from '../../../gateway/contract/workshopStates';
import StateBadge from './index';
import { stateMarks } from './stateMark';

const shown = workshopStates.filter((state) => state !== 'DELETED');

describe('the state badge', () => {
  it('says every state in a word of its own, in both languages', async () => {
    answerCalls(labAnswers([]));
    for (const language of ['en-US', 'zh-CN']) {
      window.localStorage.setItem('umi_locale', language);
      const { unmount } = renderPage(
        <ul>
          {workshopStates.map((state) => (
            <li key={state}>
              <StateBadge state={state} />
            </li>
          ))}
        </ul>,
      );
      const badges = await screen.findAllByRole('listitem');
      const words = badges.map((badge) => badge.textContent);
      expect(new Set(words).size).toBe(workshopStates.length);
      expect(words.some((word) => word?.includes('workshop.state') || word === '')).toBe(false);
      unmount();
    }
  });

  it('tells states that mean different things apart by shape, not by colour alone', () => {
    const shapes = shown.map((state) => `${stateMarks[state].mark} ${stateMarks[state].filled}`);

    expect(new Set(shapes).size).toBe(shown.length);
  });
});
