import { monthName, weekdays, weeksOf } from './calendar';

describe('the month of a day', () => {
  it('begins its weeks on Monday and leaves out the neighbours’ days', () => {
    const weeks = weeksOf('2026-11-21');

    expect(weeks).toHaveLength(6);
    // The first is a Sunday, the last a Monday.
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks[5]).toEqual(['2026-11-30', null, null, null, null, null, null]);
  });

  it('has four weeks in a February that begins on Monday, and a leap day where there is one', () => {
    expect(weeksOf('2027-02-10')).toHaveLength(4);
    expect(weeksOf('2028-02-10').flat().filter(Boolean)).toHaveLength(29);
    expect(weeksOf('2026-12-31').flat().filter(Boolean)).toHaveLength(31);
  });

  it('is named in the reader’s language', () => {
    expect(monthName('2026-11-21')).toBe('November 2026');
    expect(weekdays()[0]).toEqual({ short: 'Mon', long: 'Monday' });
    window.localStorage.setItem('umi_locale', 'zh-CN');
    expect(monthName('2026-11-21')).toBe('2026年11月');
    expect(weekdays()[6]).toEqual({ short: '周日', long: '星期日' });
  });
});
